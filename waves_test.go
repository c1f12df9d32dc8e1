package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"perceptron/internal/vec"
)

// wavesRow returns a row of d features, of about the size of scaled ones.
func wavesRow(r *rand.Rand, d int) []float64 {
	z := make([]float64, d)
	for j := range z {
		z[j] = 2 * r.NormFloat64()
	}
	return z
}

// naiveWaves maps z by the words of docs/format.md: step by step, and one butterfly at a time.
func naiveWaves(w Waves, z []float64) []float64 {
	d, p, n := len(z), 16, w.Count
	for p < d {
		p *= 2
	}
	width, root := w.Width, math.Sqrt(float64(d))
	if width == 0 {
		width = root
	}
	words := rand.NewPCG(w.Seed, 0)
	signed := func() float64 { return float64(int32(uint32(words.Uint64()))) / (1 << 31) }
	c := math.Sqrt(3) / (2 * math.Pi) / width
	var order []int
	for i := range d {
		order = append(order, i)
		if j := words.Uint64() % uint64(i+1); j < uint64(i) {
			order[i], order[j] = order[j], i
		}
	}
	few := int(float64(n) / 6 * min(1, width/root))
	var angles []float64
	for reads := 1; reads <= 2; reads++ {
		for range few {
			i := len(angles)
			size := c * math.Sqrt(float64(d)/float64(reads)) * []float64{1, 2, 4}[(i%d+i/d)%3]
			a, angle := size*signed(), signed()
			if reads == 2 {
				k := words.Uint64() % uint64(d)
				angle = float64(z[k]*(size*signed())) + angle
			}
			angles = append(angles, float64(z[order[i%d]]*a)+angle)
		}
	}
	for 2*len(angles) < n {
		v := make([]float64, p)
		for j, x := range z {
			v[j] = signed() * x
		}
		naiveHadamard(v)
		for range 2 {
			for j := range v {
				if signed() < 0 {
					v[j] = -v[j]
				}
			}
			naiveHadamard(v)
		}
		β := signed()
		for j, x := range v {
			angles = append(angles, float64(x*(c/float64(p)))+(β+float64(float64(j)*1.618033988749895)))
		}
	}
	φ, height := make([]float64, d), math.Sqrt(2/float64(n))
	for j, x := range z {
		φ[j] = x / root
	}
	for _, t := range angles {
		s := math.Remainder(t, 1) + 0
		a := 1 - 4*math.Abs(s)
		φ = append(φ, height*a, height*math.Copysign(1-math.Abs(a), s))
	}
	return φ[:d+n]
}

func naiveHadamard(v []float64) {
	for h := 1; h < len(v); h *= 2 {
		for i := range v {
			if i&h == 0 {
				v[i], v[i+h] = v[i]+v[i+h], v[i]-v[i+h]
			}
		}
	}
}

// TestWaves compares with the naive reference bit for bit, and with the bound of the length.
func TestWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(68, 1))
	for i := range 400 {
		d, n := 1+r.IntN(1<<r.IntN(9)), 1+r.IntN(1<<(1+r.IntN(9)))
		w, z := Waves{n, []float64{0, .3, 5, math.Sqrt(float64(d)) / 2}[i%4], r.Uint64()}, wavesRow(r, d)
		φ := must(w.Apply([]float64{7}, z))(t)
		Diff(t, fmt.Sprint(w, d), φ[1:], naiveWaves(w, z))
		if φ = φ[1:]; len(φ) != d+n || vec.Dot(φ, φ) > 1+vec.Dot(z, z)/float64(d)+float64(n%2)/float64(n)+1e-12 {
			t.Fatalf("%+v, d = %d: %d features, ‖φ‖² = %v", w, d, len(φ), vec.Dot(φ, φ))
		}
		for k := d; k+1 < len(φ); k += 2 {
			if pair := float64(n) * (φ[k]*φ[k] + φ[k+1]*φ[k+1]); pair < 1-1e-12 || pair > 2+1e-12 {
				t.Fatalf("%+v: the squares of a pair are %v/n", w, pair)
			}
		}
	}
	Diff(t, "no waves", must(Waves{}.Apply(nil, []float64{3, -4}))(t), []float64{3, -4})
}

// TestWavesNarrow: the waves of narrow rows differ, though the vectors of a block repeat.
func TestWavesNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(68, 7))
	for d := 1; d <= 4; d++ {
		Z := [][]float64{wavesRow(r, d), wavesRow(r, d), wavesRow(r, d)}
		different := map[[2]float64]bool{}
		φ := must(Waves{Count: 1000}.ApplyAll(Z))(t)
		for k := d; k < len(φ[0]); k++ {
			different[[2]float64{φ[0][k], φ[1][k]}] = true
		}
		if len(different) != 1000 {
			t.Errorf("d = %d: %d different waves", d, len(different))
		}
	}
}

// TestWavesBits: the same bits on every machine. The rows have halves of small integers, so the numbers
// do not depend on how the test computes them.
func TestWavesBits(t *testing.T) {
	sum := crc32.NewIEEE()
	for _, d := range []int{1, 3, 16, 17, 100} {
		z := make([]float64, d)
		for j := range z {
			z[j] = float64(j*7%11)/2 - 2.5
		}
		for _, v := range must(Waves{Count: 301, Seed: 5}.Apply(nil, z))(t) {
			fmt.Fprintf(sum, "%016x", math.Float64bits(v))
		}
	}
	Diff(t, "checksum", sum.Sum32(), uint32(3503775388))
}

// TestWavesPython: read.py draws the waves of a file again, bit for bit. Of a row beyond the training rows, only the
// own features follow it.
func TestWavesPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("docs/read.py is not run: ", err)
	}
	X, labels := named(t)
	path := filepath.Join(t.TempDir(), "bent")
	for _, w := range []Waves{{Count: 75, Seed: 1 << 63}, {Count: 1, Width: .2}} {
		c := Classifier[[]float64]{Waves: w}
		must(c.Fit(X, labels))(t)
		must(0, c.Save(path))(t)
		inside, outside := X[3], slices.Clone(X[3])
		outside[0], outside[1] = 1e6, -1e7
		for _, x := range [][]float64{inside, outside} {
			args := []string{filepath.Join("docs", "read.py"), path}
			for _, v := range x {
				args = append(args, fmt.Sprint(v))
			}
			var got []float64
			must(0, json.Unmarshal(must(exec.Command(python, args...).Output())(t), &got))(t)
			near := slices.Clone(x)
			for j := range near {
				near[j] = min(max(x[j], c.now.scaling.Range[0][j]), c.now.scaling.Range[1][j])
			}
			z := must(c.now.scaling.Apply(nil, x))(t)
			want := slices.Concat(must(w.Apply(nil, z))(t)[:len(z)], must(w.Apply(nil, must(c.now.scaling.Apply(nil, near))(t)))(t)[len(z):])
			Diff(t, "what read.py prints", got, want)
		}
	}
}

// TestWavePair compares with the definition, up to the largest angle.
func TestWavePair(t *testing.T) {
	tri := func(s float64) float64 { return 1 - 4*math.Abs(math.Remainder(s, 1)) }
	r := rand.New(rand.NewPCG(68, 2))
	for i := range 200000 {
		x := math.Ldexp(2*r.Float64()-1, r.IntN(111)-60)
		if i < 64 {
			x = float64(i)/8 - 4
		}
		a, b := wavePair(x)
		if s := math.Remainder(x, 1); a != tri(x) || math.Abs(b-tri(s-.25)) > 2e-16 || math.Abs(a)+math.Abs(b) != 1 {
			t.Fatalf("%v: %v, %v", x, a, b)
		}
	}
}

// TestWavesFar: a row whose angles have no fractions, and one whose angles nearly have none, are mapped by
// the words of docs/format.md.
func TestWavesFar(t *testing.T) {
	for e := range 40 {
		z := []float64{math.Ldexp(-3.7, 30+e), math.Ldexp(1.9, 29+e), 2}
		w := Waves{Count: 61, Seed: uint64(e)}
		Diff(t, fmt.Sprint(e), must(w.Apply(nil, z))(t), naiveWaves(w, z))
	}
}

// TestWavesProduct: the products with random vectors have mean 0, and the variance of a product with a
// normal vector of the right width: the default, and ½ or ¼ of it for some waves that read one feature or two. The features are read equally often, by all widths.
func TestWavesProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(68, 3))
	for _, d := range []int{1, 2, 3, 16, 40} {
		z := wavesRow(r, d)
		square := vec.Dot(z, z) / float64(d) / (4 * math.Pi * math.Pi)
		var n, sum, sum2 [3]float64
		uses := make([][3]int, d)
		for seed := range uint64(3000) {
			m := Waves{Count: 12 * d, Seed: seed}.draw(d)
			angles := make([]float64, len(m.few)+len(m.blocks)/4)
			m.angles(angles, z)
			for i, x := range angles {
				kind := 2
				if i < len(m.few) {
					kind = i / (2 * d)
					width := (i%d + i/d) % 3
					x = math.Ldexp(x-m.few[i].beta, -width)
					uses[m.few[i].j][width]++
				} else {
					k := i - len(m.few)
					x -= m.blocks[k/m.p*4*m.p+3*m.p+k%m.p]
				}
				n[kind], sum[kind], sum2[kind] = n[kind]+1, sum[kind]+x, sum2[kind]+x*x
			}
		}
		for kind := range n {
			if mean, variance := sum[kind]/n[kind], sum2[kind]/n[kind]; math.Abs(mean) > .05*math.Sqrt(square) || math.Abs(variance/square-1) > .1 {
				t.Errorf("d = %d, kind %d: mean %v, variance %v, want %v", d, kind, mean, variance, square)
			}
		}
		for j, u := range uses {
			if u[0]+u[1]+u[2] != 12000 || d > 3 && min(u[0], u[1], u[2]) < 3000 {
				t.Errorf("d = %d: feature %d is read %v times", d, j, u)
			}
		}
	}
}

// TestWavesAllocates: with the last Waves and width, Apply allocates nothing.
func TestWavesAllocates(t *testing.T) {
	w, z := Waves{Count: 301}, make([]float64, 20)
	dst := must(w.Apply(nil, z))(t)
	Diff(t, "allocations", testing.AllocsPerRun(50, func() { dst, _ = w.Apply(dst[:0], z) }), 0)
}

// TestWavesErrors: bad fields and rows, and that dst is unchanged.
func TestWavesErrors(t *testing.T) {
	z, ok := []float64{1, 2}, Waves{Count: 9}
	for _, c := range []struct {
		w    Waves
		z    []float64
		kind error
	}{
		{Waves{Count: -1}, z, ErrConfig}, {Waves{Count: mostWaves + 1}, z, ErrConfig}, {Waves{Count: 2, Width: -1}, z, ErrConfig},
		{Waves{Count: 2, Width: math.NaN()}, z, ErrConfig}, {Waves{Count: 2, Width: math.Inf(1)}, z, ErrConfig}, {Waves{Width: -1}, z, ErrConfig},
		{ok, nil, ErrEmpty}, {ok, []float64{1, math.NaN()}, ErrNotFinite}, {ok, []float64{math.Inf(1), 0}, ErrNotFinite},
		{Waves{Count: 9, Width: 1e-300}, []float64{1e300, 1}, ErrNotFinite}, {Waves{}, []float64{math.NaN()}, ErrNotFinite},
		{ok, []float64{math.MaxFloat64, math.MaxFloat64}, ErrNotFinite},
	} {
		if err := only(c.w.Apply(nil, c.z)); !errors.Is(err, c.kind) {
			t.Errorf("%+v: error %v, want %v", c.w, err, c.kind)
		}
		if got, _ := c.w.Apply([]float64{5}, c.z); len(got) != 1 || got[0] != 5 {
			t.Errorf("%+v: dst became %v", c.w, got)
		}
	}
	must(ok.Apply(nil, []float64{1e200, -1e90}))(t) // far away, but defined
	place := append(make([]float64, 0, 99), 3, -1, 2)
	Diff(t, "in place", must(ok.Apply(place[:0], place))(t), must(ok.Apply(nil, []float64{3, -1, 2}))(t))
	r := rand.New(rand.NewPCG(68, 4))
	Z := make([][]float64, 999)
	for i := range Z {
		Z[i] = wavesRow(r, 5)
	}
	w := Waves{Count: 40, Seed: 3}
	for i, φ := range must(w.ApplyAll(Z))(t) {
		Diff(t, "row", φ, must(w.Apply(nil, Z[i]))(t))
	}
	Z[700][2], Z[90][1] = math.MaxFloat64, math.MaxFloat64
	Z[700][3], Z[90][0] = math.MaxFloat64, math.MaxFloat64
	want{ErrNotFinite, 90, "not finite: the row overflows when it is mapped"}.check(t, only(w.ApplyAll(Z)))
	Z[5] = Z[5][:4]
	want{ErrDimension, 5, "dimension mismatch: width 4, want 5"}.check(t, only(w.ApplyAll(Z)))
	want{ErrEmpty, -1, "empty: …"}.check(t, only(w.ApplyAll(nil)))
	want{ErrConfig, -1, "bad configuration: Waves has Count -1 …"}.check(t, only(Waves{Count: -1}.ApplyAll(Z[6:9])))
}
