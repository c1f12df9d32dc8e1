#!/usr/bin/env bash
# The main module with the newest patch of each release of Go that is supported. The steps vet and test have run this
# machine's own release. The newest release runs no programs and pages: the oldest does.
source "$(dirname "$0")/../lib.sh"

patches=$(newest)
own=$(go env GOVERSION)
all=./...
for patch in $patches; do
	echo "$patch"
	[ "${patch%.*}" != "${own%.*}" ] || continue
	export GOTOOLCHAIN=$patch
	go vet ./...
	# shellcheck disable=SC2086 # several packages
	place=release tests $all
	if [ -z "$deep" ]; then all=$(library); fi
done
