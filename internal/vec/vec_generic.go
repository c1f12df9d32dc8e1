package vec

import (
	"unsafe"

	"perceptron/internal/exact"
)

// dotGeneric is Dot in Go. It passes over each tile eight times, for 4 lanes at a
// time: 4 sums, their factors and products fit in the registers of any machine, and
// the tile stays in the cache.
func dotGeneric(a, b []float64) float64 {
	const tile = 512
	b = b[:len(a)]
	var l [32]float64
	for len(a) >= 32 {
		n := min(len(a)&^31, tile)
		for j := 0; j < 32; j += 4 {
			lanes((*[4]float64)(l[j:]), a[j:n], b[j:n])
		}
		a, b = a[n:], b[n:]
	}
	// Step 2 of Dot's order: 32 lanes to 8, in registers from here on.
	v0, v1, v2, v3 := (l[0]+l[8])+(l[16]+l[24]), (l[1]+l[9])+(l[17]+l[25]), (l[2]+l[10])+(l[18]+l[26]), (l[3]+l[11])+(l[19]+l[27])
	v4, v5, v6, v7 := (l[4]+l[12])+(l[20]+l[28]), (l[5]+l[13])+(l[21]+l[29]), (l[6]+l[14])+(l[22]+l[30]), (l[7]+l[15])+(l[23]+l[31])
	// Step 3: the last products, eight at a time. The second condition removes the
	// bounds checks of b.
	for len(a) >= 8 && len(b) >= 8 {
		v0 += float64(a[0] * b[0])
		v1 += float64(a[1] * b[1])
		v2 += float64(a[2] * b[2])
		v3 += float64(a[3] * b[3])
		v4 += float64(a[4] * b[4])
		v5 += float64(a[5] * b[5])
		v6 += float64(a[6] * b[6])
		v7 += float64(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	b = b[:len(a)]
	// The rest, fewer than 8. Each lane gets one product at most, so their order does
	// not matter.
	switch len(a) {
	case 7:
		v6 += float64(a[6] * b[6])
		fallthrough
	case 6:
		v5 += float64(a[5] * b[5])
		fallthrough
	case 5:
		v4 += float64(a[4] * b[4])
		fallthrough
	case 4:
		v3 += float64(a[3] * b[3])
		fallthrough
	case 3:
		v2 += float64(a[2] * b[2])
		fallthrough
	case 2:
		v1 += float64(a[1] * b[1])
		fallthrough
	case 1:
		v0 += float64(a[0] * b[0])
	}
	// Step 4: 8 lanes to the sum.
	return ((v0 + v4) + (v2 + v6)) + ((v1 + v5) + (v3 + v7))
}

// lanes adds the first 4 products of every 32 to 4 lanes. It is not inlined, so that
// the sums stay in registers.
//
//go:noinline
func lanes(l *[4]float64, a, b []float64) {
	b = b[:len(a)]
	v0, v1, v2, v3 := l[0], l[1], l[2], l[3]
	for i := 3; i < len(a); i += 32 {
		v0 += float64(a[i-3] * b[i-3])
		v1 += float64(a[i-2] * b[i-2])
		v2 += float64(a[i-1] * b[i-1])
		v3 += float64(a[i] * b[i])
	}
	*l = [4]float64{v0, v1, v2, v3}
}

// axpyGeneric is Axpy in Go.
func axpyGeneric(dst, w []float64, c float64, x []float64) bool {
	dst, w = dst[:len(x)], w[:len(x)]
	for i, v := range x {
		dst[i] = w[i] + float64(c*v)
	}
	return Finite(dst)
}

// accumulateGeneric is Accumulate in Go.
func accumulateGeneric(dst, dstLow, sum, low []float64, c float64, w []float64) bool {
	dst, dstLow, sum, low = dst[:len(w)], dstLow[:len(w)], sum[:len(w)], low[:len(w)]
	for i, v := range w {
		s, e := exact.TwoSum(sum[i], float64(c*v))
		dst[i], dstLow[i] = s, low[i]+e
	}
	return Finite(dst) && Finite(dstLow)
}

// blockGeneric is Dots in Go.
func blockGeneric(b *Block, x *[BlockRows][]float64) {
	for k, w := range b.w[:b.k] {
		for j, row := range x {
			b.sums[BlockRows*k+j] = dotGeneric(row, unsafe.Slice(w, b.n))
		}
	}
}
