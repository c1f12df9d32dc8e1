package tests_test

import (
	"math"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// TestBoundArguments: special cases of every bound, and values computed by hand.
func TestBoundArguments(t *testing.T) {
	nan := math.NaN()
	start := func(a ...float64) float64 { return perceptron.StartBound(a[0], a[1], a[2], a[3], a[4]) }
	margin := func(a ...float64) float64 { return perceptron.MarginBound(a[0], a[1], a[2]) }
	threshold := func(a ...float64) float64 { k, _ := perceptron.ThresholdBound(a[0], a[1], a[2], a[3]); return k }
	least := func(a ...float64) float64 { _, m := perceptron.ThresholdBound(a[0], a[1], a[2], a[3]); return m }
	batch := func(a ...float64) float64 { return perceptron.BatchBound(int(a[0]), a[1], a[2]) }
	inseparable := func(a ...float64) float64 { return perceptron.InseparableBound(a[0], a[1], a[2], a[3]) }
	A := func(a ...float64) float64 { v, _ := perceptron.StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	B := func(a ...float64) float64 { _, v := perceptron.StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	mix := func(a ...float64) float64 { m, _ := perceptron.MixBound(a[0], a[1], int(a[2])); return m }
	rounds := func(a ...float64) float64 { _, r := perceptron.MixBound(a[0], a[1], int(a[2])); return r }
	multi := func(a ...float64) float64 { return perceptron.MulticlassBound(a[0], a[1]) }
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
		{multi, []float64{1, 3}, math.Nextafter(2.0/9, 1)}, {multi, []float64{1e-200, 1e200}, 5e-324}, {multi, []float64{0x1p511, 0x1p-1}, inf},
	} {
		if got := c.f(c.args...); !naive.Same(got, c.want) { // any NaN: its sign depends on the machine
			t.Errorf("case %d, %v: %v, want %v", i, c.args, got, c.want)
		}
	}
}
