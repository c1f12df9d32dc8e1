package perceptron

import (
	"fmt"
	"math"
	"testing"
)

// TestErrorConfig: training rejects fields that make no sense, and changes of
// fields that must not change once training has begun.
func TestErrorConfig(t *testing.T) {
	faults, on := []fault(nil), ""
	refuse := func(f fields, text string, args ...any) {
		w := want{ErrConfig, -1, "bad configuration: " + fmt.Sprintf(text, args...)}
		faults = append(faults, fault{"", "Fit", f, xor.X, xor.y, w}, fault{on, resume, f, xor.X, xor.y, w})
	}
	for _, v := range []float64{-1, math.NaN(), inf, -inf} {
		refuse(fields{"Rate": v}, "Rate is %v, want a positive finite number, or 0 for 1", v)
		refuse(fields{"Gamma": v}, "Gamma is %v, want a positive finite number, or 0 for another rule", v)
		refuse(fields{"Threshold": v}, "Threshold is %v, want a positive finite number, or 0 for another rule", v)
	}
	for _, m := range []Binary{(*Online)(nil), (*Batch)(nil), (*Margin)(nil)} {
		refuse(fields{"Binary": m}, "Binary is a nil %T; use a non-nil model, or leave Binary nil", m)
	}
	for _, m := range []Binary{struct{ Binary }{}, struct{ *Online }{new(Online)}} {
		refuse(fields{"Binary": m}, "Binary is a %T, want a *perceptron.Online or *perceptron.Margin, or in OneVsRest a *perceptron.Batch", m)
	}
	must((&OneVsRest{Binary: &Batch{Workers: -1}}).Fit(xor.X, xor.y))(t) // Batch's own Workers is ignored
	refuse(fields{"Gamma": 1.0, "Threshold": 2.0}, "Gamma is 1 and Threshold is 2, want at most one of them set")
	refuse(fields{"MaxEpochs": -1}, "MaxEpochs is -1, want at least 1, or 0 for 1000")
	refuse(fields{"Workers": -2}, "Workers is -2, want at least 1, or 0 for GOMAXPROCS")
	refuse(fields{"Space": Space(2)}, "Space is 2, want one of Affine, Linear")
	refuse(fields{"Order": Order(3)}, "Order is 3, want one of Cyclic, Shuffled, Sampled")
	refuse(fields{"Keep": Keep(3)}, "Keep is 3, want one of Last, Average, Pocket")
	on = " untrained" // continued training does not read Start
	refuse(fields{"Space": Linear, "Start": Hyperplane{Bias: 1}}, "Start.Bias is 1 in Linear space, want 0")
	refuse(fields{"Start": Hyperplane{Bias: math.NaN()}}, "Start.Bias is NaN, want a finite number")
	refuse(fields{"Start": Hyperplane{Weights: []float64{inf, 0}}}, "Start.Weights[0] is +Inf, want a finite number")
	refuse(fields{"Start": Hyperplane{Weights: []float64{0, -inf}}}, "Start.Weights[1] is -Inf, want a finite number")
	changed := func(on string, f fields, text string) {
		w := want{ErrConfig, -1, "bad configuration: " + text + "; Fit starts from scratch"}
		faults = append(faults, fault{on + " trained", resume, f, xor.X, xor.y, w}, fault{on, anew, f, xor.X, xor.y, accept})
	}
	changed("", fields{"Space": Linear}, "Space is Linear, but training began with Affine")
	changed("pocket", fields{"Order": Sampled}, "Order is Sampled, but training began with Shuffled")
	changed("pocket", fields{"Keep": Average}, "Keep is Average, but training began with Pocket")
	changed("margin", fields{"Gamma": 1.0}, "the rule is Margin with Gamma, but training began with Margin")
	changed("gamma average", fields{"Gamma": 1.0}, "Margin with Gamma is 1, but training began with 0.5")
	changed("threshold pocket", fields{"Threshold": 1.0}, "Margin with Threshold is 1, but training began with 2")
	changed("multi", fields{"Binary": &Margin{Threshold: 1}}, "the rule is Margin with Threshold, but training began with Online")
	changed("batch", fields{"Binary": new(Online)}, "the rule is Online, but training began with Batch")
	for _, f := range []fields{{"Rate": 0.5, "MaxEpochs": 7}, {"Workers": 3}, {"Seed": uint64(5)}, {"Start": Hyperplane{Bias: inf}}} {
		faults = append(faults, fault{" trained", resume, f, xor.X, xor.y, accept})
	}
	show(t, 2, faults)
	w, m := want{ErrConfig, -1, "bad configuration: Binary is a *perceptron.Batch, which has only Fit and Epochs"}, &OneVsRest{Binary: new(Batch)}
	w.check(t, only(m.Learn(pairs(xor.X, xor.y))))
	if w.check(t, only(m.Update(xor.X[0], 1))); snapshot(m) != "nothing" {
		t.Error("an example is learned over Batch")
	}
}
