#!/usr/bin/env bash
# The race detector, which needs a C compiler.
source "$(dirname "$0")/../lib.sh"

need gcc gcc libc6-dev
# These grids compare results of one goroutine, and take minutes here. The detector needs memory, and
# makes a sync.Pool forget.
CGO_ENABLED=1 go test -race -skip '^Test(Hostile|Resume|Saved$|LoadedCopied|Naive|StreamNaive|MulticlassStreamNaive|ErrorRows|SparseMemory|ClassifierAllocations|SparseNaive|SparseBits|RowByRow|GroupRows|SeparationsTwin)' ./...
CGO_ENABLED=1 go -C examples/playground test -race .
CGO_ENABLED=1 go -C examples/serve test -race .
CGO_ENABLED=1 go -C cmd/perceptron test -race ./internal/serve
CGO_ENABLED=1 go -C cmd/perceptron test -race -run TestPipelineConcurrent .
