#!/usr/bin/env bash
# The README's test command. Without data it prints which tests were skipped.
source "$(dirname "$0")/../lib.sh"

if [ -n "${PERCEPTRON_DATA:-}" ]; then
	go test ./...
	exit
fi
go test -v ./... >"$tmp/log" 2>&1 || {
	status=$?
	cat "$tmp/log"
	exit $status
}
grep -E '^ok' "$tmp/log"
echo "skipped, because PERCEPTRON_DATA is not set and ../shared/data is missing:"
grep -e '--- SKIP' "$tmp/log" || echo none
