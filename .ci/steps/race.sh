#!/usr/bin/env bash
# The race detector, which needs a C compiler.
source "$(dirname "$0")/../lib.sh"

need gcc gcc libc6-dev
CGO_ENABLED=1 go test -race ./...
CGO_ENABLED=1 go -C examples/serve test -race ./...
