#!/usr/bin/env bash
# Coq checks every theorem, and the certificates and logs that perceptron separate and
# perceptron log write. It refuses forged ones.
source "$(dirname "$0")/../lib.sh"

need coqc coq
timeout 900 proofs/check
diff proofs/files.svg <(proofs/picture) # proofs/picture >proofs/files.svg draws it again

go build -C cmd/perceptron -o "$tmp/perceptron" .
certificate() { "$tmp/perceptron" separate --coq "$tmp/$1.v" --header "${@:2}" >/dev/null 2>&1; }
log() { "$tmp/perceptron" log "$tmp/$1.csv" -o "$tmp/$1.v" --header "$2" >/dev/null; }
accepted() { proofs/verify "$tmp/$1.v" "${@:2}"; }

iris=examples/iris/iris.csv
printf '0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
printf '1,a\n1,b\n' >"$tmp/twice.csv"
printf '0.1,1\n0.1000000000000000000001,-1\n' >"$tmp/near.csv"
printf '1e300,1\n1e-300,-1\n-0.0,-1\n' >"$tmp/wide.csv"
printf '\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/three.csv" # without line 1 of xor.csv
printf '1,0,0,no\n1,0,1,no\n1,1,0,no\n1,1,1,yes\n' >"$tmp/ones.csv"
cut -d, -f2- "$tmp/ones.csv" >"$tmp/bare.csv" # without the column of ones
for name in xor twice near wide three ones; do certificate $name no "$tmp/$name.csv"; done
for class in setosa versicolor virginica; do certificate $class yes --positive $class "$iris"; done
printf '0,0,no\n0,1,no\n1,0,no\n1,1,yes\n' >"$tmp/and.csv"
log and no
head -101 "$iris" >"$tmp/two.csv"
log two yes
printf -- '-1,a\n0,b\n1,c\n2.5,d\n' >"$tmp/line.csv"
log line no
for name in xor twice near wide setosa versicolor virginica and two line; do accepted $name >"$tmp/out"; done
for name in near wide setosa; do grep -q '^Theorem verdict : is_separable' "$tmp/$name.v"; done
for name in xor twice versicolor virginica; do grep -q '^Theorem verdict : ~ is_separable' "$tmp/$name.v"; done
grep -q 'float64_log' "$tmp/and.v"

# The verdict is in English, from the statement.
accepted setosa "$iris" >"$tmp/out"
grep -qx 'These 150 rows are separable by a hyperplane with a bias (Affine). γ is in \[0.749[0-9]*, 0.749[0-9]*\].' "$tmp/out"
accepted xor >"$tmp/out"
grep -qx 'No hyperplane with a bias (Affine) separates these 4 rows.' "$tmp/out"
accepted line >"$tmp/out"
grep -q "^Kesler's construction with 4 classes, .* makes 34 mistakes$" "$tmp/out"

# The rows are those of the data.
for name in near wide three; do accepted $name "$tmp/$name.csv" >"$tmp/out"; done
for class in setosa versicolor; do accepted $class "$iris" species >"$tmp/out"; done
for name in two line; do accepted $name "$tmp/$name.csv" >"$tmp/out"; done

# A log has one number of mistakes: this one has two.
cat >"$tmp/count.v" <<-'EOF'
	From Perceptron Require Import Log.
	Definition rows : table := [([1; 0], true); ([0; 1], true); ([1; 1], true)]%decimal.
	Definition log : list (list Z) := [[0; 1]; []]%Z.
	Theorem two : online_log Linear rows log 2.
	Proof. apply online_log_sound. vm_cast_no_check (eq_refl true). Qed.
	Theorem not_one : ~ online_log Linear rows log 1.
	Proof. intros one. discriminate (online_log_number _ _ _ _ _ two one). Qed.
EOF
coqc -R proofs Perceptron "$tmp/count.v"
sed 's/rows log 2/rows log 1/' "$tmp/count.v" >"$tmp/wrong.v"
if coqc -R proofs Perceptron "$tmp/wrong.v" 2>/dev/null; then
	echo "a log of two mistakes has one" >&2
	exit 1
fi

# Every log that is written for random decimals is accepted; all are in one file for Coq.
logs=0
for seed in {1..40}; do
	awk -v seed="$seed" 'BEGIN {
		srand(seed); n = 2 + int(6 * rand()); d = 1 + int(3 * rand()); k = 2 + int(2 * rand())
		for (i = 0; i < n; i++) {
			for (j = 0; j < d; j++) printf "%.*f,", 1 + seed % 2, 4 * rand() - 2
			print "c" (i < k ? i : int(k * rand()))
		}
	}' >"$tmp/random.csv"
	log random no 2>"$tmp/errors" || {
		grep -qE 'rounding changed a decision|without a mistake' "$tmp/errors"
		continue
	}
	logs=$((logs + 1))
	echo "Module M$seed."
	grep -vE '^(From|Print)' "$tmp/random.v"
	echo "End M$seed."
done >"$tmp/modules"
((logs >= 10))
cat - "$tmp/modules" >"$tmp/logs.v" <<<'From Perceptron Require Import Log ClassLog.'
coqc -R proofs Perceptron "$tmp/logs.v"

# Each of these changes makes a file false, and Coq or the form refuses it.
forged() {
	sed -E "$2" "$tmp/$1.v" >"$tmp/forged.v"
	! cmp -s "$tmp/$1.v" "$tmp/forged.v"
	! accepted forged "${@:4}" >"$tmp/out" 2>&1 || return 1
	grep -qE "$3" "$tmp/out"
}
# deep_forged leaves a change to .ci/deep: Coq computes on it as on one of the others, with other numbers.
left=0
deep_forged() {
	if [ -n "$deep" ]; then
		forged "$@"
	else
		left=$((left + 1))
	fi
}
false='while it is expected to have type' # Coq: the check does not compute to true
form='neither a certificate nor a log'
forged xor '/line 4 /s/1; 1/1; 2/' "$false"                       # a feature
forged xor '/line 4 /s/false/true/' "$false"                      # a label
forged xor '/line 4 /s/1; 1/1; 1.000000000000000000001/' "$false" # a digit that float64 has not
forged xor '/^Definition λ/s/1; 1\]/1; 2]/' "$false"              # a multiplier
deep_forged xor '/^Definition λ/s/\[1; /[1; 1; /' "$false"             # one multiplier more
deep_forged xor '/^Definition λ/s/\[.*\]/[0; 0; 0; 0]/' "$false"       # none but zeros
forged near 's/Affine/Linear/g' "$false"                          # another space
forged near '/^Definition w/s/\[/[-/' "$false"                    # a weight
forged setosa 's/ rows 0\.7/ rows 0.8/' "$false"                  # the lower bound
deep_forged setosa 's/(rows 0[^ ]*) 0\.7/\1 0.6/' "$false"             # the upper bound
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
deep_forged and '/line 4 /s/true/false/' "$false"              # a label
forged and '/line 4 /s/1\]/9007199254740993]/' "$false"   # a number that float64 has not
forged line '/^  \[0; 1; 2; 3\]/s/0; //' "$false"         # an update is missing
deep_forged line 's/Linear 4 rows/Linear 3 rows/' "$false"     # a class less
forged line '/line 2 /s/1%nat/2%nat/' "$false"            # another class
deep_forged and 's/rows log 18/rows log 19/g' "$false"         # a mistake more
deep_forged and 's/Linear/Affine/g' "$false"                   # another space
forged and '/^  \[0; 3\]/s/0; 3/3; 0/' "$false"           # another order
deep_forged and '/^  \[0; 3\]/s/0; 3/0; 7/' "$false"           # a row that does not exist
deep_forged line 's/Linear 4 rows log [0-9]+/Linear 4 rows log 1/' "$false"
deep_forged line '/line 4 /s/2\.5/-2.5/' "$false"              # a feature
deep_forged wide 's/ rows [0-9.e-]+ ([0-9.e-]+) / rows 0 \1 /' "$false" # a margin of 0
deep_forged near '/^Definition w/s/\[.*\]/[0; 0]/' "$false"    # no hyperplane
deep_forged virginica '/^Definition λ/s/\[0; /[-1; /' "$false" # a multiplier below 0
forged virginica 's/^Print Assumptions.*//' "$form"       # the list of axioms
forged two 's/^Theorem/Theorem other : True. Proof. easy. Qed.\n&/' "$form"
# The verdict is true of these rows, but they are not rows as they should be, or not those
# of the data.
forged xor '/line 4 /s/1; 1/1e2000; 1/' 'exponent of 1e2000 is beyond'
forged xor '/line 4 /s/1; 1/1/' 'line 4 has 1 features, the first row 2'
forged xor '/line 4 /s/line 4/line 2/' 'the row of line 2 follows that of line 3'
forged versicolor '/line 2 /s/5\.1/5.2/' 'line 2: field 1 is 5\.1 in' "$iris"
forged versicolor '/line 2 /s/false/true/' 'label setosa is [+]1 on line 2, and -1 on line 3' "$iris"
forged versicolor '/line 80 /s/true/false/' 'label versicolor is [+]1 on line 79, and -1 on line 80' "$iris"
forged versicolor '/line 2 /d; /^Definition λ/s/\[0; /[/' 'line 3: field|line 2 of .* is not in' "$iris"
forged versicolor 's/line 151 /line 152 /' 'line 151 of .* is not in' "$iris"
forged line '/line 1 /s/-1\]/-1.5]/' 'line 1: field 1 is -1 in' "$tmp/line.csv"
forged three 's/ rows 0\.2/ rows 0.1/' 'line 1 of .* is not in' "$tmp/xor.csv"
forged ones 's/ rows 0\.2/ rows 0.1/' 'has 3 features, and .* has 2' "$tmp/bare.csv"
forged line 's/Linear 4 rows/Linear 5 rows/' 'has 5 classes, and .* has 4' "$tmp/line.csv"
forged two '/line 9 /s/true|false/true/' 'label .* is|[+]1 is label' "$tmp/two.csv"
# Coq reads 0, 00 and 000 as one class. A first line with a number is a row, mistyped or not.
forged line '/line 2 /s/1%nat/01%nat/' "$form"
printf 'O,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/typed.csv"
forged three 's/ rows 0\.2/ rows 0.1/' 'line 1 of .* is not in' "$tmp/typed.csv"
forged xor 's/ FILE DATA$/ FILE/' "$form"                        # a head that asks for no data
deep_forged setosa '/^Definition λ/s/\[/[0; /' "$false"               # multipliers one row further
deep_forged setosa 's/ rows 0\.7([0-9]*) 0\.7/ rows 0.7\1 -0.7/' "$false"
forged xor '/line 4 /s/line 4/line 04/' "$form"
forged and 's/rows log 18 /rows log 018 /' "$form"
forged line 's/Linear 4 rows/Linear 04 rows/' "$form"
forged setosa 's/^Print.*/&\n&/' "$form"                         # a line twice
forged line 's/^Definition rows : class_table/Definition rows : table/' "$form"
# A tool may stop at a NUL, where Coq reads on. Names of the forms are no numbers.
forged near 's/^Open Scope.*/&\x00Axiom wrong : False./' 'has a character that'
forged near 's/^Definition rows/\xef\xbb\xbf&/' 'has a character that'
forged xor 's/$/\r/' 'has a character that'
forged setosa 's/ rows 0\.[0-9]+ 0\.[0-9]+ / rows LOWER UPPER /' 'Coq rejects'
forged near 's/(Definition λ := \[)1/\101/' "$form"
forged and 's/^  \[0; 3\]/  [00; 3]/' "$form"
forged and 's/^  \[0; 3\];/  [0; 0; 3];/; s/log 18/log 19/' "$false" # a row twice
deep_forged and 's/^  \[0; 3\]/  [0; 18446744073709551619]/' "$false"    # 3 in 64 bits
forged near 's/\[0\.1\]/[0.1000000000000000000001]/' "$false"       # one row with two labels
forged line '/line 4 /s/3%nat/4%nat/' "$false"                      # a class beyond the last
# The bounds of setosa cannot be better by one in the last place.
read -r lower upper < <(sed -nE 's/.* rows (0\.[0-9]+) (0\.[0-9]+) .*/\1 \2/p' "$tmp/setosa.v")
most=$(sed -nE 's/.*mistakes_at_most Affine rows ([0-9]+)\..*/\1/p' "$tmp/setosa.v")
[[ $lower == *[0-8] && $upper == *[1-9] ]]
forged setosa "s/ $lower / ${lower%?}$((${lower: -1} + 1)) /" "$false"
forged setosa "s/ $upper / ${upper%?}$((${upper: -1} - 1)) /" "$false"
forged setosa "s/ rows $most\\./ rows $((most - 1))./" "$false"

# Other data is refused.
refused() {
	! accepted "$1" "$2" >"$tmp/out" 2>&1 || return 1
	grep -qE "$3" "$tmp/out"
}
for first in 'NaN,-inf,no' '"0","+0",no' ' .0 , 0e9 ,no'; do # no names
	cat <(echo "$first") <(tail -3 "$tmp/xor.csv") >"$tmp/first.csv"
	refused three "$tmp/first.csv" 'line 1 of .* is not in'
done
sed '9s/setosa/versicolor/; 60s/versicolor/setosa/' "$tmp/two.csv" >"$tmp/labels.csv"
refused two "$tmp/labels.csv" 'label .* is [+-]1 on line'
sed '5{h;d};6G' "$tmp/two.csv" >"$tmp/order.csv"
refused two "$tmp/order.csv" 'line 5: field'

# Theorems that changed since they were compiled prove nothing.
mkdir "$tmp/stale"
cp -pr proofs/. "$tmp/stale"
"$tmp/stale/verify" "$tmp/xor.v" >"$tmp/out"
touch -d '+1 minute' "$tmp/stale/Certificate.v"
if "$tmp/stale/verify" "$tmp/xor.v" 2>"$tmp/out"; then exit 1; fi
grep -q 'has changed since it was compiled' "$tmp/out"

if ((left > 0)); then echo "$left forged files are left to .ci/deep"; fi
