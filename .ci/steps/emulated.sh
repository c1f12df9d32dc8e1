#!/usr/bin/env bash
# The same bits on arm64, which has assembly of its own and fuses most operations, and on s390x, whose first byte is the
# highest. .ci/deep runs riscv64 too.
source "$(dirname "$0")/../lib.sh"

need qemu-s390x-static qemu-user-static

packages=$(library)
# shellcheck disable=SC2086 # several packages
emulate() { GOARCH=$1 place=$2 tests $short -exec "qemu-${1/arm64/aarch64}-static" "${@:3}" >"$tmp/$1" 2>&1; }

bytes=$packages
if [ -z "$deep" ]; then bytes=$(grep -vE '/(vec|hull|tests)$' <<<"$packages"); fi # these three know no bytes
# shellcheck disable=SC2086
begin emulate arm64 processor $packages
# shellcheck disable=SC2086
begin emulate s390x bytes $bytes
machines=(arm64 s390x)
if [ -n "$deep" ]; then
	# shellcheck disable=SC2086
	begin emulate riscv64 processor $packages
	machines+=(riscv64)
fi
status=0
for job in "${groups[@]}"; do
	wait "$job" || status=$?
done
(cd "$tmp" && cat "${machines[@]}")
exit $status
