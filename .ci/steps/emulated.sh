#!/usr/bin/env bash
# The same bits on arm64, s390x and riscv64, emulated.
source "$(dirname "$0")/../lib.sh"

need qemu-s390x-static qemu-user-static

emulate() {
	GOARCH=$1 tests -timeout 30m -skip "$widest" -exec "qemu-$2-static" . ./internal/... >"$tmp/$1" 2>&1 || {
		local status=$?
		cat "$tmp/$1"
		return $status
	}
}

begin emulate arm64 aarch64
begin emulate s390x s390x
begin emulate riscv64 riscv64
for _ in "${groups[@]}"; do
	wait -n
done
cat "$tmp"/{arm64,s390x,riscv64}
