#!/usr/bin/env bash
# examples/plot draws its pictures.
source "$(dirname "$0")/../lib.sh"

expect '.*/regions-iris.png, \.svg: What OneVsRest predicts: iris, 141 of 150 flowers right' \
	go -C examples/plot run . -out "$tmp/pictures"
