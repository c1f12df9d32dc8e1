#!/usr/bin/env bash
# The same bits on arm64, which has assembly of its own, and on s390x, whose first byte is the highest. .ci/deep runs
# riscv64 too. The compiler fuses on all of them.
source "$(dirname "$0")/../lib.sh"

need qemu-s390x-static qemu-user-static

packages=$(library)
# shellcheck disable=SC2086 # several packages
emulate() { GOARCH=$1 place=processor tests $short -exec "qemu-$2-static" $packages >"$tmp/$1" 2>&1; }

machines=(arm64 s390x)
if [ -n "$deep" ]; then machines+=(riscv64); fi
for machine in "${machines[@]}"; do
	begin emulate "$machine" "${machine/arm64/aarch64}"
done
status=0
for job in "${groups[@]}"; do
	wait "$job" || status=$?
done
(cd "$tmp" && cat "${machines[@]}")
exit $status
