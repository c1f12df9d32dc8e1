#!/usr/bin/env bash
# Format, vet, staticcheck, go.mod, and the names of tests in the documentation.
source "$(dirname "$0")/../lib.sh"

unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
	echo "gofmt would change: $unformatted" >&2
	exit 1
fi
go vet ./...
go vet -tags purego ./...
GOOS=js GOARCH=wasm go -C examples/playground vet .
staticcheck ./...
go mod tidy -diff

# Every promise keeps its test: each test that a page names must exist.
mapfile -t names < <(grep -ohE '\b(Test|Fuzz|Example|Benchmark)[A-Z]\w*' $(git ls-files '*.md' ':!CHANGELOG.md') | sort -u)
[ "${#names[@]}" -gt 0 ]
for name in "${names[@]}"; do
	git grep -q "^func $name(" -- '*_test.go' || {
		echo "the documentation names $name, which no test file declares" >&2
		exit 1
	}
done
