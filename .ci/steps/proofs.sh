#!/usr/bin/env bash
# Coq checks every theorem, and the proofs that perceptron separate writes.
source "$(dirname "$0")/../lib.sh"

need coqc coq
timeout 240 proofs/check

go build -C cmd/perceptron -o "$tmp/perceptron" .
certificate() { "$tmp/perceptron" separate --coq "$tmp/$1.v" --header "${@:2}" >/dev/null 2>&1; }
accepted() { timeout 60 proofs/verify "$tmp/$1.v"; }

printf '0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
printf '1,a\n1,b\n' >"$tmp/twice.csv"
printf '0.1,1\n0.1000000000000000000001,-1\n' >"$tmp/near.csv"
printf '1e300,1\n1e-300,-1\n' >"$tmp/wide.csv"
for name in xor twice near wide; do certificate $name no "$tmp/$name.csv"; done
for class in setosa versicolor virginica; do certificate $class yes --positive $class examples/iris/iris.csv; done
for name in xor twice near wide setosa versicolor virginica; do accepted $name; done

# Each of these changes makes a certificate false.
forged() {
	sed -E "$2" "$tmp/$1.v" >"$tmp/forged.v"
	! cmp -s "$tmp/$1.v" "$tmp/forged.v"
	! accepted forged >"$tmp/out" 2>&1 || return 1
	grep -qE "$3" "$tmp/out"
}
untrue='Unable to unify "true" with "false"'
