package vec

import "math"

// Dot returns ⟨a, b⟩. Slices of different lengths give NaN, which callers meet
// on the path that tells a bad row from an overflow: the length costs the hot
// loop no test of its own.
//
// The order of summation is part of the package's contract, since the same
// input bits must give the same output bits with every kernel. Every product is
// rounded before it is added. With n = 32q + r, r < 32:
//
//  1. The first 32q products go to 32 lanes, the i-th to lane i mod 32.
//  2. The lanes are folded into 8: v[j] = (l[j] + l[j+8]) + (l[j+16] + l[j+24]).
//  3. The last r products go to the 8 lanes, the t-th of them to v[t mod 8].
//  4. The 8 lanes are folded: u[j] = v[j] + v[j+4], t[j] = u[j] + u[j+2],
//     and the sum is t[0] + t[1].
//
// So 32 lanes are four AVX-512, eight AVX2 or sixteen NEON registers, each step
// is whole registers, and a short row pays for 8 lanes only. A lane starts at
// +0 and so is never −0: to add a masked-out +0 to it changes no bit.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	return dotKernel(a, b)
}

// Axpy sets dst = w + c·x, each product rounded before it is added, and reports
// whether dst is finite. The three have one length; dst may be w.
func Axpy(dst, w []float64, c float64, x []float64) bool {
	if len(dst) != len(x) || len(w) != len(x) {
		panic("perceptron: internal error: axpy of different lengths")
	}
	return axpyKernel(dst, w, c, x)
}

// Dots5 sets out to ⟨x, w[0]⟩, …, ⟨x, w[4]⟩, each as dot does, in one reading of
// x. All have one length. Meanwhile the processor may fetch next into its cache.
func Dots5(out *[5]float64, x []float64, w *[5][]float64, next []float64) {
	for _, v := range w {
		if len(v) != len(x) {
			panic("perceptron: internal error: dots of different lengths")
		}
	}
	dots5Kernel(out, x, w, next)
}

// Prefetch asks the processor to fetch x into its cache.
func Prefetch(x []float64) {
	if len(x) > 0 {
		prefetchKernel(x)
	}
}

// dotGeneric makes one pass over a tile, which stays in the cache, for each group of
// 4 lanes: that many sums, their factors and products stay in the registers of any
// machine.
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
	v0, v1, v2, v3 := (l[0]+l[8])+(l[16]+l[24]), (l[1]+l[9])+(l[17]+l[25]), (l[2]+l[10])+(l[18]+l[26]), (l[3]+l[11])+(l[19]+l[27])
	v4, v5, v6, v7 := (l[4]+l[12])+(l[20]+l[28]), (l[5]+l[13])+(l[21]+l[29]), (l[6]+l[14])+(l[22]+l[30]), (l[7]+l[15])+(l[23]+l[31])
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
	return ((v0 + v4) + (v2 + v6)) + ((v1 + v5) + (v3 + v7))
}

// lanes adds to 4 of the 32 lanes: the first 4 products of every 32. Inlined, its
// sums would not stay in registers.
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

func axpyGeneric(dst, w []float64, c float64, x []float64) bool {
	dst, w = dst[:len(x)], w[:len(x)]
	for i, v := range x {
		dst[i] = w[i] + float64(c*v)
	}
	return Finite(dst)
}

func dots5Generic(out *[5]float64, x []float64, w *[5][]float64) {
	for i, v := range w {
		out[i] = dotGeneric(x, v)
	}
}

// Finite reports whether every element is neither NaN nor ±Inf: v − v is 0 for
// just those. Four sums keep the additions from waiting for each other.
func Finite(v []float64) bool {
	var s0, s1, s2, s3 float64
	for ; len(v) >= 4; v = v[4:] {
		s0 += v[0] - v[0]
		s1 += v[1] - v[1]
		s2 += v[2] - v[2]
		s3 += v[3] - v[3]
	}
	for _, x := range v {
		s0 += x - x
	}
	return (s0+s1)+(s2+s3) == 0
}

func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// Norm returns ‖v‖ = √⟨v, v⟩.
func Norm(v []float64) float64 {
	m, e := ScaledNorm(v)
	return math.Ldexp(m, e)
}

// ScaledNorm returns ‖v‖ as m·2ᵉ. Where the square leaves float64's range, v is
// scaled by a power of two, which changes no digit, and summed in plain order.
func ScaledNorm(v []float64) (m float64, e int) {
	const small, large = 0x1p-900, 0x1p1000
	if s := Dot(v, v); s >= small && s <= large {
		return math.Sqrt(s), 0
	}
	top := Largest(v)
	if top == 0 || !IsFinite(top) {
		return top, 0
	}
	_, e = math.Frexp(top)
	var s float64
	for _, x := range v {
		x = math.Ldexp(x, -e)
		s += float64(x * x)
	}
	return math.Sqrt(s), e
}

// Largest returns max |vⱼ|.
func Largest(v []float64) float64 {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
