#!/usr/bin/env bash
# examples/train trains, resumes and predicts.
source "$(dirname "$0")/../lib.sh"

cd examples/train
run() { go run . -data ../iris/iris.csv "$@"; }
expect 'accuracy  0\.9667 on the rows held out' run -model onevsrest -keep average -holdout 0.2 -standardise -seed 1 -epochs 50 -save "$tmp/iris.bin"
expect 'epochs    50, numbers 51 to 100 of the model.s' run -load "$tmp/iris.bin" -epochs 50
# shellcheck disable=SC2069 # what is wanted is the error output alone
accuracy() { run -load "$tmp/iris.bin" -predict 2>&1 >/dev/null; }
expect 'accuracy 0\.9333 on 150 rows with a label' accuracy
for pair in 'onevsrest 0\.9067 0\.0596' 'multiclass 0\.9533 0\.0558'; do
	read -r model mean deviation <<<"$pair"
	expect "accuracy  $mean, standard deviation $deviation, over 5 folds" run -model "$model" -keep average -standardise -cv 5 -epochs 50
done
