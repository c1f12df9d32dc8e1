//go:build !purego

package vec

// A version is an implementation of the kernels. All versions give the same bits.
type version uint8

const (
	generic version = iota
	avx2
	avx512
)

// kernel is the widest version that the machine supports. Tests change it.
var kernel = widest()

// widest returns the widest version that both the processor and the operating system
// support: CPUID lists the instructions, XCR0 the registers that the system saves.
func widest() version {
	const osxsave = 1 << 27
	if last, _, _, _ := cpuid(0, 0); last < 7 {
		return generic
	}
	_, _, ecx1, _ := cpuid(1, 0)
	if ecx1&osxsave == 0 {
		return generic
	}
	_, ebx7, _, _ := cpuid(7, 0)
	return usable(ecx1, ebx7, xgetbv())
}

// usable returns the widest version that these registers permit: ECX of CPUID's leaf 1, EBX of its
// leaf 7, and XCR0.
func usable(ecx1, ebx7, xcr0 uint32) version {
	const (
		avx     = 1 << 28 // leaf 1
		fma     = 1 << 12
		avx2Bit = 1 << 5 // leaf 7
		avx512F = 1 << 16
		ymm     = 0x06 // XCR0: XMM and YMM
		zmm     = 0xe6 // and the masks, and ZMM
	)
	switch {
	case ecx1&avx == 0 || ecx1&fma == 0 || ebx7&avx2Bit == 0 || xcr0&ymm != ymm:
		return generic
	case ebx7&avx512F == 0 || xcr0&zmm != zmm:
		return avx2
	}
	return avx512
}

// fetchMode selects how kernels request rows from memory before they need them. The fastest mode
// depends on the processor, because some processors drop a request while too many others are pending.
// In every mode, a dot product requests the lines after the last 32nd element three times. Tests
// change fetchMode.
var fetchMode = fetching(processor())

const (
	thrice  = iota // request a row's pages, and then each of its cache lines three times
	once           // request the pages, and then each line once
	inOrder        // request each line once, no pages; a block first reads its own rows in memory order
)

// fetching returns the fastest mode for a processor with this vendor and signature (see processor).
// The times of the modes were measured, as multiples of the time of thrice. On AMD's Zen 3, once takes
// 1.06 and inOrder 1.12. On Zen 4 both take 1.2 to 1.7. On Zen 5, inOrder takes .78 to .99. On Intel's
// Xeons, once takes .64 to .98.
func fetching(vendor, signature uint32) uint8 {
	const amd, zen5 = 0x68747541, 26 // "Auth" of "AuthenticAMD", and the family of Zen 5
	switch family := signature>>8&15 + signature>>20&255; {
	case vendor != amd:
		return once
	case family < zen5:
		return thrice
	}
	return inOrder
}

// processor returns the first four letters of the vendor's name, and the signature, which encodes the
// family, model and stepping.
func processor() (vendor, signature uint32) {
	_, vendor, _, _ = cpuid(0, 0)
	signature, _, _, _ = cpuid(1, 0)
	return vendor, signature
}

// cpuid executes CPUID with EAX = leaf and ECX = sub.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of XCR0.
func xgetbv() uint32
