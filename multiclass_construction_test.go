package perceptron_test

import (
	"iter"
	"math"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// The runs in this file almost reach Multiclass's bounds. The first ones take the binary
// constructions with the classes +1 and −1: each mistake of the binary model is one here,
// γ is √2 times the binary margin, and R is that of the rows. So a bound with a wrong
// factor 2 fails.

// alternate returns the rows yx with the labels +1 and −1 in turn. Their binary margin is
// that of the rows with the label +1.
func alternate(set naive.Set) (signed naive.Set) {
	for i, x := range set.X {
		y := 1 - 2*(i%2)
		row := slices.Clone(x)
		for j := range row {
			row[j] *= float64(y * set.Y[i])
		}
		signed.Add(row, y)
	}
	return signed
}

// kesler returns the vectors z of Kesler's construction, for every row and each of its
// rivals, all labelled +1: (x, 1) stands in the place of the row's class, and its negative
// in that of the rival. The classes are 0, …, classes−1, or −1 and +1.
func kesler(set naive.Set, classes int, s perceptron.Space) (rows naive.Set) {
	for i, x := range set.X {
		for r := range classes {
			if z := keslerRow(x, set.Y[i], r, classes, s); r != place(set.Y[i]) {
				rows.Add(z, +1)
			}
		}
	}
	return rows
}

// place returns the place of a class among the ascending classes.
func place(y int) int { return max(0, y) }

// keslerRow returns z of one row of class y and the rival in place r.
func keslerRow(x []float64, y, r, classes int, s perceptron.Space) []float64 {
	if s == perceptron.Affine {
		x = append(slices.Clone(x), 1)
	}
	z := make([]float64, classes*len(x))
	for j, v := range x {
		z[place(y)*len(x)+j], z[r*len(x)+j] = v, -v
	}
	return z
}

// keslerMargin returns γ of the rows for these classes, by Separate.
func keslerMargin(t testing.TB, set naive.Set, classes int, s perceptron.Space) float64 {
	t.Helper()
	return margin(t, kesler(set, classes, s))
}

// keslerConfirmed returns keslerMargin, and fails unless it is what the rows were built
// for. It is rounded down, so a bound by it is none too small.
func keslerConfirmed(t *testing.T, set naive.Set, classes int, s perceptron.Space, built float64) float64 {
	t.Helper()
	gamma := keslerMargin(t, set, classes, s)
	if math.Abs(gamma-built) > 1e-12*built {
		t.Errorf("γ = %v, built for %v", gamma, built)
	}
	return gamma
}

// achieved returns the margin of m's hyperplanes.
func achieved(t testing.TB, m *perceptron.Multiclass, set naive.Set, s perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.MulticlassGamma(m.Hyperplanes(), set.X, set.Y, s))(t)
}

// root2 is √2, rounded up.
var root2 = math.Nextafter(math.Sqrt2, 2)

// TestNearMulticlass: two classes reach 2(R/γ)², in Linear and in Affine space. With K
// classes, unit vectors reach the share K/(2(K−1)) of it.
func TestNearMulticlass(t *testing.T) {
	set := alternate(units(100))
	gamma := keslerConfirmed(t, set, 2, perceptron.Linear, 0.1*math.Sqrt2)
	linear := &perceptron.Online{Space: perceptron.Linear, Rate: 0.1}
	res := fit(t, set, &perceptron.Multiclass{Binary: linear})
	nearly(t, "MulticlassBound", float64(res.Mistakes), perceptron.MulticlassBound(1, gamma), 0.9999999)

	set = hadamard()
	gamma = keslerConfirmed(t, set, 2, perceptron.Affine, math.Sqrt2)
	res = fit(t, set, new(perceptron.Multiclass))
	R := radiusOf(t, set, perceptron.Affine)
	nearly(t, "MulticlassBound, Affine", float64(res.Mistakes), perceptron.MulticlassBound(R, gamma), 0.9999999)

	for classes := 2; classes <= 7; classes++ {
		set, n := units(56), 56.0
		for i := range set.Y {
			set.Y[i] = i % classes
		}
		share := float64(classes) / float64(2*(classes-1))
		gamma := keslerConfirmed(t, set, classes, perceptron.Linear, math.Sqrt(2*share/n))
		res := fit(t, set, &perceptron.Multiclass{Binary: linear})
		nearly(t, "MulticlassBound, more classes", float64(res.Mistakes), perceptron.MulticlassBound(1, gamma), 0.9999999*share)
	}
}

// TestNearMulticlassMargin: γ′ = γ comes near the sharp form of the theorem, and a small
// γ′ near MarginBound of √2·R. Half of γ′ is reached.
func TestNearMulticlassMargin(t *testing.T) {
	for _, c := range []struct {
		rho, share float64
		updates    int
	}{{1, 0.62, 2511}, {0.1, 0.96, 1070}} {
		prime := c.rho * nearGamma
		set := alternate(spiral(1, nearGamma, [3]float64{}, func(w []float64, _ float64) float64 {
			return prime / 2 * math.Sqrt(w[0]*w[0]+w[1]*w[1]+w[2]*w[2])
		}))
		gamma := keslerConfirmed(t, set, 2, perceptron.Linear, root2*nearGamma)
		m := &perceptron.Multiclass{Binary: &perceptron.Margin{Space: perceptron.Linear, Gamma: root2 * prime}}
		res := fit(t, set, m)
		bound := perceptron.MarginBound(root2, gamma, root2*prime)
		nearly(t, "MarginBound", float64(res.Mistakes), bound, c.share)
		if res.Mistakes != c.updates || res.Epochs != 2 {
			t.Errorf("ρ = %v: %+v, want %d updates in 2 epochs", c.rho, res, c.updates)
		}
		if got := achieved(t, m, set, perceptron.Linear); got < root2*prime/2*(1-1e-12) {
			t.Errorf("ρ = %v: margin %v, want at least %v", c.rho, got, root2*prime/2)
		}
	}
}

// TestNearMulticlassThreshold: θ = 2R² makes nearly 6(R/γ)² updates, and leaves nearly
// γ/3. So does the rule that finds θ by itself.
func TestNearMulticlassThreshold(t *testing.T) {
	set := alternate(spiral(1, nearGamma, [3]float64{}, func([]float64, float64) float64 { return 1 }))
	gamma := keslerConfirmed(t, set, 2, perceptron.Linear, root2*nearGamma)
	for _, p := range []*perceptron.Margin{{Space: perceptron.Linear, Threshold: 2}, {Space: perceptron.Linear}} {
		m := &perceptron.Multiclass{Binary: p}
		res := fit(t, set, m)
		k, least := perceptron.ThresholdBound(root2, gamma, 1, 2)
		nearly(t, "ThresholdBound", float64(res.Mistakes), k, 0.999)
		nearly(t, "6(R/γ)²", float64(res.Mistakes), 3*perceptron.MulticlassBound(1, gamma), 0.999)
		got := achieved(t, m, set, perceptron.Linear)
		nearly(t, "ThresholdBound, margin", least, got, 0.999)
		nearly(t, "γ/3", gamma/3, got, 0.999)
	}
}

// TestNearMulticlassInseparable: unit vectors reach InseparableBound of √2·R, and nearly
// so when a row contradicts the first.
func TestNearMulticlassInseparable(t *testing.T) {
	for _, c := range []struct{ gamma, share, contradicted float64 }{{1, 0.99999, 0}, {2, 0.99999, 0.99}, {5, 0.99999, 0.9}} {
		const n = 400
		set, gamma := alternate(units(n)), c.gamma*math.Sqrt2/20
		u := perceptron.Hyperplane{Weights: make([]float64, 2*n)} // W: −1 for the class −1, +1 for +1, with each row's sign
		for i, x := range set.X {
			for j, v := range x {
				if v != 0 {
					u.Weights[j], u.Weights[n+j] = -v*float64(set.Y[i]), v*float64(set.Y[i])
				}
			}
		}
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1}}
		for share := c.share; share > 0; share = c.contradicted {
			res := fit(t, set, m)
			rows := kesler(set, 2, perceptron.Linear)
			D, L := deviationsOf(t, rows, u, perceptron.Linear, gamma)
			nearly(t, "InseparableBound by D", float64(res.Mistakes), perceptron.InseparableBound(root2, gamma, D, 1e18), share)
			if len(set.X) > n {
				break
			}
			nearly(t, "InseparableBound by L", float64(res.Mistakes), perceptron.InseparableBound(root2, gamma, 1e18, L), share)
			set.Add(set.X[0], -set.Y[0])
		}
	}
}

// TestNearMulticlassMix: shards that are alike reach 2(R/γ)² weighted mistakes under any
// weights.
func TestNearMulticlassMix(t *testing.T) {
	set := alternate(units(25))
	gamma := keslerConfirmed(t, set, 2, perceptron.Linear, 0.2*math.Sqrt2)
	for _, weights := range [][]float64{nil, {1, 0, 0}, {0.5, 0.2, 0.3}} {
		var shards []*perceptron.Multiclass
		weighted, mu := 0.0, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}
		if weights != nil {
			mu = weights
		}
		for s := range 3 {
			m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear}}
			weighted += mu[s] * float64(firstEpoch(t, m.Epochs(set.X, set.Y)).Mistakes)
			shards = append(shards, m)
		}
		mean := must(perceptron.Mix(shards, weights))(t)
		if e := must(mean.Learn(set.Pairs()))(t); e.Mistakes != 0 {
			t.Fatalf("the second round has %d mistakes", e.Mistakes)
		}
		bound, _ := perceptron.MixBound(root2, gamma, 3)
		nearly(t, "MixBound", weighted, bound, 0.9999999)
	}
}

// firstEpoch trains one epoch.
func firstEpoch(t *testing.T, epochs iter.Seq2[perceptron.Epoch, error]) perceptron.Epoch {
	t.Helper()
	for e, err := range epochs {
		return must(e, err)(t)
	}
	t.Fatal("no epoch")
	return perceptron.Epoch{}
}
