#!/usr/bin/env bash
# The README's test command. Without data some tests are skipped.
source "$(dirname "$0")/../lib.sh"

[ -n "$deep" ] || echo 'left to .ci/deep: most random cases of the grids'
tests ./...
