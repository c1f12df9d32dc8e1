#!/usr/bin/env bash
# Vet and all tests of the main module with the newest patch of each release of Go that is supported.
source "$(dirname "$0")/../lib.sh"

patches=$(newest)
for patch in $patches; do
	echo "$patch"
	GOTOOLCHAIN=$patch go vet ./...
	GOTOOLCHAIN=$patch go test ./...
done
