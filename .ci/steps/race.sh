#!/usr/bin/env bash
# The race detector, which needs a C compiler.
source "$(dirname "$0")/../lib.sh"

need gcc gcc libc6-dev
# Reading hostile files takes one goroutine, and many minutes here.
CGO_ENABLED=1 go test -race -skip '^TestHostile' ./...
CGO_ENABLED=1 go -C examples/serve test -race ./...
