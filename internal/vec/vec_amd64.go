//go:build !purego

package vec

import (
	"math"
	"unsafe"
)

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

// fetchMode is how rows come from memory. Processors differ most in this: one may drop a request
// that it has no room for. Tests change it.
var fetchMode = fetching(processor())

const (
	thrice  = iota // a row's pages are requested, and then each line three times
	once           // its pages, and then each line once
	inOrder        // each line once; before rows are multiplied, they are read in the order of memory
)

// fetching returns the fastest mode for a vendor and a signature. As measured on AMD's Zen 4, the
// other modes take 1.2 to 1.7 times as long as thrice. On AMD's Zen 5, inOrder takes .78 to .99 of
// the time of thrice. On Intel's Xeons, once takes .64 to .98 of it.
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

// dotKernel does not check the stack, because that takes a twentieth of the time of a short
// sum. The linker verifies that its frame fits.
//
//go:nosplit
func dotKernel(a, b []float64, next *float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	if len(a) < 8 { // less work than a call of assembly
		var p0, p1, p2, p3 float64
		if len(a) >= 4 {
			v, w := (*[4]float64)(a), (*[4]float64)(b)
			p0, p1, p2, p3 = float64(v[0]*w[0]), float64(v[1]*w[1]), float64(v[2]*w[2]), float64(v[3]*w[3])
		}
		t := len(a) & 4
		switch len(a) & 3 {
		case 3:
			p2 += float64(a[t+2] * b[t+2])
			fallthrough
		case 2:
			p1 += float64(a[t+1] * b[t+1])
			fallthrough
		case 1:
			p0 += float64(a[t] * b[t])
		}
		return (p0 + p2) + (p1 + p3) + 0 // a lane starts at +0, so no sum is −0
	}
	switch kernel {
	case avx512:
		return dotAVX512(unsafe.SliceData(a), unsafe.SliceData(b), len(a), next)
	case avx2:
		return dotAVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a), next)
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool {
	if len(x) < 8 { // less work than a call of assembly
		return axpyGeneric(dst, w, c, x)
	}
	pd, pw, px := unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(x)
	switch kernel {
	case avx512:
		return axpyAVX512(pd, pw, c, px, len(x))
	case avx2:
		return axpyAVX2(pd, pw, c, px, len(x))
	}
	return axpyGeneric(dst, w, c, x)
}

func accumulateKernel(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	pd, pl, ps := unsafe.SliceData(dst), unsafe.SliceData(dstLow), unsafe.SliceData(sum)
	switch kernel {
	case avx512:
		return accumulateAVX512(pd, pl, ps, unsafe.SliceData(low), unsafe.SliceData(v), unsafe.SliceData(w), c, len(w))
	case avx2:
		return accumulateAVX2(pd, pl, ps, unsafe.SliceData(low), unsafe.SliceData(v), unsafe.SliceData(w), c, len(w))
	}
	return accumulateGeneric(dst, dstLow, sum, low, c, v, w)
}

// dotAVX512 returns ⟨a, b⟩, for the n elements at a and b. Meanwhile it prefetches the n
// elements at next, unless that is nil. Prefetching never faults, whatever the address:
//
//	for i := range n &^ 31 {
//		l[i%32] += float64(a[i] * b[i])
//	}
//	v := folded(l) // see Dot for the folds
//	for i := n &^ 31; i < n; i++ {
//		v[i%8] += float64(a[i] * b[i])
//	}
//	return sum(v)
//
//go:noescape
func dotAVX512(a, b *float64, n int, next *float64) float64

// dotAVX2 is dotAVX512 in AVX2's instructions.
//
//go:noescape
func dotAVX2(a, b *float64, n int, next *float64) float64

// axpyAVX512 computes, for the n elements at dst, w and x:
//
//	var s float64
//	for i := range n {
//		dst[i] = w[i] + float64(c*x[i])
//		s += dst[i] - dst[i]
//	}
//	return s == 0
//
//go:noescape
func axpyAVX512(dst, w *float64, c float64, x *float64, n int) bool

// axpyAVX2 is axpyAVX512 in AVX2's instructions.
//
//go:noescape
func axpyAVX2(dst, w *float64, c float64, x *float64, n int) bool

// accumulateAVX512 computes, for the n elements at each pointer:
//
//	var s float64
//	for i := range n {
//		d, f := exact.TwoSum(w[i], -v[i])
//		p := float64(c * d)
//		e := math.FMA(c, d, -p)
//		a, r := exact.TwoSum(sum[i], p)
//		dst[i], dstLow[i] = a, low[i]+((r+e)+float64(c*f))
//		s += dstLow[i] - dstLow[i]
//	}
//	return s == 0
//
//go:noescape
func accumulateAVX512(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool

// accumulateAVX2 is accumulateAVX512 in AVX2's instructions.
//
//go:noescape
func accumulateAVX2(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool

// cpuid executes CPUID with EAX = leaf and ECX = sub.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the lower half of XCR0.
func xgetbv() uint32

// groupOf returns the size of the groups for k vectors of d elements. For up to four AVX2 is as
// good: they fill half of AVX-512's registers, and a processor may take twice as long for a whole
// one.
func groupOf(k, d int) int {
	if k == 1 || d > 31 {
		return 1
	}
	return [...]int{generic: 1, avx2: 4, avx512: 8}[min(int(kernel), (k+3)/4)]
}
