#!/usr/bin/env bash
# Gives the module another path, for an owner who publishes it under theirs:
#
#	./rename.sh example.com/owner/perceptron
#
# It changes the imports in tests and examples, and go.mod last. The package
# keeps its name.
set -euo pipefail
cd "$(dirname "$0")"
if [ $# -ne 1 ] || [ -z "$1" ]; then
	echo "usage: $0 module/path" >&2
	exit 2
fi
export GOWORK=off
OLD=$(go list -m) NEW=$1
export OLD NEW
# An import stands alone on its line, but for an alias.
find . -name '*.go' -exec perl -pi -e 's{^(import |\t)([\w.]+ )?"\Q$ENV{OLD}\E(/[^"]*)?"$}{$1.($2//"").qq("$ENV{NEW}).($3//"").qq(")}e' {} +
gofmt -w .
# Nested modules name the old path in their own, which lies under it, and as the
# first word of a require or replace.
find . -mindepth 2 -name go.mod -exec perl -pi -e 's{^(module |require |replace |\t)\Q$ENV{OLD}\E(/\S*)?( |$)}{$1$ENV{NEW}@{[$2//""]}$3}' {} +
go mod edit -module "$NEW"
echo "the module $OLD is now $NEW"
