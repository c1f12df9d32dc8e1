#!/usr/bin/env bash
# Format, vet, staticcheck, go.mod, and the names of tests in the documentation and in .ci/slow.
source "$(dirname "$0")/../lib.sh"

unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
	echo "gofmt would change: $unformatted" >&2
	exit 1
fi
go vet ./...
go vet -tags purego ./...
GOARCH=arm64 go vet ./internal/vec # its assembly
if git grep -q '^//go:build.*js' -- examples/playground; then GOOS=js GOARCH=wasm go -C examples/playground vet .; fi
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

# Each test in .ci/slow exists, and runs on other processors if it compares stored bits.
while read -r pattern places; do
	git grep -hW -P "^func ${pattern%/*}\(" -- '*_test.go' >"$tmp/found" || {
		echo ".ci/slow names ${pattern%/*}, which no test file declares" >&2
		exit 1
	}
	for place in processor bytes; do
		if [[ $pattern != */* && " $places " != *" $place "* ]] && grep -nE 'golden|savedFiles|0x[0-9a-f]{9,}|flag\.Bool' "$tmp/found"; then
			echo ".ci/slow keeps $pattern from the place $place, but it compares stored bits" >&2
			exit 1
		fi
	done
done < <(slow)
echo "${#names[@]} tests named in the documentation and $(slow | wc -l) entries of .ci/slow exist"
