#!/usr/bin/env bash
# Coq checks every theorem, the certificates that perceptron separate writes, and the logs
# that examples/proof writes. It refuses forged ones.
source "$(dirname "$0")/../lib.sh"

need coqc coq
timeout 900 proofs/check

go build -C cmd/perceptron -o "$tmp/perceptron" .
go build -o "$tmp/" ./examples/proof
certificate() { "$tmp/perceptron" separate --coq "$tmp/$1.v" --header "${@:2}" >/dev/null 2>&1; }
log() { "$tmp/proof" -coq "$tmp/$1.v" "${@:2}" >/dev/null; }
accepted() { timeout 300 proofs/verify "$tmp/$1.v"; }

iris=examples/iris/iris.csv
printf '0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
printf '1,a\n1,b\n' >"$tmp/twice.csv"
printf '0.1,1\n0.1000000000000000000001,-1\n' >"$tmp/near.csv"
printf '1e300,1\n1e-300,-1\n-0.0,-1\n' >"$tmp/wide.csv"
for name in xor twice near wide; do certificate $name no "$tmp/$name.csv"; done
for class in setosa versicolor virginica; do certificate $class yes --positive $class "$iris"; done
log and
head -101 "$iris" >"$tmp/two.csv"
log two "$tmp/two.csv"
printf -- '-1,a\n0,b\n1,c\n2.5,d\n' >"$tmp/line.csv"
log line "$tmp/line.csv"
for name in xor twice near wide setosa versicolor virginica and two line; do accepted $name >"$tmp/out"; done
for name in near wide setosa; do grep -q '^Theorem verdict : is_separable' "$tmp/$name.v"; done
for name in xor twice versicolor virginica; do grep -q '^Theorem verdict : ~ is_separable' "$tmp/$name.v"; done
grep -q 'float64_log' "$tmp/and.v"

# Each of these changes makes a file false, and Coq or the form refuses it.
forged() {
	sed -E "$2" "$tmp/$1.v" >"$tmp/forged.v"
	! cmp -s "$tmp/$1.v" "$tmp/forged.v"
	! accepted forged >"$tmp/out" 2>&1 || return 1
	grep -qE "$3" "$tmp/out"
}
false='while it is expected to have type' # Coq: the check does not compute to true
form='neither a certificate nor a log'
forged xor '/line 4 /s/1; 1/1; 2/' "$false"                       # a feature
forged xor '/line 4 /s/false/true/' "$false"                      # a label
forged xor '/line 4 /s/1; 1/1; 1.000000000000000000001/' "$false" # a digit that float64 has not
forged xor '/^Definition λ/s/1; 1\]/1; 2]/' "$false"              # a multiplier
forged xor '/^Definition λ/s/\[1; /[1; 1; /' "$false"             # one multiplier more
forged xor '/^Definition λ/s/\[.*\]/[0; 0; 0; 0]/' "$false"       # none but zeros
forged near 's/Affine/Linear/g' "$false"                          # another space
forged near '/^Definition w/s/\[/[-/' "$false"                    # a weight
forged setosa 's/ rows 0\.7/ rows 0.8/' "$false"                  # the lower bound
forged setosa 's/(rows 0[^ ]*) 0\.7/\1 0.6/' "$false"             # the upper bound
forged setosa 's/mistakes_at_most Affine rows [0-9]+/mistakes_at_most Affine rows 9/' "$false"
forged setosa 's/^Definition w := /Definition is_separable (k : kind) (t : table) := True.\n&/' "$form"
forged setosa 's/^Theorem/Axiom wrong : False.\n&/' "$form"
forged setosa 's/^Open Scope.*/&\nNotation "4.9" := (5.9)%decimal./' "$form"
forged setosa 's/^Proof.*/Proof. Admitted./' "$form"
forged virginica 's/~ is_separable/is_separable/' "$form"
forged virginica '/^Definition λ/s/\[0; /[1; /' "$false"
forged and '/^  \[0; 3\]/s/3/2/' "$false"                 # another row was updated on
forged and '/^  \[0; 3\]/d' "$false"                      # a pass is missing
forged and '/^  \[1\];$/d' "$false"                       # the last pass with a mistake
forged and 's/rows log 18/rows log 17/' "$false"          # the number of mistakes
forged and '/line 4 /s/true/false/' "$false"              # a label
forged and '/line 4 /s/1\]/9007199254740993]/' "$false"   # a number that float64 has not
forged line '/^  \[0; 1; 2; 3\]/s/0; //' "$false"         # an update is missing
forged line 's/Linear 4 rows/Linear 3 rows/' "$false"     # a class less
forged line '/line 2 /s/1%nat/2%nat/' "$false"            # another class
