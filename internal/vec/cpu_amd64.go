//go:build !purego

package vec

// A form is an implementation of the kernels. All forms give the same bits.
type form uint8

const (
	generic form = iota
	avx2
	avx512
)

// kernel is the widest form that the machine supports. Tests change it.
var kernel = widest()

// widest returns the widest form that both the processor and the operating system
// support: CPUID lists the instructions, XCR0 the registers that the system saves.
func widest() form {
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

// usable returns the widest form for CPUID's leaf 1, ECX, and leaf 7, EBX, and XCR0.
func usable(ecx1, ebx7, xcr0 uint32) form {
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

// fetchMode says how kernels request rows from memory before they need them. Which way is fastest
// depends on the processor: some drop requests while too many others wait. Tests change it.
var fetchMode = fetching(processor())

const (
	thrice  = iota // requests a row's pages, and then each of its cache lines three times
	once           // requests the pages, and then each line once
	inOrder        // requests each line once, and reads rows in the order of memory at first
)

// fetching returns the fastest mode for a processor, from what CPUID says about it. These times were
// measured, as multiples of the time of thrice. On AMD's Zen 3, once takes 1.06 and inOrder 1.12. On
// Zen 4 both take 1.2 to 1.7. On Zen 5, inOrder takes .78 to .99. On Intel's Xeons, once takes .64
// to .98.
func fetching(vendor, signature uint32) uint8 {
	const amd, zen5 = 0x68747541, 26 // "Auth", and a family
	switch family := signature>>8&15 + signature>>20&255; {
	case vendor != amd:
		return once
	case family < zen5:
		return thrice
	}
	return inOrder
}

// processor returns the beginning of the vendor's name, and the family, model and stepping.
func processor() (vendor, signature uint32) {
	_, vendor, _, _ = cpuid(0, 0)
	signature, _, _, _ = cpuid(1, 0)
	return vendor, signature
}

// cpuid executes CPUID with EAX = leaf and ECX = sub.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of XCR0.
func xgetbv() uint32
