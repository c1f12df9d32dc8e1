#!/usr/bin/env bash
# Vet and all tests with the newest patch of each release of Go that is supported.
source "$(dirname "$0")/../lib.sh"

patches=$(newest)
for patch in $patches; do
	echo "$patch"
	GOTOOLCHAIN=$patch go vet ./...
	GOTOOLCHAIN=$patch go test ./...
	for module in examples/playground examples/serve; do # the others need Go 1.26
		GOTOOLCHAIN=$patch go -C $module vet .
		GOTOOLCHAIN=$patch go -C $module test .
	done
done
