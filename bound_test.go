package perceptron

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestMistakeBound: the bound is the least float64 that is not below the quotient.
func TestMistakeBound(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ R, gamma, want float64 }{
		{5, 1, 25}, {1, 0.25, 16}, {3, 2, 2.25}, {0, 1, 0}, {1, 0, inf}, {1, -1, inf}, {1, -inf, inf},
		{0, 0, inf}, {inf, 1, inf}, {inf, inf, inf}, {1, inf, 0}, {-1, 1, nan}, {-1, 0, nan}, {-1, -1, nan},
		{nan, 1, nan}, {1, nan, nan}, {nan, -1, nan}, {1e-200, 1e200, 5e-324}, {1e200, 1e-200, inf}, {1, 3, above(1.0 / 9)},
	} {
		same(t, fmt.Sprint("R and γ of ", c), MistakeBound(c.R, c.gamma), c.want)
	}
	checkRounded(t, 1, MistakeBound)
}

// TestMulticlassBound: it is twice MistakeBound, and no float64 lies between it and the quotient.
func TestMulticlassBound(t *testing.T) { checkRounded(t, 2, MulticlassBound) }

// checkRounded fails unless the bound is the least float64 that is not below factor·(R/γ)².
func checkRounded(t *testing.T, factor float64, bound func(R, gamma float64) float64) {
	r := rand.New(rand.NewPCG(3, 6))
	for range 2000 {
		R, gamma := math.Abs(r.NormFloat64()), math.Abs(r.NormFloat64())
		exact := ratMul(rat(factor), new(big.Rat).Quo(ratSquare(rat(R)), ratSquare(rat(gamma))))
		k := bound(R, gamma)
		if rat(k).Cmp(exact) < 0 || rat(math.Nextafter(k, 0)).Cmp(exact) >= 0 {
			t.Fatalf("the bound of %v and %v is %v, exactly %v", R, gamma, k, exact)
		}
	}
}

// TestBoundArguments: special cases of every bound, and values computed by hand.
func TestBoundArguments(t *testing.T) {
	nan := math.NaN()
	start := func(a ...float64) float64 { return StartBound(a[0], a[1], a[2], a[3], a[4]) }
	margin := func(a ...float64) float64 { return MarginBound(a[0], a[1], a[2]) }
	threshold := func(a ...float64) float64 { k, _ := ThresholdBound(a[0], a[1], a[2], a[3]); return k }
	least := func(a ...float64) float64 { _, m := ThresholdBound(a[0], a[1], a[2], a[3]); return m }
	batch := func(a ...float64) float64 { return BatchBound(int(a[0]), a[1], a[2]) }
	inseparable := func(a ...float64) float64 { return InseparableBound(a[0], a[1], a[2], a[3]) }
	A := func(a ...float64) float64 { v, _ := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	B := func(a ...float64) float64 { _, v := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	mix := func(a ...float64) float64 { m, _ := MixBound(a[0], a[1], int(a[2])); return m }
	rounds := func(a ...float64) float64 { _, r := MixBound(a[0], a[1], int(a[2])); return r }
	multi := func(a ...float64) float64 { return MulticlassBound(a[0], a[1]) }
	for i, c := range []struct {
		f    func(...float64) float64
		args []float64
		want float64
	}{
		// (9 + 4/2)/4 = 2.75, against 9/4 + 2·3/(2·2) = 3.75
		{start, []float64{3, 2, 2, 3, -4}, 2.75},
		// (9 + 40/2)/4 = 7.25, against 9/4 + 2·1/(2·2) = 2.75
		{start, []float64{3, 2, 2, 1, -40}, 2.75},
		{start, []float64{3, 2, 0, 0, 5}, 2.25},
		{start, []float64{3, 0, 1, 1, -1}, inf}, {start, []float64{3, -2, 1, 1, -1}, inf}, {start, []float64{3, inf, 1, 1, -1}, 0},
		{start, []float64{-3, 2, 1, 1, -1}, nan}, {start, []float64{3, nan, 1, 1, -1}, nan}, {start, []float64{3, 2, -1, 1, -1}, nan},
		{start, []float64{3, 2, 1, -1, -1}, nan}, {start, []float64{3, 2, 1, 1, nan}, nan}, {start, []float64{3, 2, 1, inf, -1}, inf},
		{start, []float64{3, 2, 1, 1, -inf}, inf}, {start, []float64{3, 2, 1, 1, inf}, 2.25},
		{A, []float64{3, 2, 0.5, -4}, 1}, {B, []float64{3, 2, 0.5, -4}, 4.25}, {B, []float64{3, 2, 0.5, 4}, 2.25},
		{A, []float64{3, -2, 0.5, -4}, 0}, {B, []float64{3, -2, 0.5, -4}, 4.25}, {A, []float64{3, 2, 0, 0}, 4},
		{B, []float64{3, 2, 1, -inf}, inf}, {A, []float64{3, 2, 1, -inf}, 0}, {threshold, []float64{0, 1, 1, 0}, 0}, {least, []float64{0, 1, 1, 0}, 0},
		{A, []float64{3, nan, 1, 0}, nan}, {B, []float64{3, 2, -1, 0}, nan}, {A, []float64{inf, 2, 1, 0}, 0}, {B, []float64{inf, 2, 1, 0}, inf},
		{A, []float64{3, 2, 0.5, inf}, 1}, {B, []float64{3, 2, 0.5, inf}, 2.25}, {A, []float64{3, -inf, 1, 0}, 0}, {B, []float64{3, -inf, 1, 0}, 9},
		{A, []float64{3, inf, 1, 0}, 0}, {B, []float64{3, inf, 1, 0}, inf}, {A, []float64{3, 2, inf, 0}, 0}, {B, []float64{3, 2, inf, 0}, inf},
		{A, []float64{-3, 2, 1, 0}, nan}, {B, []float64{3, 2, 1, nan}, nan}, {A, []float64{inf, 2, -1, 0}, nan}, {B, []float64{3, nan, inf, 0}, nan},
		{margin, []float64{3, 2, 1}, 4}, {margin, []float64{3, 2, 2}, 9}, {margin, []float64{3, 2, 0}, 2.25},
		{margin, []float64{3, 2, 4}, inf}, {margin, []float64{3, 2, 5}, inf}, {margin, []float64{3, 0, 1}, inf},
		{margin, []float64{3, 2, -1}, nan}, {margin, []float64{3, 2, nan}, nan}, {margin, []float64{-3, 2, 1}, nan},
		{threshold, []float64{3, 2, 2, 4}, 3.25}, {least, []float64{2, 3, 2, 4}, 0.75}, {least, []float64{3, 2, 2, 0}, 0},
		{threshold, []float64{3, 2, 1, 9}, 3 * 2.25}, {least, []float64{3, 2, 0, 9}, 2.0 / 3},
		{threshold, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, -2, 1, 1}, 0},
		{batch, []float64{10, 3, 2}, 22.5}, {batch, []float64{0, 3, 2}, 0}, {batch, []float64{-1, 3, 2}, nan}, {batch, []float64{1, 3, 0}, inf},
		{inseparable, []float64{3, 2, 0, 0}, 2.25}, {inseparable, []float64{3, 2, 1, 100}, 4},
		// ((3 + √(9 + 4·2·2))/4)² = 4
		{inseparable, []float64{3, 2, 100, 2}, 4}, {inseparable, []float64{3, 0, 1, 1}, inf}, {inseparable, []float64{3, 1, inf, 1}, inf},
		{inseparable, []float64{3, 2, -1, 1}, nan}, {inseparable, []float64{3, 2, 1, -1}, nan}, {inseparable, []float64{3, nan, 1, 1}, nan},
		{mix, []float64{3, 2, 5}, 2.25}, {rounds, []float64{3, 2, 5}, 11.25}, {rounds, []float64{3, 2, -5}, nan}, {mix, []float64{3, 2, -5}, nan},
		{mix, []float64{3, 0, 5}, inf}, {rounds, []float64{3, 0, 5}, inf}, {mix, []float64{3, inf, 5}, 0}, {rounds, []float64{3, 2, 0}, 0},
		{multi, []float64{3, 2}, 4.5}, {multi, []float64{0, 1}, 0}, {multi, []float64{1, inf}, 0}, {multi, []float64{1, 0}, inf}, {multi, []float64{1, -1}, inf},
		{multi, []float64{inf, 1}, inf}, {multi, []float64{0, 0}, inf}, {multi, []float64{-1, 1}, nan}, {multi, []float64{nan, 1}, nan}, {multi, []float64{1, nan}, nan},
		{multi, []float64{1, 3}, above(2.0 / 9)}, {multi, []float64{1e-200, 1e200}, 5e-324}, {multi, []float64{0x1p511, 0x1p-1}, inf},
	} {
		same(t, fmt.Sprint("case ", i, ", ", c.args), c.f(c.args...), c.want)
	}
}
