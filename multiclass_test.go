package perceptron

import (
	"fmt"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestSeparateFits compares OneVsRest with K separate fits, bit for bit, for every
// number of workers. Some classes converge, some cycle, and some reach the limit.
func TestSeparateFits(t *testing.T) {
	sets := []naive.Set{naive.Multi(1, 90, 4, 3), naive.Multi(2, 1100, 160, 6), {Name: "rings", X: append(slices.Clone(naive.XOR.X), []float64{5, 5}), Y: []int{4, 2, 2, 4, 9}}}
	for _, set := range sets {
		for name, b := range binaries(len(set.X[0]), 12) {
			t.Run(fmt.Sprintf("%s%d/%s", set.Name, len(set.X), name), func(t *testing.T) {
				for _, workers := range []int{1, 2, 3, 8} {
					compareSeparate(t, &OneVsRest{Binary: AsBinary(b), Workers: workers}, b, set)
				}
			})
		}
	}
}

func compareSeparate(t *testing.T, m *OneVsRest, b model, set naive.Set) {
	res := must(m.Fit(set.X, set.Y))(t)
	want := Result{Upper: inf, Stop: Converged}
	for i, class := range m.Classes() {
		one := b.unlearned()
		r := must(one.Fit(set.X, naive.Against(set.Y, class)))(t)
		h := one.(interface{ Hyperplane() Hyperplane }).Hyperplane()
		if !samePlane(m.Hyperplanes().Planes[i], h) {
			t.Fatalf("class %d: %v, want %v of the separate fit", class, m.Hyperplanes().Planes[i], h)
		}
		want.Epochs = max(want.Epochs, r.Epochs)
		want.Mistakes += r.Mistakes
		want.Upper = min(want.Upper, r.Upper)
		if r.Stop == EpochLimit || r.Stop == Cycled && want.Stop != EpochLimit {
			want.Stop = r.Stop
		}
	}
	if res != want {
		t.Fatalf("Result %+v, want %+v", res, want)
	}
}

// TestMultiStream: Update and Learn train each class on all examples since its
// first, in any order of arrival.
func TestMultiStream(t *testing.T) {
	set := naive.Multi(3, 60, 4, 4)
	for name, b := range onlineGrid(4, 0) {
		t.Run(name, func(t *testing.T) {
			m, l := &OneVsRest{Binary: b}, &OneVsRest{Binary: b}
			separate := map[int]binaryModel{}
			for i, x := range set.X {
				if separate[set.Y[i]] == nil {
					separate[set.Y[i]] = b.unlearned().(binaryModel)
				}
				want := false
				for class, p := range separate {
					want = must(p.Update(x, naive.Against(set.Y, class)[i]))(t) || want
				}
				if got := must(m.Update(x, set.Y[i]))(t); got != want {
					t.Fatalf("Update %d = %v, want %v", i, got, want)
				}
			}
			e := must(l.Learn(set.Stream()))(t)
			if e.N != 1 || e.Examples != 60 || e.Stop != Running {
				t.Fatalf("Learn = %+v", e)
			}
			for i, class := range m.Classes() {
				want := separate[class].Hyperplane()
				if !samePlane(m.Hyperplanes().Planes[i], want) || !samePlane(l.Hyperplanes().Planes[i], want) {
					t.Fatalf("class %d: %v and %v, want %v", class, m.Hyperplanes().Planes[i], l.Hyperplanes().Planes[i], want)
				}
			}
			if len(m.Classes()) != 4 || !slices.IsSorted(m.Classes()) {
				t.Fatalf("Classes = %v", m.Classes())
			}
		})
	}
}

// TestTie: of the classes with the highest score, Predict returns the lowest.
func TestTie(t *testing.T) {
	same := &OneVsRest{Binary: &Batch{MaxEpochs: 1}}
	must(same.Fit([][]float64{{0}, {0}}, []int{6, 3}))(t)
	if got := must(same.Predict([]float64{1}))(t); got != 3 {
		t.Errorf("Predict of equal scores = %d, want the lowest class 3", got)
	}
}
