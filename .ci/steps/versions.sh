#!/usr/bin/env bash
# The main module with the newest patch of each release of Go that is supported. The steps vet and test have run this
# machine's own release.
source "$(dirname "$0")/../lib.sh"

patches=$(newest)
own=$(go env GOVERSION)
for patch in $patches; do
	echo "$patch"
	[ "${patch%.*}" != "${own%.*}" ] || continue
	export GOTOOLCHAIN=$patch
	go vet ./...
	place=release tests ./...
done
