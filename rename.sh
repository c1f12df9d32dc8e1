#!/usr/bin/env bash
# Gives the module another path, for an owner who publishes it under theirs:
#
#	./rename.sh example.com/owner/perceptron
#
# It changes go.mod and the imports in tests and examples. The package keeps its
# name.
set -euo pipefail
cd "$(dirname "$0")"
if [ $# -ne 1 ] || [ -z "$1" ]; then
	echo "usage: $0 module/path" >&2
	exit 2
fi
old=$(go list -m)
go mod edit -module "$1"
# Nested modules name the old path as the first word of a require or replace.
find . -mindepth 2 -name go.mod -exec sed -i -E "s#^(require |replace |\t)$old( |\$)#\1$1\2#" {} +
# An import stands alone on its line, but for an alias.
find . -name '*.go' -exec sed -i -E "s#^(import |\t)([[:alnum:]_.]+ )?\"$old(/[^\"]*)?\"\$#\1\2\"$1\3\"#" {} +
gofmt -w .
echo "the module $old is now $1"
