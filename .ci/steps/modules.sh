#!/usr/bin/env bash
# The examples that are modules of their own. Beam's first build takes minutes.
source "$(dirname "$0")/../lib.sh"

for module in examples/*/go.mod; do
	cd "${module%/go.mod}"
	go vet ./...
	staticcheck ./...
	go mod tidy -diff
	tests ./...
	cd - >/dev/null
done
