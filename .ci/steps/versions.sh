#!/usr/bin/env bash
# The library with the newest patch of each release of Go that is supported; vet compiles the programs and pages too.
# The steps vet and test have run this machine's own release.
source "$(dirname "$0")/../lib.sh"

packages=$(library)
if [ -n "$deep" ]; then packages=./...; fi
patches=$(newest)
own=$(go env GOVERSION)
for patch in $patches; do
	echo "$patch"
	[ "${patch%.*}" != "${own%.*}" ] || continue
	export GOTOOLCHAIN=$patch
	go vet ./...
	# shellcheck disable=SC2086 # several packages
	place=release tests $packages
done
