#!/usr/bin/env bash
# The examples of the main module print what they should.
source "$(dirname "$0")/../lib.sh"

expect 'accuracy on 50 other flowers: 0\.960' go run ./examples/iris
expect 'made 18 mistakes of at most 51' go run ./examples/proof
expect 'the margin γ is in \[1\.848418.*, 1\.848418.*\]' go run ./examples/separable
expect "peak memory of Go's .* MiB of 32.0 MiB, for a file of 256.0 MiB" go run ./examples/outofcore

awk 'BEGIN { for (i = 1; i <= 3000; i++) print i % 3, (i % 3 + 1) ":" 1 + i % 7, "4:0.5" }' >"$tmp/lines.svm"
stream() { go run ./examples/stream -features 4 "$@"; }
expect ' +3000 lines, 3 classes: 0\.99.* predicted right before they were learned' stream <"$tmp/lines.svm"
expect ' +3000 lines, 3 classes: 0\.99.* predicted right before they were learned' stream "$tmp/lines.svm"
expect ' +150 lines, 3 classes: 0\.[0-9]+ of them predicted right before they were learned' go run ./examples/stream -features 4 examples/stream/iris.svm
echo '1 2:3 3:x' >>"$tmp/lines.svm"
# shellcheck disable=SC2069 # what is wanted is the error output alone
bad() { ! stream "$tmp/lines.svm" 2>&1 >/dev/null; }
expect "$tmp/lines.svm: .*: line 3001, column 9: value \"x\", want a finite number" bad
expect ' +[0-9]+ lines: 0\.9[0-9]+ predicted right before they were learned' go run ./examples/text
expect 'in this order it made [0-9]+ in [0-9]+ epochs: Converged' go run ./examples/text -theory 4000

go build -o "$tmp/tagger" ./examples/tagger
tagger() { echo "Anna's friends don't see Vienna." | "$tmp/tagger" "$@"; }
expect "Anna_PROPN 's_PART friends_NOUN do_AUX n't_PART see_VERB Vienna_PROPN \._PUNCT" tagger
tagger -train examples/tagger/sentences.conllu -model "$tmp/tags" >/dev/null
expect "Anna_PROPN 's_PART friends_NOUN do_AUX n't_PART see_VERB Vienna_PROPN \._PUNCT" tagger -model "$tmp/tags"
echo 'no columns' >"$tmp/bad.conllu"
# shellcheck disable=SC2069 # what is wanted is the error output alone
bad() { ! tagger -train "$tmp/bad.conllu" 2>&1 >/dev/null; }
expect 'tagger: .*bad.conllu: line 1 is not CoNLL-U' bad
# shellcheck disable=SC2069
bad() { ! tagger -model "$tmp/bad.conllu" 2>&1 >/dev/null; }
expect 'tagger: .*' bad
