#!/usr/bin/env bash
# Under another module path everything builds, and the README's first program runs. What
# cannot be published is refused. publish.sh tests rename.sh with a version.
source "$(dirname "$0")/../lib.sh"

mapfile -t modules < <(git ls-files '*/go.mod')
copy "$tmp/renamed"
cd "$tmp/renamed"
for wrong in 'owner/perceptron v0.1.0' 'example.com/owner/perceptron v2.0.0' 'example.com/owner/perceptron 0.1.0'; do
	status=0
	# shellcheck disable=SC2086 # two arguments
	./rename.sh $wrong || status=$?
	[ "$status" = 2 ]
done
./rename.sh example.com/owner/perceptron
go build ./...
go vet ./...
go test ./...
for module in "${modules[@]}"; do
	go -C "${module%/go.mod}" vet ./...
done
program "$tmp/program" "$tmp/renamed"
expect versicolor go -C "$tmp/program" run .
