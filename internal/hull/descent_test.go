package hull

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// texts draws sparse points of length 1 with the signs of ⟨u, x⟩ for a random u. Few features are in
// many rows, and many in few, as words are.
func texts(r *rand.Rand, n, d, words int) Points {
	p, u := Points{Width: d}, make([]float64, d)
	for j := range u {
		u[j] = r.NormFloat64()
	}
	for len(p.X) < n {
		counts, score := make([]float64, d), 0.0
		for range 1 + r.IntN(2*words) {
			j := int(float64(d) * math.Pow(r.Float64(), 3))
			counts[j]++
			score += u[j]
		}
		x, length := vec.Row{Index: []uint32{}}, vec.Norm(counts)
		for j, v := range counts {
			if v > 0 {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, v/length)
			}
		}
		p.X, p.Y = append(p.X, x), append(p.Y, int(math.Copysign(1, score)))
	}
	return p
}

// descended returns the points that a descent yields, and whether it came to an end. It gives up after
// the patient share of an active set's work.
func descended(p Points, patient float64) (points []Point, d *descent, done bool) {
	d = newDescent(p)
	d.patient = patient
	done = d.run(longest(p), func(pt Point, _ bool) bool { points = append(points, pt); return true })
	return points, d, done
}

// TestDescent: a descent finds the point that an active set finds, to the digits that float64 has.
func TestDescent(t *testing.T) {
	for seed := range uint64(6) {
		p := texts(rand.New(rand.NewPCG(seed, 81)), 40, 50, 6)
		if p.Ones = seed%2 == 0; seed%3 == 0 {
			p = densely(p)
		}
		points, d, done := descended(p, 1e9)
		if !done {
			t.Fatalf("seed %d: gives up after %v products, at the width %v", seed, d.work, d.width)
		}
		check(t, densely(p), points[len(points)-1])
		if d.width > narrow || d.work <= 0 {
			t.Errorf("seed %d: ends at the width %v", seed, d.width)
		}
		s := newSearch(p, longest(p))
		s.run()
		direction := s.point(s.best).Direction
		for j, v := range points[len(points)-1].Direction {
			if math.Abs(v-direction[j]) > 0x1p-48 {
				t.Fatalf("seed %d: w[%d] is %v, and %v by an active set", seed, j, v, direction[j])
			}
		}
	}
}

// TestDescentRandom: small random sets are compared with rational arithmetic. In some of them, rows
// contradict each other.
func TestDescentRandom(t *testing.T) {
	sets, ends, zeros := 200, 0, 0
	if os.Getenv("PERCEPTRON_FULL") != "" {
		sets = 11000
	}
	for seed := range sets {
		r := rand.New(rand.NewPCG(uint64(seed), 87))
		p := Points{Width: 2 + r.IntN(8), Ones: r.IntN(2) == 0}
		u := naive.Gaussian(r, p.Width)
		for range 2 + r.IntN(14) {
			x := vec.Row{Index: []uint32{}}
			for j := range p.Width {
				if r.IntN(2) == 0 || j == p.Width-1 && len(x.Value) == 0 {
					x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, r.NormFloat64())
				}
			}
			sign := int(math.Copysign(1, x.Dot(u)))
			if r.IntN(20) == 0 {
				sign = -sign
			}
			p.X, p.Y = append(p.X, x), append(p.Y, sign)
		}
		points, d, done := descended(p, 10000)
		if !done {
			continue
		}
		if ends++; d.width >= 1 {
			zeros++
		}
		check(t, densely(p), points[len(points)-1])
	}
	if t.Logf("%d sets, %d with an end, %d that 0 is in", sets, ends, zeros); ends < sets*9/10 || zeros < sets/20 {
		t.Errorf("%d of %d descents come to an end, %d with 0 in the hull", ends, sets, zeros)
	}
}

// densely returns p with the zeros of its rows.
func densely(p Points) Points {
	p.X = slices.Clone(p.X)
	for i, x := range p.X {
		row := make([]float64, p.Width)
		for k, v := range x.Value {
			row[x.At(k)] = v
		}
		p.X[i] = vec.Row{Value: row}
	}
	return p
}

// TestDescentSettles: w is what α makes of the rows, though float64 cannot hold α.
func TestDescentSettles(t *testing.T) {
	p := texts(rand.New(rand.NewPCG(1, 82)), 80, 120, 8)
	d := newDescent(p)
	for range 20 {
		for range 5 {
			d.sweep()
		}
		d.pass()
		d.leap()
		d.pass()
		if d.width < 1 {
			d.settle()
		}
		w := make([]exact.Double, d.Width+1)
		for i, moved := range d.moved {
			if d.alpha(i) < 0 {
				t.Fatalf("α is %v", d.alpha(i))
			}
			d.add(w, i, d.settled[i].Plus(exact.Double{Hi: moved}))
		}
		exact.Axpy(w, exact.Double{Hi: -1}, d.sum())
		tiny(t, "w", 0x1p-50*(1+vec.Largest(d.w)), w...)
		for i := range d.rest {
			tiny(t, "a rest", 0x1p-44, exact.Double{Hi: 1 - float64(p.Y[i])*p.X[i].Dot(floats(d.base[:d.Width])) - d.rest[i]})
		}
	}
	if d.width > 0x1p-70 {
		t.Errorf("the width is %v", d.width)
	}
}

// TestDescentContradiction: rows that contradict each other are found among many that do not.
func TestDescentContradiction(t *testing.T) {
	for seed := range uint64(6) {
		p := texts(rand.New(rand.NewPCG(seed, 83)), 300, 400, 8)
		doubled(&p, 7)
		doubled(&p, 100)
		points, d, done := descended(p, 1e9)
		pt := points[len(points)-1]
		least := math.Inf(1) // of the direction, the best of all passes
		for i := range p.X {
			least = min(least, d.score(append(pt.Direction, 0), i))
		}
		if !(math.Abs(least-d.bestScore) < 0x1p-50) {
			t.Errorf("seed %d: the direction has the margin %v, the best %v", seed, least, d.bestScore)
		}
		lambda := map[int]float64{}
		for k, i := range pt.Support {
			lambda[i] = pt.Lambda[k]
		}
		i, j := 7, 300
		if lambda[i] == 0 {
			i, j = 100, 301
		}
		if !done || len(lambda) != 2 || max(math.Abs(lambda[i]-2.0/3), math.Abs(lambda[j]-1.0/3)) > 0x1p-50 {
			t.Errorf("seed %d: %v, λ = %v", seed, done, lambda)
		}
	}
}

// doubled appends twice row i with the other sign, which is a contradiction in Linear space.
func doubled(p *Points, i int) {
	x := vec.Row{Index: p.X[i].Index, Value: slices.Clone(p.X[i].Value)}
	for k := range x.Value {
		x.Value[k] *= 2
	}
	p.X, p.Y = append(p.X, x), append(p.Y, -p.Y[i])
}

// TestDescentOpposite: two opposite points are found after the first pass, for all signs, zeros and forms.
// Points that are not opposite are not found.
func TestDescentOpposite(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 88))
		p := texts(r, 300, 400, 8)
		p.Ones = seed%2 == 0
		x := vec.Row{Index: slices.Clone(p.X[7].Index), Value: slices.Clone(p.X[7].Value)}
		sign, change := -p.Y[7], seed/2%5
		switch k := r.IntN(len(x.Value)); {
		case change == 1: // with a zero
			x.Index, x.Value = append(x.Index, uint32(p.Width)), append(x.Value, math.Copysign(0, -1))
			p.Width++
		case change == 2: // −x with the same sign, opposite in Linear space only
			for k := range x.Value {
				x.Value[k] *= -1
			}
			sign = p.Y[7]
		case change == 3: // another value
			x.Value[k] *= 1 + 0x1p-52
		case change == 4: // the same point
			sign = p.Y[7]
		}
		p.X, p.Y = append(p.X, x), append(p.Y, sign)
		if seed%4 > 1 {
			p = densely(p)
		}
		d := newDescent(p.compact())
		d.sweep()
		d.pass()
		q, ok := d.opposite()
		if want := change < 2 || change == 2 && !p.Ones; ok != want || ok && !(slices.Equal(q.Support, []int{7, 300}) && slices.Equal(q.Lambda, []float64{0.5, 0.5})) {
			t.Errorf("seed %d: %v, support %v, λ = %v, want %v", seed, ok, q.Support, q.Lambda, want)
		}
		if !ok {
			continue
		}
		if _, d, done := descended(p.compact(), 1e9); !done || d.work > 8*d.all {
			t.Errorf("seed %d: %v, %v passes", seed, done, d.work/d.all)
		}
	}
}

// slowly returns points on which a descent is slow. They are sparse, with features that none has.
func slowly(t *testing.T) Points {
	p := sized(separable(3, 300, 30, 0.0001)).Points
	if _, d, done := descended(p, 1); done {
		t.Fatalf("ends after %v products, at the width %v", d.work, d.width)
	}
	for i, x := range p.X {
		p.X[i].Index = []uint32{}
		for j := range x.Value {
			p.X[i].Index = append(p.X[i].Index, uint32(j))
		}
	}
	if p.Width = 400; !p.wide(p.pass()) {
		t.Fatal("not wide")
	}
	return p
}

// TestDescentSlow: a descent that is slow gives up, and then the active set gives its own bits.
func TestDescentSlow(t *testing.T) {
	p := slowly(t)
	s := newSearch(p, longest(p))
	s.run()
	if got, want := nearest(p), s.point(s.best); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, the active set %v", got.Lambda, want.Lambda)
	}
}

// TestApproachKeeps: no direction is poorer than the one before, even when the active set takes over.
func TestApproachKeeps(t *testing.T) {
	p, best, n := slowly(t), math.Inf(-1), 0
	for pt := range Approach(p, longest(p)) {
		least := math.Inf(1)
		for i, x := range p.X {
			least = min(least, float64(p.Y[i])*x.Dot(pt.Direction)/vec.Norm(pt.Direction))
		}
		if n++; least < best-1e-12 {
			t.Errorf("point %d: the direction has the margin %v, after %v", n, least, best)
		}
		best = least
	}
	if n < 3 {
		t.Errorf("%d points", n)
	}
}

// TestLeap: a leap makes ½‖w‖² − Σα smaller, and no α negative.
func TestLeap(t *testing.T) {
	p := texts(rand.New(rand.NewPCG(1, 84)), 200, 150, 6)
	d := newDescent(p)
	value := func() float64 {
		sum := 0.0
		for i := range d.moved {
			if d.alpha(i) < 0 {
				t.Fatalf("α is %v", d.alpha(i))
			}
			sum += d.alpha(i)
		}
		length := vec.Norm(floats(d.sum()))
		return length*length/2 - sum
	}
	for n := range 30 {
		d.sweep()
		before := value()
		if d.leap(); !(value() < before+1e-12*math.Abs(before)) {
			t.Errorf("leap %d: from %v to %v", n, before, value())
		}
		d.pass()
	}
}

// TestApproachDoubles: between two points, the work about doubles.
func TestApproachDoubles(t *testing.T) {
	p := texts(rand.New(rand.NewPCG(1, 85)), 500, 800, 8)
	d, last, n := newDescent(p), 0.0, 0
	d.patient = 1e9
	d.run(longest(p), func(_ Point, ended bool) bool {
		if n++; last > 0 && !ended && (d.work < 2*last || d.work > 2*last+60*d.all) {
			t.Errorf("point %d: %v products, after %v", n, d.work, last)
		}
		last = d.work
		return true
	})
	if n < 4 {
		t.Errorf("%d points", n)
	}
}

// TestDescentBits: the bits are the same on every machine, whether or not it fuses products and sums.
func TestDescentBits(t *testing.T) {
	hash := fnv.New64()
	for seed := range uint64(4) {
		p := texts(rand.New(rand.NewPCG(seed, 86)), 100, 150, 8)
		p.Ones = seed%2 == 0
		switch seed {
		case 2:
			p.X, p.Y = append(p.X, p.X[7]), append(p.Y, -p.Y[7])
		case 3:
			doubled(&p, 7)
		}
		points, _, _ := descended(p, 1e9)
		for _, pt := range points {
			_ = binary.Write(hash, binary.LittleEndian, append(pt.Lambda, pt.Direction...))
		}
	}
	if got, want := hash.Sum64(), uint64(0x56e830cc838a45c8); got != want {
		t.Errorf("the bits are %#x, want %#x", got, want)
	}
}
