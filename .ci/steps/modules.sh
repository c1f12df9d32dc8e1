#!/usr/bin/env bash
# Every nested module: the command, and the examples that are modules of their own, with
# whole grids. Beam's first build takes minutes.
source "$(dirname "$0")/../lib.sh"

mapfile -t modules < <(git ls-files '*/go.mod')
for module in "${modules[@]}"; do
	echo "$module"
	cd "${module%/go.mod}"
	go vet ./...
	staticcheck ./...
	go mod tidy -diff
	PERCEPTRON_FULL=1 tests ./...
	cd - >/dev/null
done
