#!/usr/bin/env bash
# Another module runs the README's first program: by replace, vendored, and in a
# workspace.
source "$(dirname "$0")/../lib.sh"

copy "$tmp/perceptron"
program "$tmp/program" "$tmp/perceptron"
cd "$tmp/program"
expect versicolor go run .
go mod vendor
expect versicolor go run -mod=vendor .
rm -r vendor
go mod edit -droprequire perceptron -dropreplace perceptron
go work init . "$tmp/perceptron"
expect versicolor go run .
