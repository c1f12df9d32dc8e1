#!/usr/bin/env bash
# Every nested module: the command, and the examples that are modules of their own. Beam's first build takes minutes.
source "$(dirname "$0")/../lib.sh"

# TestMemory: this many MB of rows in less than 32 MiB, and predicted in less than 18.
export PERCEPTRON_LONG=64
if [ -n "$deep" ]; then PERCEPTRON_LONG=320; fi

mapfile -t modules < <(git ls-files '*/go.mod')
for module in "${modules[@]}"; do
	echo "$module"
	cd "${module%/go.mod}"
	go vet ./...
	staticcheck ./...
	go mod tidy -diff
	if [[ $module == */playground/* ]]; then
		echo 'the step playground runs its tests'
	else
		tests ./...
	fi
	cd - >/dev/null
done
