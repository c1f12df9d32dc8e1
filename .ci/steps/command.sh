#!/usr/bin/env bash
# cmd/perceptron: from a table to predictions, as a user types it; and the same figures as
# scikit-learn's.
source "$(dirname "$0")/../lib.sh"

go build -C cmd/perceptron -o "$tmp/perceptron" .
perceptron() { "$tmp/perceptron" "$@" 2>>"$tmp/notes"; }

iris=examples/iris/iris.csv
expect '30 rows held out: accuracy 0\.9667, macro F1 0\.9666; the most frequent class alone: 0\.3333' perceptron train $iris --holdout 0.2 -o "$tmp/iris.perceptron"
expect "30 rows of $iris that were held out of training: accuracy 0\.9667, macro F1 0\.9666; the most frequent class alone: 0\.3333" perceptron evaluate -m "$tmp/iris.perceptron" $iris
expect 'virginica' perceptron predict -m "$tmp/iris.perceptron" $iris
expect 'epochs +20, numbers 21 to 40 of the model.s' perceptron train $iris -m "$tmp/iris.perceptron" -o "$tmp/iris.perceptron" --epochs 20
expect '  petal length +[0-9.]+' perceptron inspect -m "$tmp/iris.perceptron"
expect 'accuracy  0\.9[0-9]+, standard deviation 0\.0[0-9]+, over 5 folds' perceptron train $iris --cv 5

expect 'the margin γ is in \[1\.848418.*, 1\.848418.*\]' perceptron separate examples/separable/pets.csv
printf 'a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n' >"$tmp/xor.csv"
expect 'proved: no hyperplane separates these numbers' perceptron separate "$tmp/xor.csv"
expect 'proved: separable; .* mistakes, in any order' perceptron separate --positive 0 examples/stream/iris.svm

# A function of the model, and a shell's question.
perceptron export -m "$tmp/iris.perceptron" --as c >"$tmp/iris.c"
cc -std=c99 -Wall -Werror -c -o "$tmp/iris.o" "$tmp/iris.c"
expect '\{"class":"virginica","scores":\{.*' perceptron predict -m "$tmp/iris.perceptron" $iris --json
expect evaluate env COMP_LINE='perceptron eva' COMP_POINT=14 "$tmp/perceptron"
expect '\.TH PERCEPTRON 1 .*' perceptron --man

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

# Text, and LIBSVM files of few features (as a9a) and many (as RCV1), from training to export.
awk -v out="$tmp" 'BEGIN { srand(5)
	print "channel,message,kind" >(out "/sms.csv")
	for (i = 0; i < 1500; i++) {
		spam = rand() < .4; text = ""; n = 3 + int(8 * rand())
		for (k = 0; k < n; k++) text = text (spam && rand() < .15 ? "Prize " : "w" int(2000 * rand() ^ 2) " ")
		print (rand() < .5 ? "web" : "app") ",\"" text "!\"," (spam ? "spam" : "ham") >(out "/sms.csv")
	}
	split("a9a rcv1", names); split("123 40000", width); split("14 60", filled)
	for (f = 1; f <= 2; f++) for (i = 0; i < 2000; i++) {
		j = 0; line = ""; sum = 0; odd = rand() < .5
		for (k = 0; k < filled[f]; k++) {
			j += 1 + int(rand() * (f == 1 ? 15 : 2 + j / 5)) # of many features, most are rare
			if (f == 2 && rand() < .5) j += (j + odd) % 2
			if (j > width[f]) break
			v = f == 1 ? 1 : int(1000 * rand()) / 1000
			line = line " " j ":" v; sum += (f == 1 ? v * sin(j) : j % 2 - .5)
		}
		print (sum + rand() - .5 > 0 ? 1 : -1) line >(out "/" names[f] ".svm")
	} }'
for set in sms.csv a9a.svm rcv1.svm; do
	flags=(--holdout 0.25 --calibrate --seed 3)
	if [ $set = sms.csv ]; then flags+=(--text message); fi
	expect 'features +[0-9]+, sparse.*' perceptron train "$tmp/$set" "${flags[@]}" -o "$tmp/$set.m"
	expect '.*held out of training: accuracy 0\.[89].*' perceptron evaluate -m "$tmp/$set.m" "$tmp/$set"
	expect 'log loss 0\.[0-4].*' perceptron evaluate -m "$tmp/$set.m" "$tmp/$set"
	perceptron predict -m "$tmp/$set.m" "$tmp/$set" >"$tmp/$set.classes"
	perceptron predict -m "$tmp/$set.m" "$tmp/$set" --probabilities | tail -n +2 | cut -d, -f1 | cmp - "$tmp/$set.classes"
	perceptron export -m "$tmp/$set.m" -o "$tmp/$set.json"
	begin "$tmp/perceptron" serve -m "$tmp/$set.m" --address 127.0.0.1:0 --probabilities --readonly >"$tmp/url" 2>>"$tmp/notes"
	await "$job" test -s "$tmp/url"
	row='["1:1 7:0.5"]'
	if [ $set = sms.csv ]; then row='{"channel": "web", "message": "A prize"}'; fi
	expect '.*"probabilities":\{".*' curl -sS -d "{\"row\": $row}" "$(sed 's/.* on //' "$tmp/url")/predict"
	end "$job"
done
$python cmd/perceptron/testdata/reader.py "$tmp/sms.csv.json" "$tmp/sms.csv" | cmp - "$tmp/sms.csv.classes"
