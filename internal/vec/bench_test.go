package vec

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

var (
	sink      float64
	sinkCount int
)

// plainDot is the obvious loop.
func plainDot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// scan reads every byte of v once and does little else: it counts a byte, in the assembly
// of the standard library.
func scan(v []float64) int {
	return bytes.Count(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v)), []byte{0xfe})
}

func BenchmarkKernel(b *testing.B) {
	for _, n := range []int{8, 64, 768, 784, 16 << 10, 8 << 20} {
		all := slices.Repeat([]float64{1}, 9*n)
		var v [9][]float64
		for i := range v {
			v[i] = all[i*n : (i+1)*n]
		}
		run := func(name string, vectors int, f func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(8 * n * vectors))
				for b.Loop() {
					f()
				}
			})
		}
		run("scan", 2, func() { sinkCount += scan(all[:2*n]) })
		run("dot=plain", 2, func() { sink += plainDot(v[0], v[1]) })
		run("dot=generic", 2, func() { sink += dotGeneric(v[0], v[1]) })
		run("dot", 2, func() { sink += Dot(v[0], v[1]) })
		var b4 block
		b4.load(v[blockRows:])
		run("block", 9, func() { b4.dots((*[blockRows][]float64)(v[:]), nil) })
		run("axpy=generic", 2, func() { axpyGeneric(v[0], v[0], 1e-9, v[1]) })
		run("axpy", 2, func() { Axpy(v[0], v[0], 1e-9, v[1]) })
		run("accumulate", 6, func() { Accumulate(v[0], v[1], v[0], v[1], 1e-9, v[2], v[3]) })
		run("accumulate=generic", 6, func() { accumulateGeneric(v[0], v[1], v[0], v[1], 1e-9, v[2], v[3]) })
	}
}

// BenchmarkClasses measures the scores of a row by many vectors, together and by Dot.
func BenchmarkClasses(b *testing.B) {
	for _, d := range []int{2, 4, 8, 16, 30} {
		for _, k := range []int{3, 10, 26} {
			w := slices.Repeat([][]float64{slices.Repeat([]float64{1}, d+1)}, k)
			c, x, dst := classesOf(new(Classes), w), w[0][:d], make([]float64, k)
			l := &Lesson{X: [][]float64{x}, Y: []int{0}}
			b.Run(fmt.Sprintf("together/d=%d,k=%d", d, k), func(b *testing.B) {
				for b.Loop() {
					c.Scan(l, 0, 1)
				}
			})
			b.Run(fmt.Sprintf("dot/d=%d,k=%d", d, k), func(b *testing.B) {
				for b.Loop() {
					for i, v := range w {
						dst[i] = Dot(v[:d], x) + v[d]
					}
				}
			})
		}
	}
}
