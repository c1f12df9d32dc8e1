#!/usr/bin/env bash
# Vet and all tests with the newest patch of each release of Go that is supported.
source "$(dirname "$0")/../lib.sh"

versions=$(go list -m -versions golang.org/toolchain | tr ' ' '\n')
platform=$(go env GOOS)-$(go env GOARCH)
for release in 1.26 1.27; do
	newest=$(sed -n "s/^v0\.0\.1-\(go$release\.[0-9]*\)\.$platform\$/\1/p" <<<"$versions" | sort -V | tail -n 1)
	[ -n "$newest" ] || {
		echo "the module proxy has no Go $release for $platform" >&2
		exit 1
	}
	echo "$newest"
	GOTOOLCHAIN=$newest go vet ./...
	GOTOOLCHAIN=$newest go test ./...
done
