#!/usr/bin/env bash
# The README's test command, with whole grids. Without data some tests are skipped.
source "$(dirname "$0")/../lib.sh"

PERCEPTRON_FULL=1 tests ./...
