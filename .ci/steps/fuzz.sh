#!/usr/bin/env bash
# Fuzzes every target for a fixed number of inputs: a run for a fixed time can fail with
# "context deadline exceeded" (golang/go#75804).
source "$(dirname "$0")/../lib.sh"

for module in . cmd/perceptron examples/playground; do # Beam's takes minutes to compile
	# go test lists a package's targets, and then the package.
	go -C $module test -list '^Fuzz' ./... >"$tmp/list"
	awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }' "$tmp/list" >"$tmp/targets"
	[ -s "$tmp/targets" ] || {
		echo "no fuzz targets found in $module" >&2
		exit 1
	}
	while read -r package target; do
		count=10000
		case $package in */examples/*) count=2000 ;; esac # an input is a whole request
		echo "$package $target"
		go -C $module test -run '^$' -fuzz "^$target\$" -fuzztime ${count}x -fuzzminimizetime 10x "$package" </dev/null
	done <"$tmp/targets"
done
