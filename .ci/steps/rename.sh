#!/usr/bin/env bash
# Under another module path everything builds, and the README's first program runs.
source "$(dirname "$0")/../lib.sh"

mapfile -t modules < <(git ls-files '*/go.mod')
copy "$tmp/renamed"
cd "$tmp/renamed"
./rename.sh example.com/owner/perceptron
go build ./...
go vet ./...
go test ./...
for module in "${modules[@]}"; do
	go -C "${module%/go.mod}" vet ./...
done
program "$tmp/program" "$tmp/renamed"
expect 'Converged 1' go -C "$tmp/program" run .
