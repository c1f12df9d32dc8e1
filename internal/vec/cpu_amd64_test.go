//go:build !purego

package vec

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestUsable: no version uses registers that the operating system does not save.
func TestUsable(t *testing.T) {
	const (
		avxOnly, avxBit  = 1 << 28, 1<<28 | 1<<12 // and FMA
		avx2Bit, avx512F = 1 << 5, 1 << 16
	)
	for _, c := range []struct {
		ecx1, ebx7, xcr0 uint32
		want             version
	}{
		{avxBit, avx2Bit | avx512F, 0xe7, avx512},
		{avxBit, avx2Bit | avx512F, 0x67, avx2}, // no upper ZMM
		{avxBit, avx2Bit | avx512F, 0xa7, avx2}, // no lower ZMM's upper half
		{avxBit, avx2Bit | avx512F, 0xc7, avx2}, // no masks
		{avxBit, avx2Bit | avx512F, 0x07, avx2},
		{avxBit, avx2Bit | avx512F, 0xe3, generic}, // no YMM
		{avxBit, avx2Bit | avx512F, 0xe5, generic}, // no XMM
		{avxBit, avx2Bit, 0xe7, avx2},
		{avxBit, avx2Bit, 0x07, avx2},
		{avxBit, avx2Bit, 0x03, generic},
		{avxBit, avx512F, 0xe7, generic},
		{avxBit, 0, 0xe7, generic},
		{0, avx2Bit | avx512F, 0xe7, generic},
		{avxOnly, avx2Bit | avx512F, 0xe7, generic},
		{^uint32(avxOnly), avx2Bit | avx512F, 0xe7, generic},
		{^uint32(0), ^uint32(0), ^uint32(0), avx512},
	} {
		if got := usable(c.ecx1, c.ebx7, c.xcr0); got != c.want {
			t.Errorf("CPUID 1 ECX %#x, 7 EBX %#x, XCR0 %#x: version %d, want %d", c.ecx1, c.ebx7, c.xcr0, got, c.want)
		}
	}
}

// TestFetching: the families as vendors document them.
func TestFetching(t *testing.T) {
	const amd, intel = 0x68747541, 0x756e6547
	for _, c := range []struct {
		vendor, signature uint32
		want              uint8
	}{
		{amd, 0x00800f12, thrice},  // Zen
		{amd, 0x00a00f11, thrice},  // Zen 3
		{amd, 0x00a10f11, thrice},  // Zen 4
		{amd, 0x00b00f21, inOrder}, // Zen 5
		{amd, 0x00b40f40, inOrder},
		{intel, 0x00050657, once}, // Cascade Lake
		{intel, 0x000a0671, once}, // Rocket Lake
		{intel, 0x00b00f21, once},
	} {
		if got := fetching(c.vendor, c.signature); got != c.want {
			t.Errorf("vendor %#x, signature %#x: %d, want %d", c.vendor, c.signature, got, c.want)
		}
	}
}

// TestWidest compares the version with the instructions that Linux lists. Linux lists
// only those whose registers it saves.
func TestWidest(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("no /proc/cpuinfo to compare with")
	}
	_, after, found := strings.Cut(string(text), "\nflags")
	flags, _, _ := strings.Cut(after, "\n")
	if !found {
		t.Skip("/proc/cpuinfo has no flags")
	}
	want, has := generic, strings.Fields(flags)
	if slices.Contains(has, "avx2") && slices.Contains(has, "fma") {
		if want = avx2; slices.Contains(has, "avx512f") {
			want = avx512
		}
	}
	if got := widest(); got != want {
		t.Errorf("version %d, want %d, of the flags %v", got, want, has)
	}
}
