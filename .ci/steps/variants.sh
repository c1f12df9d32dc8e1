#!/usr/bin/env bash
# The same bits without assembly, with GOAMD64=v3, where the compiler may fuse, on 386, where an int has 32 bits,
# and the stored bits on js/wasm.
source "$(dirname "$0")/../lib.sh"

packages=$(library)
# shellcheck disable=SC2086 # several packages
place=processor tests -tags purego $packages
# shellcheck disable=SC2086
GOAMD64=v3 place=processor tests $packages
GOARCH=386 place=int32 tests ./...
stored='^(TestGolden|TestFiles|TestWaves)'
if [ -n "$deep" ]; then stored=.; fi
# In some Go releases a write barrier on wasm takes a code address for a pointer and ends the program (golang/go#80472).
# While the world stands still for the whole collection, no such barrier runs.
GODEBUG=gcstoptheworld=1 GOOS=js GOARCH=wasm place=processor tests $short -run "$stored" \
	-exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" . ./tests
