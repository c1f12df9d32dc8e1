#!/usr/bin/env bash
# The race detector, which needs a C compiler, in all packages that start goroutines or are called by many.
source "$(dirname "$0")/../lib.sh"

need gcc gcc libc6-dev
export CGO_ENABLED=1
packages=$(library) # the programs, but one server, start no goroutine
if [ -n "$deep" ]; then packages=./...; fi
# shellcheck disable=SC2086 # several packages
place=race tests -race $packages
cd examples/serve
tests -race .
cd ../../cmd/perceptron
tests -race ./internal/serve
tests -race -run TestPipelineConcurrent .
