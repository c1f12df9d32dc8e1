#!/usr/bin/env bash
# The same bits without assembly, where the compiler fuses (GOAMD64=v3); on 386, where an int has 32 bits, and no
# operation is fused; and the stored bits on js/wasm.
source "$(dirname "$0")/../lib.sh"

packages=$(library)
# shellcheck disable=SC2086 # several packages
GOAMD64=v3 place=processor tests -tags purego $packages
if [ -n "$deep" ]; then
	# shellcheck disable=SC2086
	GOAMD64=v3 tests $packages
	# shellcheck disable=SC2086
	tests -tags purego $packages
else
	GOAMD64=v3 tests ./internal/vec # the code around the assembly
fi
GOARCH=386 go build ./...
# shellcheck disable=SC2086
GOARCH=386 place=int32 tests $packages
stored='^(TestGolden|TestFiles|TestWaves)'
if [ -n "$deep" ]; then stored=.; fi
# In some Go releases a write barrier on wasm takes a code address for a pointer and ends the program (golang/go#80472).
# While the world stands still for the whole collection, no such barrier runs; and such an address in an object is not an
# error then.
GODEBUG=gcstoptheworld=1,invalidptr=0 GOOS=js GOARCH=wasm place=bytes tests $short -run "$stored" \
	-exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" . ./tests
