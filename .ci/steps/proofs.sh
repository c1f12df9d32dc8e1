#!/usr/bin/env bash
# Coq checks every theorem, and the proofs that examples/separable writes.
source "$(dirname "$0")/../lib.sh"

need coqc coq
timeout 240 proofs/check

certificate() { timeout 60 coqc -R proofs Perceptron "$1"; }
rejected() {
	! certificate "$1" 2>"$tmp/error" || return 1
	grep -q 'Unable to unify "true" with "false"' "$tmp/error"
}

go build -o "$tmp/separable" ./examples/separable
printf '0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
"$tmp/separable" -coq "$tmp/xor.v" "$tmp/xor.csv" >/dev/null
"$tmp/separable" -coq "$tmp/setosa.v" -positive setosa examples/iris/iris.csv >/dev/null
"$tmp/separable" -coq "$tmp/virginica.v" -positive virginica examples/iris/iris.csv >/dev/null
for name in xor setosa virginica; do certificate "$tmp/$name.v"; done

# One changed number makes each of them false.
change() {
	sed -E "$2" "$tmp/$1.v" >"$tmp/changed.v"
	! cmp -s "$tmp/$1.v" "$tmp/changed.v"
	rejected "$tmp/changed.v"
}
change xor '/^  \(.*line 4 /s/1 # 1/2 # 1/'        # a feature
change xor '/^Definition λ/s/1 # 4/1 # 5/'         # a multiplier
change xor '/^  \(.*line 4 /s/false/true/'         # a label
change setosa '/^Definition w/s/\[/[-/'            # a weight
change setosa '/^Theorem/s/ \(([0-9])/ (9\1/'      # the lower bound
change setosa '/^Theorem/s/# ([0-9]+)\)\.$/# \10)./'   # the upper bound
change virginica '/^Definition λ/s/0 # 1/1 # 1/'   # a multiplier
