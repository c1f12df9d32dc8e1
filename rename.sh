#!/usr/bin/env bash
# Gives the module another path, for an owner who publishes it under theirs:
#
#	./rename.sh example.com/owner/perceptron
#
# It changes the imports in Go files, the module path in the documentation, and go.mod
# last. The package keeps its name.
set -euo pipefail
cd "$(dirname "$0")"
if [ $# -ne 1 ] || [ -z "$1" ]; then
	echo "usage: $0 module/path" >&2
	exit 2
fi
export GOWORK=off
OLD=$(go list -m) NEW=$1
export OLD NEW
# An import stands alone on its line, except for an alias.
# shellcheck disable=SC2016 # Perl expands the variables
import='s{^(import |\t)([\w.]+ )?"\Q$ENV{OLD}\E(/[^"]*)?"$}{$1.($2//"").qq("$ENV{NEW}).($3//"").qq(")}e'
find . -name '*.go' -exec perl -pi -e "$import" {} +
gofmt -w .
# In the documentation the path also follows require, replace and go doc.
find . -name '*.md' -exec perl -pi -e "$import;"'s{((?:require|replace|go doc(?: -\w+)*) )\Q$ENV{OLD}\E(?=[\s@=`]|$)}{$1$ENV{NEW}}g' {} +
# Nested modules name the old path in their own, which is below it, and as the first
# word of a require or replace.
find . -mindepth 2 -name go.mod -exec perl -pi -e 's{^(module |require |replace |\t)\Q$ENV{OLD}\E(/\S*)?( |$)}{$1$ENV{NEW}@{[$2//""]}$3}' {} +
go mod edit -module "$NEW"
echo "the module $OLD is now $NEW"
