#!/usr/bin/env bash
# examples/plot draws its pictures.
source "$(dirname "$0")/../lib.sh"

expect '.*/regions-iris.png, \.svg: What OneVsRest predicts: iris, 141 of 150 rows right' \
	go -C examples/plot run . -out "$tmp/pictures"
expect '.*/iris-regions.png, \.svg: What OneVsRest predicts: iris, 131 of 150 rows right' \
	go -C examples/plot run . -out "$tmp/pictures" ../iris/iris.csv
