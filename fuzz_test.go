package perceptron

import (
	"encoding/binary"
	"math"
	"testing"

	"perceptron/internal/vec"
)

// floats reads float64s of any bits from data.
func floats(data []byte) []float64 {
	var v []float64
	for ; len(data) >= 8; data = data[8:] {
		v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return v
}

// raw is the inverse of floats.
func raw(v ...float64) (data []byte) {
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// FuzzModels trains every kind of model on rows of any bits and widths. Nothing
// panics, an error leaves the model as it was, and a model that has learned holds
// only finite numbers.
func FuzzModels(f *testing.F) {
	f.Add(uint16(0), uint8(2), raw(1, 0, 1, 1, 0, 1, -1, -1))
	f.Add(uint16(77), uint8(1), raw(1e300, -1e300, 1e308, 5e-324))
	f.Add(uint16(301), uint8(3), raw(math.NaN(), 1, 2, inf, 0, 0))
	f.Add(uint16(911), uint8(0), raw(1, 2))
	f.Add(uint16(727), uint8(1), raw(1, -1, 1e300, -1e300, 0.5))
	f.Add(uint16(867), uint8(2), raw(1, 2, 3, 4, inf, 0, 1e200, -1e200))
	f.Fuzz(func(t *testing.T, kind uint16, width uint8, data []byte) {
		m, set := fuzzed(kind, int(width%40), floats(data))
		hold := func(what string, err error, before string) {
			if after := snapshot(m); err != nil && after != before {
				t.Fatalf("%s: %v, but the model is\n%s, want\n%s", what, err, after, before)
			}
			checkFinite(t, m)
		}
		for _, method := range []string{"Fit", "Update", "Epochs", "Predict", "Fit"} {
			before := snapshot(m)
			switch method {
			case "Fit":
				_, err := m.Fit(set.X, set.y)
				hold(method, err, before)
			case "Predict":
				for _, x := range set.X {
					_, err := m.Predict(x)
					hold(method, err, snapshot(m))
				}
			case "Update":
				for i, x := range set.X {
					before := snapshot(m)
					_, err := m.(streamer).Update(x, set.y[i])
					hold(method, err, before)
				}
			case "Epochs":
				for _, err := range m.(ranger).Epochs(set.X, set.y) {
					hold(method, err, before)
					before = snapshot(m)
				}
			}
		}
	})
}

// fuzzed returns a model and rows, most of one width.
func fuzzed(kind uint16, width int, v []float64) (model, dataset) {
	order, keep, space := Order(kind%3), Keep(kind/3%3), Space(kind/9%2)
	rate := []float64{0, 0.1, 1e300, 1e-300}[kind/18%4]
	var m model = &Online{Order: order, Keep: keep, Space: space, Rate: rate, MaxEpochs: 3}
	rule := kind / 72 % 5
	switch p := (&Margin{Order: order, Keep: keep, Space: space, Rate: rate, MaxEpochs: 3}); rule {
	case 1:
		m = p
	case 2:
		p.Gamma = 0.5
		m = p
	case 3:
		p.Threshold = 1e3
		m = p
	}
	switch kind / 360 % 3 {
	case 1:
		m = &OneVsRest{Binary: AsBinary(m)}
	case 2:
		m = &Multiclass{Binary: AsBinary(m)}
	}
	var set dataset
	for i := 0; len(v) > 0; i++ {
		n := min(max(width, 1), len(v))
		label := 1 - 2*(i*int(kind+7)/3%2)
		if kind/360%3 == 2 { // more classes, some of them late
			label *= 1 + i*i%5/3
		}
		set.X, set.y = append(set.X, v[:n]), append(set.y, label)
		v = v[n:]
	}
	return m, set
}

func checkFinite(t *testing.T, m model) {
	t.Helper()
	if stateOf(m) == nil {
		return
	}
	for _, h := range stateOf(m).Hyperplanes {
		all := [][]float64{h.Weights, {h.Bias, h.R2}}
		if a := h.Average; a != nil {
			all = append(all, a.Iterate, a.Sum, a.Low)
		}
		if h.Pocket != nil {
			all = append(all, h.Pocket.Iterate)
		}
		for _, v := range all {
			if !vec.Finite(v) {
				t.Fatalf("the model holds %v", v)
			}
		}
	}
}

// FuzzBounds: no argument panics, and the results are ordered as the theorems say.
func FuzzBounds(f *testing.F) {
	f.Add(1.0, 0.1, 1.0, 2.0, -3.0)
	f.Add(1e300, 1e-300, 5e-324, inf, math.NaN())
	f.Add(-1.0, 0.0, math.Copysign(0, -1), 1e308, 1e-308)
	f.Fuzz(func(t *testing.T, R, gamma, eta, a, b float64) {
		K := MistakeBound(R, gamma)
		k, margin := ThresholdBound(R, gamma, eta, a)
		A, B := StartEnvelope(R, gamma, eta, b)
		if A > B && gamma <= R {
			t.Errorf("StartEnvelope(%v, %v, %v, %v) = %v, %v", R, gamma, eta, b, A, B)
		}
		if margin > max(0, gamma) {
			t.Errorf("ThresholdBound promises a margin of %v of %v", margin, gamma)
		}
		for _, larger := range []float64{StartBound(R, gamma, eta, a, b), MarginBound(R, gamma, a), k, InseparableBound(R, gamma, a, b), BatchBound(2, R, gamma)} {
			if larger < K {
				t.Errorf("a bound of %v is below (R/γ)² = %v for %v, %v, %v, %v, %v", larger, K, R, gamma, eta, a, b)
			}
		}
		_, _ = MixBound(R, gamma, 3)
	})
}
