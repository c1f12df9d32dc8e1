#!/usr/bin/env bash
# The README's test command. Without data some tests are skipped.
source "$(dirname "$0")/../lib.sh"

tests ./...
