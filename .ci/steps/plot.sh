#!/usr/bin/env bash
# perceptron plot, which the build has with the tag plot only: it draws the pictures of the
# documentation, and they are those in docs.
source "$(dirname "$0")/../lib.sh"

cd cmd/perceptron
go vet -tags plot ./...
staticcheck -tags plot ./...

heavy='gonum|go-fonts|go-latex|go-pdf|freetype|svgo|x/image'
if go list -deps . | grep -E "$heavy"; then
	echo "the build without the tag plot has these packages" >&2
	exit 1
fi
go list -tags plot -deps . | grep -E "$heavy" >"$tmp/heavy" # so the check above is not vacuous
go build -o "$tmp/perceptron" .
status=0
"$tmp/perceptron" plot regions "$tmp/none.csv" -o "$tmp/none.png" 2>"$tmp/error" || status=$?
expect 'perceptron: this build cannot draw; go build .* -tags plot .*' cat "$tmp/error"
[ "$status" = 2 ]

go build -tags plot -o "$tmp/perceptron" .
plot() { "$tmp/perceptron" plot "$@" 2>>"$tmp/notes"; }
iris=../../examples/iris/iris.csv
expect '.*\.png: How mistakes move the line, the first 6 of 19: clouds\.csv' plot updates testdata/clouds.csv -o "$tmp/updates.png"
expect '.*\.png: The largest γ .*: clouds\.csv' plot margins testdata/clouds.csv -o "$tmp/margins.png"
"$tmp/perceptron" train $iris --columns 'petal length,petal width' --epochs 100 -o "$tmp/petals.perceptron" >/dev/null 2>>"$tmp/notes"
expect '.*\.png: What multiclass predicts: iris\.csv, 144 of 150 training rows right' \
	plot regions $iris -m "$tmp/petals.perceptron" -o "$tmp/regions.png"
expect '.*\.svg: Novikoff’s theorem: iris\.csv' plot bound $iris --positive setosa -o "$tmp/bound.svg"
"$tmp/perceptron" train $iris --holdout 0.2 -o "$tmp/iris.perceptron" >/dev/null 2>>"$tmp/notes"
expect '.*\.svg: Scores of multiclass: iris\.csv, 30 rows held out' plot roc $iris -m "$tmp/iris.perceptron" -o "$tmp/roc.svg"
tests -tags plot -run '^TestPlot' .
