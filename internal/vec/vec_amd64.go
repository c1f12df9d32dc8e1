//go:build !purego

package vec

import "unsafe"

// A form is a way to compute the kernels, all to the same bits.
type form uint8

const (
	generic form = iota
	avx2
	avx512
)

// kernel is the widest form that the machine has. Tests set it to the others.
var kernel = widest()

// widest asks the processor for its instructions, and the operating system, by
// XCR0, for the registers that it saves.
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

// usable tells the form from CPUID's leaf 1, ECX, and leaf 7, EBX, and XCR0.
func usable(ecx1, ebx7, xcr0 uint32) form {
	const (
		avx     = 1 << 28 // leaf 1
		avx2Bit = 1 << 5  // leaf 7
		avx512F = 1 << 16
		ymm     = 0x06 // XCR0: XMM and YMM
		zmm     = 0xe6 // and the masks, and ZMM
	)
	switch {
	case ecx1&avx == 0 || ebx7&avx2Bit == 0 || xcr0&ymm != ymm:
		return generic
	case ebx7&avx512F == 0 || xcr0&zmm != zmm:
		return avx2
	}
	return avx512
}

func dotKernel(a, b []float64) float64 {
	pa, pb := unsafe.SliceData(a), unsafe.SliceData(b)
	switch kernel {
	case avx512:
		return dotAVX512(pa, pb, len(a))
	case avx2:
		return dotAVX2(pa, pb, len(a))
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool {
	pd, pw, px := unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(x)
	switch kernel {
	case avx512:
		return axpyAVX512(pd, pw, c, px, len(x))
	case avx2:
		return axpyAVX2(pd, pw, c, px, len(x))
	}
	return axpyGeneric(dst, w, c, x)
}

func dots5Kernel(out *[5]float64, x []float64, w *[5][]float64, next []float64) {
	p, q, w0, w1 := unsafe.SliceData(x), unsafe.SliceData(next), unsafe.SliceData(w[0]), unsafe.SliceData(w[1])
	w2, w3, w4 := unsafe.SliceData(w[2]), unsafe.SliceData(w[3]), unsafe.SliceData(w[4])
	switch kernel {
	case avx512:
		dots5AVX512(out, p, w0, w1, w2, w3, w4, len(x), q)
	case avx2:
		dots5AVX2(out, p, w0, w1, w2, w3, w4, len(x), q)
	default:
		dots5Generic(out, x, w)
	}
}

func prefetchKernel(x []float64) {
	if kernel != generic {
		prefetchLines(unsafe.SliceData(x), len(x))
	}
}

//go:noescape
func dotAVX512(a, b *float64, n int) float64

//go:noescape
func dotAVX2(a, b *float64, n int) float64

//go:noescape
func axpyAVX512(dst, w *float64, c float64, x *float64, n int) bool

//go:noescape
func axpyAVX2(dst, w *float64, c float64, x *float64, n int) bool

//go:noescape
func dots5AVX512(out *[5]float64, x, w0, w1, w2, w3, w4 *float64, n int, next *float64)

//go:noescape
func dots5AVX2(out *[5]float64, x, w0, w1, w2, w3, w4 *float64, n int, next *float64)

//go:noescape
func prefetchLines(p *float64, n int)

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() uint32
