#!/usr/bin/env bash
# Every command of the pages works as typed: .ci/commands.py runs them in a copy.
source "$(dirname "$0")/../lib.sh"

need coqc coq
need curl curl
copy "$tmp/copy"
if [ ! -e proofs/Log.vo ]; then timeout 900 proofs/check; fi
cp -p proofs/*.v proofs/*.vo "$tmp/copy/proofs" # proofs.sh has checked these
if [ -n "${PERCEPTRON_DATA:-}" ]; then
	ln -s "$PERCEPTRON_DATA"/ewt-*.gz "$tmp/copy/"
fi
go build -C cmd/perceptron -o "$tmp/copy/cmd/perceptron/perceptron" .
python3 .ci/commands.py "$tmp/copy"
