package tests_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// separate separates the set and checks all that Separate promises.
func separate(t testing.TB, set naive.Set, s perceptron.Space) perceptron.Separation {
	t.Helper()
	sep := must(perceptron.Separate(set.X, set.Y, s))(t)
	if err := perceptron.Verify(sep, set.X, set.Y); err != nil {
		t.Fatalf("%s, %v: %v", set.Name, s, err)
	}
	if sep.Space != s || sep.Radius != must(perceptron.Radius(set.X, s))(t) || sep.Lower > sep.Upper || sep.Upper > sep.Radius {
		t.Fatalf("%s, %v: Space %v, R %v, γ in [%v, %v]", set.Name, s, sep.Space, sep.Radius, sep.Lower, sep.Upper)
	}
	if bound := sep.MistakeBound(); bound != perceptron.MistakeBound(sep.Radius, sep.Lower) || !sep.Separable && !math.IsInf(bound, 1) {
		t.Fatalf("%s, %v: γ ≥ %v, at most %v mistakes", set.Name, s, sep.Lower, bound)
	}
	if gamma, err := perceptron.Gamma(sep.Hyperplane, set.X, set.Y, s); sep.Lower > -sep.Radius && (err != nil || gamma != sep.Lower) {
		t.Fatalf("%s, %v: Gamma is %v, %v, want Lower, %v", set.Name, s, gamma, err, sep.Lower)
	}
	// At most D rows have multipliers, or D + 1 if the set is not separable.
	most := len(set.X[0]) + 1 - int(s)
	if !sep.Separable {
		most++
	}
	if n := supporting(sep); n < 1 || n > most {
		t.Fatalf("%s, %v: %d rows have multipliers, want at most %d", set.Name, s, n, most)
	}
	return sep
}

func supporting(sep perceptron.Separation) (n int) {
	for _, v := range sep.Multipliers {
		if v > 0 {
			n++
		}
	}
	return n
}

// gap is (Upper − Lower)/Upper.
func gap(sep perceptron.Separation) float64 { return (sep.Upper - sep.Lower) / sep.Upper }

// bracketed fails unless the set is separable, and (Upper − Lower)/Upper at most most.
func bracketed(t testing.TB, set naive.Set, s perceptron.Space, most float64) perceptron.Separation {
	t.Helper()
	sep := separate(t, set, s)
	if !sep.Separable || !(gap(sep) <= most) {
		t.Fatalf("%s, %v: γ in [%v, %v], a gap of %v, want %v", set.Name, s, sep.Lower, sep.Upper, gap(sep), most)
	}
	return sep
}

// TestSeparateSubnormal checks the bounds where float64 has fewer digits: they are valid, and
// their distance is what the digits leave.
func TestSeparateSubnormal(t *testing.T) {
	for _, e := range []int{-900, -1015, -1022, -1030, -1045, -1060, -1068} {
		widest := 0.0
		for i := range share(28) {
			seed := uint64(i * 28 / share(28))
			d := 1 + int(seed*2)
			set := naive.Separable(seed, 10+int(seed)*3, d, 0.1)
			for _, x := range set.X {
				for j := range x {
					x[j] = math.Ldexp(x[j], e)
				}
			}
			sep := separate(t, set, perceptron.Linear)
			rounded := 1e-15*sep.Upper + 1e-16*sep.Radius
			if steps := (sep.Upper - sep.Lower - 3*rounded) / 0x1p-1074; !sep.Separable || steps > math.Sqrt(float64(d))+3 {
				t.Errorf("2^%d, d = %d: γ in [%v, %v], %v steps", e, d, sep.Lower, sep.Upper, steps)
			}
			widest = max(widest, gap(sep))
		}
		if e <= -1030 && widest < 1e-14 {
			t.Errorf("2^%d: the widest gap is %v, as if float64 had all digits there", e, widest)
		}
	}
}

// contradictory fails unless Upper shows that the rows contradict each other.
func contradictory(t testing.TB, set naive.Set, s perceptron.Space) perceptron.Separation {
	t.Helper()
	sep := separate(t, set, s)
	if sep.Separable || sep.Lower > 0 || !(sep.Upper <= 1e-12*sep.Radius) {
		t.Fatalf("%s, %v: γ in [%v, %v] of R = %v, want none", set.Name, s, sep.Lower, sep.Upper, sep.Radius)
	}
	return sep
}

// nearestSquare returns γ² = min ‖Σλᵢzᵢ‖² in rational arithmetic. The point of the hull that is
// nearest the origin is, for some subset of the rows, the nearest point of the plane through them,
// with positive λ. So all subsets are tried.
func nearestSquare(set naive.Set, s perceptron.Space) *big.Rat {
	var least *big.Rat
	Z := homogeneous(set.X, s)
	for subset := 1; subset < 1<<len(Z); subset++ {
		var rows []int
		for i := range Z {
			if subset>>i&1 == 1 {
				rows = append(rows, i)
			}
		}
		// ⟨zᵢ, Σλⱼzⱼ⟩ = μ for each i, Σλⱼ = 1; then ‖Σλⱼzⱼ‖² = μ.
		n := len(rows)
		m := make([][]*big.Rat, n+1)
		for i := range m {
			m[i] = make([]*big.Rat, n+2)
			for j := range m[i] {
				m[i][j] = new(big.Rat)
				switch {
				case i < n && j < n:
					m[i][j] = naive.RatMul(naive.RatDot(Z[rows[i]], Z[rows[j]]), naive.Rat(float64(set.Y[rows[i]]*set.Y[rows[j]])))
				case i < n && j == n:
					m[i][j] = naive.Rat(-1)
				case i == n && (j < n || j == n+1):
					m[i][j] = naive.Rat(1)
				}
			}
		}
		if !eliminate(m) {
			continue // a smaller subset has the same plane
		}
		positive := true
		for i := range n {
			positive = positive && m[i][n+1].Sign() > 0
		}
		if mu := m[n][n+1]; positive && (least == nil || mu.Cmp(least) < 0) {
			least = mu
		}
	}
	return least
}

// eliminate solves the system whose last column is its right side, and puts the
// solution there. It reports false if the system is singular.
func eliminate(m [][]*big.Rat) bool {
	for k := range m {
		p := k
		for p < len(m) && m[p][k].Sign() == 0 {
			p++
		}
		if p == len(m) {
			return false
		}
		m[k], m[p] = m[p], m[k]
		inverse := new(big.Rat).Inv(m[k][k])
		for j := range m[k] {
			m[k][j] = naive.RatMul(m[k][j], inverse)
		}
		for i := range m {
			if factor := m[i][k]; i != k && factor.Sign() != 0 {
				for j := range m[i] {
					m[i][j] = new(big.Rat).Sub(m[i][j], naive.RatMul(factor, m[k][j]))
				}
			}
		}
	}
	return true
}

// TestSeparateNaive: the bracket has the exact margin and is as narrow as rounding
// allows, on rows with ties, duplicates and zeros.
func TestSeparateNaive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 11))
	count := map[bool]int{}
	for c := range share(240) {
		set, span := naive.Set{Name: "small integers"}, 1+r.IntN(3)
		n, d := 1+r.IntN(6), 1+r.IntN(4)
		u := naive.Gaussian(r, d)
		for range n {
			x := make([]float64, d)
			for j := range x {
				x[j] = float64(r.IntN(2*span+1) - span)
			}
			y := 1 - 2*r.IntN(2)
			if c%4 > 1 && vec.Dot(u, x) != 0 {
				y = int(math.Copysign(1, vec.Dot(u, x)))
			}
			set.X, set.Y = append(set.X, x), append(set.Y, y)
		}
		s := perceptron.Space(c % 2)
		square := nearestSquare(set, s)
		count[square.Sign() > 0]++
		if square.Sign() == 0 {
			contradictory(t, set, s)
			continue
		}
		sep := bracketed(t, set, s, 1e-14)
		if naive.RatSquare(naive.Rat(sep.Lower)).Cmp(square) > 0 || naive.RatSquare(naive.Rat(sep.Upper)).Cmp(square) < 0 {
			t.Fatalf("%v, %v, %v: γ² = %v is outside [%v, %v]²", set.X, set.Y, s, square, sep.Lower, sep.Upper)
		}
	}
	if count[true] < share(32) || count[false] < share(32) {
		t.Fatalf("separable or not: %v, want many of both", count)
	}
}

// TestSeparateKnown: extreme rows with known margins.
func TestSeparateKnown(t *testing.T) {
	big, tiny, most := 1e300, 1e-300, math.MaxFloat64
	for _, c := range []struct {
		name         string
		X            [][]float64
		y            []int
		s            perceptron.Space
		lower, upper float64 // each to 10⁻¹⁵ of it
	}{
		{"one row", [][]float64{{3, 4}}, []int{-1}, perceptron.Linear, 5, 5},
		{"one row, one feature", [][]float64{{-2}}, []int{-1}, perceptron.Linear, 2, 2},
		{"one row, Affine", [][]float64{{2, 2}}, []int{1}, perceptron.Affine, 3, 3},
		{"a row of zeros, Affine", [][]float64{{0, 0}}, []int{-1}, perceptron.Affine, 1, 1},
		{"a row of zeros, Linear", [][]float64{{0, 0}}, []int{1}, perceptron.Linear, 0, 0},
		{"rows of zeros of both classes", [][]float64{{0}, {0}}, []int{1, -1}, perceptron.Affine, -1, 0},
		{"a row of zeros among others, Linear", [][]float64{{1, 2}, {0, 0}, {2, 1}}, []int{1, -1, 1}, perceptron.Linear, 0, 0},
		{"one class", [][]float64{{1, 0}, {0, 1}}, []int{1, 1}, perceptron.Linear, math.Sqrt2 / 2, math.Sqrt2 / 2},
		{"one class around zero", [][]float64{{1, 0}, {-1, 0}}, []int{1, 1}, perceptron.Affine, 1, 1},
		{"AND", [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, -1, -1, 1}, perceptron.Affine, 1 / math.Sqrt(17), 1 / math.Sqrt(17)},
		{"duplicates", [][]float64{{1}, {1}, {-1}, {1}, {-1}}, []int{1, 1, -1, 1, -1}, perceptron.Linear, 1, 1},
		{"opposite duplicates", [][]float64{{3, 1}, {3, 1}, {3, 1}}, []int{1, -1, 1}, perceptron.Affine, -math.Sqrt(11), 0},
		{"thresholds on a line", [][]float64{{1}, {3}}, []int{-1, 1}, perceptron.Affine, 1 / math.Sqrt(5), 1 / math.Sqrt(5)},
		{"huge rows", [][]float64{{big, 0}, {0, big}}, []int{1, -1}, perceptron.Linear, big * math.Sqrt2 / 2, big * math.Sqrt2 / 2},
		{"tiny rows", [][]float64{{tiny, 0}, {0, tiny}}, []int{1, -1}, perceptron.Linear, tiny * math.Sqrt2 / 2, tiny * math.Sqrt2 / 2},
		{"the least rows", [][]float64{{5e-324}, {-5e-324}}, []int{1, -1}, perceptron.Linear, 5e-324, 5e-324},
		{"the largest rows", [][]float64{{most}, {-most}}, []int{1, -1}, perceptron.Linear, most, most},
		{"the largest rows, against each other", [][]float64{{most}, {most}}, []int{1, -1}, perceptron.Linear, -most, 0},
		{"huge and tiny", [][]float64{{big}, {tiny}}, []int{1, 1}, perceptron.Linear, tiny, tiny},
		{"tiny and huge", [][]float64{{-tiny}, {big}}, []int{-1, 1}, perceptron.Linear, tiny, tiny},
		{"huge beside the bias", [][]float64{{big}, {-big}}, []int{1, -1}, perceptron.Affine, big, big},
		{"tiny beside the bias", [][]float64{{tiny}, {-tiny}}, []int{1, 1}, perceptron.Affine, 1, 1},
		{"10⁸ apart", [][]float64{{1e8, 0}, {0, 1}}, []int{1, 1}, perceptron.Linear, 1 / math.Sqrt(1+1e-16), 1 / math.Sqrt(1+1e-16)},
		{"10⁸ apart, opposed", [][]float64{{1e8, 1}, {-1, 1}}, []int{1, 1}, perceptron.Linear, 1, 1},
		{"10²⁰ apart, nearly opposed", [][]float64{{1, 1e-20}, {-1, 1e-20}}, []int{1, 1}, perceptron.Linear, 1e-20, 1e-20},
		{"10²⁰ apart, and huge", [][]float64{{1e100, 1e80, 1e60}, {-1e100, 1e80, 1e60}}, []int{1, 1}, perceptron.Linear, 1e80, 1e80},
	} {
		sep := separate(t, naive.Set{Name: c.name, X: c.X, Y: c.y}, c.s)
		if math.Abs(sep.Lower-c.lower) > 1e-15*math.Abs(c.lower) || math.Abs(sep.Upper-c.upper) > 1e-15*c.upper || sep.Separable != (c.lower > 0) {
			t.Errorf("%s: %v, γ in [%v, %v], want [%v, %v]", c.name, sep.Separable, sep.Lower, sep.Upper, c.lower, c.upper)
		}
		if math.Signbit(sep.Lower) && sep.Lower == 0 {
			t.Errorf("%s: Lower is −0", c.name)
		}
	}
}

// TestSeparateNarrow: γ is between 10⁻¹⁵R and 3·10⁻¹⁴R. The multiplier of the longest row is about
// (γ/R)², and still counts. Lower is within 10⁻¹⁵ or 10⁻¹⁶R/γ of Upper.
func TestSeparateNarrow(t *testing.T) {
	for i := range 100 {
		v := math.Pow(10, 13.6+1.3*float64(i)/100)
		for _, c := range []struct {
			X     [][]float64
			y     []int
			s     perceptron.Space
			gamma float64
		}{
			{[][]float64{{-v}, {0}}, []int{1, -1}, perceptron.Affine, 1},
			{[][]float64{{v, 0}, {0, 90}}, []int{1, 1}, perceptron.Linear, 90},
			{[][]float64{{v, 2}, {-v, 1}, {0, 3}, {v, 2}}, []int{1, 1, 1, 1}, perceptron.Linear, 1.5},
		} {
			set := naive.Set{Name: fmt.Sprint(c.X), X: c.X, Y: c.y}
			sep := bracketed(t, set, c.s, max(1e-15, 1e-16*v/c.gamma))
			if math.Abs(sep.Upper-c.gamma) > 1e-15*c.gamma {
				t.Errorf("%s: γ ≤ %v, want %v", set.Name, sep.Upper, c.gamma)
			}
		}
	}
}

// TestSeparatePlanted: on rows with a planted gap the bracket is narrow and above it.
// A planted contradiction is found.
func TestSeparatePlanted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, d int
		gap  float64
	}{{20, 1, 0.3}, {300, 3, 0.1}, {500, 20, 0.2}, {200, 40, 0.01}, {30, 60, 0.1}, {800, 50, 0.1}} {
		set := naive.Separable(uint64(c.n), c.n, c.d, c.gap)
		for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			sep := bracketed(t, set, s, 1e-13)
			if s == perceptron.Linear && sep.Lower < c.gap {
				t.Fatalf("%d×%d: γ ≥ %v, want at least %v", c.n, c.d, sep.Lower, c.gap)
			}
			row := c.n / 2
			against := naive.Set{Name: "a contradiction", X: append(slices.Clone(set.X), set.X[row]), Y: append(slices.Clone(set.Y), -set.Y[row])}
			contradictory(t, against, s)
			if c.n > 8*c.d {
				contradictory(t, naive.Noisy(uint64(c.n), c.n, c.d), s)
			}
		}
	}
	contradictory(t, naive.XOR, perceptron.Affine)
	sep := contradictory(t, naive.FourPoints, perceptron.Affine)
	for i, count := range []float64{3, 65, 44, 24} { // Online's loop has them
		if math.Abs(sep.Multipliers[i]-count/136) > 1e-15 {
			t.Errorf("λ = %v, want those of (3, 65, 44, 24)/136", sep.Multipliers)
		}
	}
}

// FuzzSeparate separates rows of any bits and shapes. Verify, which shares no code
// with the search, must find every claim true. Only bad data may give an error.
func FuzzSeparate(f *testing.F) {
	f.Add(uint8(0), uint8(2), raw(1, 3, 2, 5, 4, 1, 6, 2))
	f.Add(uint8(1), uint8(2), raw(0, 0, 1, 2, -1, 2))
	f.Add(uint8(0), uint8(1), raw(0, 1, 1, 0))
	f.Add(uint8(3), uint8(2), raw(1, 1, 1, 1, -1, -1, 1, 1))
	f.Add(uint8(1), uint8(1), raw(1e300, 1e-300))
	f.Add(uint8(1), uint8(3), raw(5e-324, 0, 0, 0, 5e-324, 0, 0, 0, 5e-324))
	f.Add(uint8(2), uint8(2), raw(1e8, 1, 1e-8, 1, -1e8, 3, 1, -1e-8))
	f.Add(uint8(1), uint8(2), raw(math.MaxFloat64, 1, -math.MaxFloat64, 1))
	f.Add(uint8(2), uint8(0), raw(1e300, -1e300, 2e300))
	f.Add(uint8(0), uint8(0), raw(1e300, -1e300))
	f.Add(uint8(0), uint8(1), raw(math.NaN(), inf, 1))
	f.Add(uint8(5), uint8(4), raw(0, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, kind, width uint8, data []byte) {
		var set naive.Set
		n := 1 + int(width%8)
		for v := floats(data); len(v) >= n; v = v[n:] {
			set.X, set.Y = append(set.X, v[:n]), append(set.Y, 1-2*(len(set.X)*int(kind)/2%2))
		}
		s := perceptron.Space(kind % 2)
		sep, err := perceptron.Separate(set.X, set.Y, s)
		if err != nil {
			if _, known := perceptron.Radius(set.X, s); known == nil {
				t.Fatalf("%v, though the rows are rows", err)
			}
			return
		}
		if err := perceptron.Verify(sep, set.X, set.Y); err != nil {
			t.Fatalf("%v\n%+v\nof %v, %v", err, sep, set.X, set.Y)
		}
	})
}
