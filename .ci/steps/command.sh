#!/usr/bin/env bash
# cmd/perceptron: from a table to predictions, as a user types it; the same figures as
# scikit-learn's; and files of any size in little memory.
source "$(dirname "$0")/../lib.sh"

go build -C cmd/perceptron -o "$tmp/perceptron" .
perceptron() { "$tmp/perceptron" "$@" 2>>"$tmp/notes"; }

iris=examples/iris/iris.csv
expect '30 rows held out: accuracy 0\.9667, macro F1 0\.9666' perceptron train $iris --holdout 0.2 -o "$tmp/iris.perceptron"
expect "30 rows of $iris that were held out of training: accuracy 0\.9667, macro F1 0\.9666" perceptron evaluate -m "$tmp/iris.perceptron" $iris
expect 'virginica' perceptron predict -m "$tmp/iris.perceptron" $iris
expect 'epochs +20, numbers 21 to 40 of the model.s' perceptron train $iris -m "$tmp/iris.perceptron" -o "$tmp/iris.perceptron" --epochs 20
expect '  petal length +[0-9.]+' perceptron inspect -m "$tmp/iris.perceptron"
expect 'accuracy  0\.9[0-9]+, standard deviation 0\.0[0-9]+, over 5 folds' perceptron train $iris --cv 5

expect 'the margin γ is in \[1\.848418.*, 1\.848418.*\]' perceptron separate examples/separable/pets.csv
printf 'a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
expect 'proved: no hyperplane separates these numbers' perceptron separate "$tmp/xor.csv"
expect 'proved: separable; .* mistakes, in any order' perceptron separate --positive 0 examples/stream/iris.svm

# The exit status of the process.
status() {
	local got=0
	"$tmp/perceptron" "${@:2}" >"$tmp/out" 2>&1 || got=$?
	[ "$got" = "$1" ] || { echo "status $got, want $1: ${*:2}" >&2; cat "$tmp/out" >&2; return 1; }
}
status 1 train "$tmp/none.csv"
status 2 train $iris --epoch 3
status 2 train $iris -o $iris

# scikit-learn computes the same figures from the same predictions.
python=/usr/bin/python3 # Debian's, which has its packages
$python -c 'import sklearn' 2>/dev/null || need sklearn python3-sklearn
awk 'BEGIN { srand(3); print "a,b,c,y"
	for (i = 0; i < 3000; i++) { a = rand(); b = rand(); c = int(5 * rand())
		print a "," 1000 * b "," c "," (a + b + c / 9 + rand() / 2 > 1.6 ? "up" : "down") } }' >"$tmp/cloud.csv"
perceptron train "$tmp/cloud.csv" --epochs 3 -o "$tmp/cloud.perceptron" >/dev/null
$python cmd/perceptron/testdata/metrics.py "$tmp/perceptron" "$tmp/cloud.perceptron" "$tmp/cloud.csv"
$python cmd/perceptron/testdata/metrics.py "$tmp/perceptron" "$tmp/iris.perceptron" $iris
if [ -n "${PERCEPTRON_DATA:-}" ]; then
	perceptron train "$PERCEPTRON_DATA/letter.csv.gz" --epochs 5 -o "$tmp/letter.perceptron" >/dev/null
	gzip -dc "$PERCEPTRON_DATA/letter.csv.gz" >"$tmp/letter.csv"
	$python cmd/perceptron/testdata/metrics.py "$tmp/perceptron" "$tmp/letter.perceptron" "$tmp/letter.csv"
fi

# 320 MB of rows in less than 32 MiB, and in less than 16.
cd cmd/perceptron
PERCEPTRON_LONG=320 tests -run '^TestMemory$' .
