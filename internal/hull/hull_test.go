package hull

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/vec"
)

// check fails unless pt is the nearest point of p to some roundings: λ > 0, Σλ = 1,
// and ⟨p, zᵢ⟩ ≥ ‖p‖² for each i. This is the definition, in rational arithmetic.
// Unless p is nearly 0, Direction must point as p does.
func check(t *testing.T, p Points, pt Point) {
	t.Helper()
	d, size := p.dims(), rat(longest(p))
	coordinate := func(i, j int) *big.Rat {
		if j == p.Width {
			return rat(float64(p.Y[i]))
		}
		return rat(float64(p.Y[i]) * p.X[i].Value[j])
	}
	sum, nearest := new(big.Rat), make([]*big.Rat, d)
	for j := range nearest {
		nearest[j] = new(big.Rat)
	}
	for k, i := range pt.Support {
		if !(pt.Lambda[k] > 0) || slices.Index(pt.Support, i) != k {
			t.Fatalf("row %d in %v: λ = %v", i, pt.Support, pt.Lambda)
		}
		sum.Add(sum, rat(pt.Lambda[k]))
		for j := range nearest {
			nearest[j].Add(nearest[j], mul(rat(pt.Lambda[k]), coordinate(i, j)))
		}
	}
	if one, _ := sum.Float64(); math.Abs(one-1) > 1e-15*float64(len(pt.Support)) {
		t.Fatalf("Σλ = %v", one)
	}
	square, along, length := new(big.Rat), new(big.Rat), new(big.Rat)
	for j, v := range nearest {
		square.Add(square, mul(v, v))
		along.Add(along, mul(v, rat(pt.Direction[j])))
		length.Add(length, mul(rat(pt.Direction[j]), rat(pt.Direction[j])))
	}
	ratio := func(a, b *big.Rat) float64 { f, _ := new(big.Rat).Quo(a, b).Float64(); return f }
	for i := range p.X {
		score := new(big.Rat)
		for j, v := range nearest {
			score.Add(score, mul(v, coordinate(i, j)))
		}
		if below := ratio(score.Sub(square, score), mul(size, size)); below > 1e-14 {
			t.Fatalf("row %d: ⟨p, z⟩ is %v below ‖p‖²", i, below)
		}
	}
	if one := ratio(length, rat(1)); len(pt.Direction) != d || math.Abs(one-1) > 1e-14 {
		t.Fatalf("the direction has the length √%v", one)
	}
	if share := ratio(square, mul(size, size)); share > 1e-10 && ratio(mul(along, along), square) < 1-1e-9 {
		t.Fatalf("the direction has a cosine of √%v to p", ratio(mul(along, along), square))
	}
}

func TestNearest(t *testing.T) {
	for seed := range uint64(3) {
		for _, c := range []cloud{separable(seed, 100, 4, 0.1), separable(seed, 30, 40, 0.1), sized(separable(seed, 200, 12, 0.01)), turned(separable(seed, 9, 1, 0))} {
			for _, ones := range []bool{true, false} {
				p := c.withOnes(ones).Points
				check(t, p, nearest(p))
				if n := len(nearest(p).Support); n > p.dims()+1 {
					t.Errorf("%s: %d rows in the support", c.name, n)
				}
				p.Y = slices.Repeat([]int{1, -1}, len(p.Y))[:len(p.Y)] // 0 is in the hull, if there are many
				check(t, p, nearest(p))
			}
		}
	}
}

// TestNearestKnown: points whose nearest point is known.
func TestNearestKnown(t *testing.T) {
	for _, c := range []struct {
		name      string
		p         Points
		support   []int
		lambda    []float64
		direction []float64
	}{
		{"one point", Points{dense([]float64{3, 4}), []int{-1}, 2, false}, []int{0}, []float64{1}, []float64{-0.6, -0.8}},
		{"a one is appended", Points{dense([]float64{0}), []int{-1}, 1, true}, []int{0}, []float64{1}, []float64{0, -1}},
		{"the middle of an edge", linear([]float64{1, 1}, []float64{-1, 1}), []int{0, 1}, []float64{0.5, 0.5}, []float64{0, 1}},
		{"a corner", linear([]float64{0, 1}, []float64{0, 3}), []int{0}, []float64{1}, []float64{0, 1}},
		{"huge", linear([]float64{0x1p1000, 0x1p1000}, []float64{-0x1p1000, 0x1p1000}), []int{0, 1}, []float64{0.5, 0.5}, []float64{0, 1}},
		{"tiny", linear([]float64{0x1p-1060, 0x1p-1060}, []float64{-0x1p-1060, 0x1p-1060}), []int{0, 1}, []float64{0.5, 0.5}, []float64{0, 1}},
	} {
		pt := nearest(c.p)
		close := func(a, b float64) bool { return math.Abs(a-b) < 0x1p-100 }
		if !slices.Equal(pt.Support, c.support) || !slices.Equal(pt.Lambda, c.lambda) || !slices.EqualFunc(pt.Direction, c.direction, close) {
			t.Errorf("%s: %+v, want %v, %v, %v", c.name, pt, c.support, c.lambda, c.direction)
		}
	}
}

// TestNearestDuplicates: of equal points the first is used.
func TestNearestDuplicates(t *testing.T) {
	p := linear([]float64{1, 2}, []float64{2, 1}, []float64{2, 1}, []float64{1, 2}, []float64{-3, 3})
	pt := nearest(p)
	check(t, p, pt)
	if slices.Sort(pt.Support); !slices.Equal(pt.Support, []int{1, 4}) {
		t.Errorf("%+v", pt)
	}
}

// TestNearestBits: with factors in float64, the bits are the same on every machine,
// whether or not it fuses products and sums.
func TestNearestBits(t *testing.T) {
	hash, r := fnv.New64(), rand.New(rand.NewPCG(1, 26))
	for range 6 {
		p := Points{Width: 20, Ones: true}
		for range 120 {
			x := make([]float64, 20)
			for j := range x {
				x[j] = math.Ldexp(r.Float64()-0.5, -j)
			}
			p.X, p.Y = append(p.X, vec.Row{Value: x}), append(p.Y, int(math.Copysign(1, x[3])))
		}
		s := newSearch(p, longest(p))
		s.mostDoubles = 0
		for range 30 {
			s.admit(s.lowest())
		}
		_ = binary.Write(hash, binary.LittleEndian, append(s.quick.rest, s.quick.qb...))
		s.run()
		pt := s.point(s.best)
		_ = binary.Write(hash, binary.LittleEndian, append(pt.Lambda, pt.Direction...))
	}
	if got, want := hash.Sum64(), uint64(0xa93fecb176559f9); got != want {
		t.Errorf("the bits are %#x, want %#x", got, want)
	}
}

// FuzzNearest checks the nearest point of points of any sizes, with either kind of factors.
func FuzzNearest(f *testing.F) {
	add := func(width uint8, v ...int16) {
		var data []byte
		for _, x := range v {
			data = binary.LittleEndian.AppendUint16(data, uint16(x))
		}
		f.Add(width, data)
	}
	add(4, 1, 3, 2, 5, 4, 1, 6, 2)
	add(5, 1, 1, -1, -1, 1, -1, -1, 1)
	add(7, 100, 0, 0, 0, 200, 0, 0, 0, 300)
	add(2, 32767, -32767, 1, 1)
	f.Fuzz(func(t *testing.T, width uint8, data []byte) {
		d := 1 + int(width/2%4)
		p := Points{Width: d, Ones: width%2 == 1}
		for ; len(data) >= 2*d && len(p.X) < 40; data = data[2*d:] {
			x := make([]float64, d)
			for j := range x { // a byte of digits, and a byte of exponent
				x[j] = math.Ldexp(float64(int8(data[2*j])), int(data[2*j+1]%64)-32)
			}
			p.X, p.Y = append(p.X, vec.Row{Value: x}), append(p.Y, 1-2*(len(p.X)/2%2))
		}
		if len(p.X) == 0 || longest(p) == 0 {
			t.Skip("no points, or none but 0")
		}
		check(t, p, nearest(p))
		s := newSearch(p, longest(p))
		s.mostDoubles = 0 // factors in float64 from the second row on
		s.run()
		check(t, p, s.point(s.best))
	})
}
