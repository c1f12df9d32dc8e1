package train

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// ByNorm is Rosenblatt's rule on rows of norm 1: the step is ηy/‖x‖. The package ships no rule that asks
// for ‖x‖². Its steps differ, so package vec may not make its updates.
var ByNorm = &Rule{Name: "Online", Square: true, Step: func(e Example) float64 { return e.Rate * e.Y / math.Sqrt(e.Square) }}

// TestStepOfSquare: a rule that asks for ‖x‖² gets it, in an epoch, in a stream and in Update, and gives
// the weights of its formula. Result.Upper is no less than the margin of any hyperplane, which ‖w‖/(ηk)
// is here.
func TestStepOfSquare(t *testing.T) {
	below := 0
	for seed := range uint64(50) {
		set := naive.Separable(seed, 40, 5, 0.3)
		for _, c := range []Config{{}, {Space: Linear}, {Keep: Average}, {Keep: Pocket}, {Rest: true}} {
			c.Rule, c.Rate, c.MaxEpochs = ByNorm, 0.5, 60
			m := newModel(c)
			once, stream, rows := m.fresh(), m.fresh(), m.fresh()
			once.MaxEpochs = 1
			res := must(m.Fit(set.X, set.Y))(t)
			must(once.Fit(set.X, set.Y))(t)
			must(stream.Learn(set.X, set.Y))(t)
			for i, x := range set.X {
				must(rows.Update(x, set.Y[i]))(t)
			}
			w := make([]float64, 6)
			mistakes, steps := naiveByNorm(w, set, &c)
			for what, got := range map[string]*model{"Fit": once, "Learn": stream, "Update": rows} {
				i := got.Planes() - 1 // of +1
				if c.Rest && what != "Fit" {
					continue // the class arrives after the first rows
				}
				if iterate := got.now.planes.InTraining(i); fmt.Sprint(iterate) != fmt.Sprint(w) {
					t.Fatalf("%+v, %s: %v, want %v after %d updates", c, what, iterate, w, mistakes)
				}
			}
			for range res.Epochs - 1 {
				n, s := naiveByNorm(w, set, &c)
				mistakes, steps = mistakes+n, steps+s
			}
			if c.Rest || res.Stop != Converged {
				continue
			}
			least, norm := inf, math.Sqrt(vec.Dot(w, w))
			for i, x := range set.X {
				least = min(least, float64(set.Y[i])*weights.Score(w, x)/norm)
			}
			if !(math.Abs(res.Upper-norm/steps) <= 1e-12*norm/steps) || res.Upper < least*(1-1e-12) { // also if Upper is +Inf
				t.Errorf("%+v: Upper is %v, want %v, at least %v", c, res.Upper, norm/steps, least)
			}
			if norm/c.Rate/float64(mistakes) < least {
				below++
			}
		}
	}
	if below == 0 {
		t.Error("‖w‖/(ηk) is never below the margin: the test shows nothing")
	}
}

// naiveByNorm trains w with the rows in their order, by the formula, and returns the number of updates
// and the sum of the steps' sizes.
func naiveByNorm(w []float64, set naive.Set, c *Config) (mistakes int, steps float64) {
	for i, x := range set.X {
		y, square := float64(set.Y[i]), vec.Dot(x, x)
		if c.Space == Affine {
			square++
		}
		if y*weights.Score(w, x) > 0 {
			continue
		}
		step := c.Rate * y / math.Sqrt(square)
		for j, v := range x {
			w[j] += float64(step * v)
		}
		if c.Space == Affine {
			w[len(x)] += step
		}
		mistakes, steps = mistakes+1, steps+math.Abs(step)
	}
	return mistakes, steps
}

// TestParameters: set finds the value of every field of Parameters, for the errors about a field that has
// changed.
func TestParameters(t *testing.T) {
	for i := range reflect.TypeOf(Parameters{}).NumField() {
		var p Parameters
		if reflect.ValueOf(&p).Elem().Field(i).SetFloat(2); p.set() != 2 {
			t.Errorf("set returns %v for %+v, want 2", p.set(), p)
		}
	}
}

// ByShare has a θ that depends on the updates so far, and on ‖w‖².
var ByShare = &Rule{Name: "Margin", With: "Share", Step: rosenblatt, Constant: true, Tally: true, Theta: func(u Progress) float64 {
	return u.Share * u.Norm2 / (u.Rate * float64(max(1, u.Updates)))
}}

// TestTally: after each update the number of updates is exact, and ‖w‖² is within its bound of the exact
// square. Rows have every length, and there are many classes.
func TestTally(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		d := []int{1, 3, 8, 33, 200, 3000}[seed%6]
		m := newModel(Config{Rule: ByShare, Rate: 0.1 + r.Float64(), Space: uint8(seed / 6 % 2), Parameters: Parameters{Share: 0.5}})
		if seed/12%2 == 1 {
			m.Rival = &rivalRule
		} else if seed/24%2 == 1 {
			m.Start = append(naive.Noisy(seed, 1, d).X[0], 0)
		}
		updates, largest := int64(0), 0.
		for range 30 {
			x := make([]float64, d)
			for j := range x {
				x[j] = r.NormFloat64() * 3
			}
			if must(m.Update(x, 2*r.IntN(2)-1))(t) {
				updates++
			}
			exact, u := new(big.Float).SetPrec(2000), m.now.units[0]
			for i := range m.Planes() {
				for _, w := range m.now.planes.InTraining(i) {
					v := new(big.Float).SetPrec(2000).SetFloat64(w)
					exact.Add(exact, v.Mul(v, v))
				}
			}
			square, _ := exact.Float64()
			largest = max(largest, square)
			differs, _ := exact.Sub(exact, big.NewFloat(u.tally.Norm2)).Float64()
			bound := float64(updates+1) * float64(d/4+128) * 0x1p-53 * largest
			if u.tally.Updates != updates || math.Abs(differs) > bound {
				t.Fatalf("seed %d, width %d: %+v, want %d updates and %v, which differs by %v", seed, d, u.tally, updates, square, differs)
			}
		}
	}
}
