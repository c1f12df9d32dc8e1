#!/usr/bin/env bash
# Every fuzz target with its seeds and 1,000 new inputs; .ci/deep tries 100,000, which coverage guides. Not for a fixed
# time: such a run can fail with "context deadline exceeded" (golang/go#75804).
source "$(dirname "$0")/../lib.sh"

mapfile -t files < <(git grep -lE '^func Fuzz' -- '*_test.go')
mapfile -t folders < <(dirname "${files[@]}" | sort -u)
for folder in "${folders[@]}"; do
	go -C "$folder" test -c -o "$tmp/fuzz.test" . # without the instrumentation, for which Beam takes minutes
	targets=$(cd "$folder" && "$tmp/fuzz.test" -test.list '^Fuzz')
	for target in $targets; do
		echo "$folder $target"
		if [ -n "$deep" ]; then
			go -C "$folder" test -run '^$' -fuzz "^$target\$" -fuzztime 100000x -fuzzminimizetime 10x . </dev/null
		else
			(cd "$folder" && "$tmp/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime 1000x -test.fuzzminimizetime 10x \
				-test.fuzzcachedir "$tmp/inputs" -test.timeout 30m </dev/null) >"$tmp/log" 2>&1 || {
				cat "$tmp/log"
				exit 1
			}
			grep -E 'execs: [1-9][0-9]{2,}' "$tmp/log" | tail -n 1
		fi
	done
done
