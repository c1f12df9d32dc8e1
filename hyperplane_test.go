package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestDistance: distances, also where ‖w‖, or its square, leaves float64's range.
func TestDistance(t *testing.T) {
	plane := func(b float64, w ...float64) Hyperplane { return Hyperplane{w, b} }
	top, long := math.MaxFloat64, slices.Repeat([]float64{0.99 * 0x1p-460}, 9)
	for _, c := range []struct {
		h    Hyperplane
		x    []float64
		want float64
	}{
		{plane(-5, 3, 4), []float64{3, 4}, 4},
		{plane(-5, 3, 4), []float64{0, 0}, -1},
		{plane(-5, 3, 4), []float64{3, -1}, 0},
		{plane(0x1p564, long...), make([]float64, 9), 0x1p1023 / (0.99 * 3) * 2},
		{plane(0, top, top), []float64{1e-10, 0}, 1e-10 / math.Sqrt2},
		{plane(0, 1e200, 1e200), []float64{2, 0}, math.Sqrt2},
		{plane(0, 1e-200, 1e-200), []float64{2, 0}, math.Sqrt2},
		{plane(0, 5e-324, 5e-324), []float64{2, 0}, math.Sqrt2},
	} {
		if got := must(c.h.Distance(c.x))(t); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("Distance(%v) of %v is %v, want %v", c.x, c.h, got, c.want)
		}
	}
}

// TestHyperplanes: scores in the order of the classes; the lowest class of equals wins.
func TestHyperplanes(t *testing.T) {
	h := Hyperplanes{[]int{-3, 4, 9}, []Hyperplane{{[]float64{1, 0}, 0}, {[]float64{0, 1}, 1}, {[]float64{1, 1}, -1}}}
	same(t, "scores", must(h.Scores([]float64{7}, []float64{2, 3}))(t), []float64{7, 2, 4, 4})
	for x, class := range map[[2]float64]int{{2, 3}: 4, {5, 1}: -3, {3, 3}: 9, {-1, -2}: -3} {
		same(t, fmt.Sprint(x), must(h.Predict(x[:]))(t), class)
	}
	same(t, "one class", must(Hyperplanes{h.Classes[:1], h.Planes[:1]}.Predict([]float64{-9, 0}))(t), -3)
	dst, x := make([]float64, 0, 3), []float64{2, 3}
	same(t, "allocations", testing.AllocsPerRun(10, func() { _, _ = h.Scores(dst, x); _, _ = h.Predict(x) }), 0)
}

// TestHyperplanesModel: stored as JSON and loaded, they predict and score as the model.
func TestHyperplanesModel(t *testing.T) {
	set := Iris(t)
	for _, m := range []manyModel{new(OneVsRest), &Multiclass{Binary: &Online{Keep: Average, MaxEpochs: 20}}} {
		same(t, "untrained", m.Hyperplanes(), Hyperplanes{})
		must(m.Fit(set.X, set.Y))(t)
		var h Hyperplanes
		must(0, json.Unmarshal(must(json.Marshal(m.Hyperplanes()))(t), &h))(t)
		for _, x := range set.X {
			same(t, "Predict", must(h.Predict(x))(t), must(m.Predict(x))(t))
			same(t, "Scores", must(h.Scores(nil, x))(t), must(m.Scores(nil, x))(t))
		}
	}
	plain := Hyperplanes{[]int{1, 2}, []Hyperplane{{[]float64{3}, 4}, {[]float64{5}, 6}}}
	want := `{"classes":[1,2],"planes":[{"weights":[3],"bias":4},{"weights":[5],"bias":6}]}`
	same(t, "JSON", string(must(json.Marshal(plain))(t)), want)
}

// TestSeparateEuclidean: in Affine space γ is measured with ‖(w, b)‖, so the hyperplane is
// not the one with the widest Euclidean margin. On iris petals, setosa against the rest, it
// has .596. On petals times 10⁻⁴ it has .652, and is turned by 24°.
func TestSeparateEuclidean(t *testing.T) {
	iris := Iris(t)
	find := func(c float64) (margin, angle float64) {
		var set naive.Set
		for i, x := range iris.X {
			set.X, set.Y = append(set.X, []float64{c * x[2], c * x[3]}), append(set.Y, 1-2*min(1, iris.Y[i]))
		}
		h := must(Separate(set.X, set.Y, Affine))(t).Hyperplane
		margin = math.Inf(1)
		for i, x := range set.X {
			margin = min(margin, float64(set.Y[i])*must(h.Distance(x))(t)/c)
		}
		return margin, math.Atan2(h.Weights[1], h.Weights[0]) * 180 / math.Pi
	}
	margin, angle := find(1)
	wide, turned := find(1e-4)
	same(t, "margins and angle", fmt.Sprintf("%.3f %.3f %.0f", margin, wide, angle-turned), "0.596 0.652 24")
}

// TestPlainData: encoding/json alone reads Hyperplanes and a Scaling, so it ignores unknown fields
// and keeps the last of two. The methods reject what does not fit.
func TestPlainData(t *testing.T) {
	var h, more Hyperplanes
	must(0, json.Unmarshal([]byte(`{"classes":[5],"Planes":[{"weights":[1],"bias":0},{"weights":[-1],"bias":0}],"classes":[1,2],"more":3}`), &h))(t)
	same(t, "Predict", must(h.Predict([]float64{-3}))(t), 2)
	if err := json.Unmarshal([]byte(`{"classes":[1],"planes":[{"weights":[1]}]}`), &h); !errors.Is(err, ErrFormat) {
		t.Errorf("a hyperplane without a bias: %v", err)
	}
	must(0, json.Unmarshal([]byte(`{"classes":[1,2]}`), &more))(t)
	checkErrors(t, ErrDimension, -1, "dimension mismatch: 0 hyperplanes, but 2 classes", only(more.Predict([]float64{1})))
	var s Scaling
	must(0, json.Unmarshal([]byte(`{"means":[1],"scales":[2]}`), &s))(t)
	same(t, "unknown fields", s, Scaling{})
	must(0, json.Unmarshal([]byte(`{"mean":[1]}`), &s))(t)
	checkErrors(t, ErrDimension, -1, "dimension mismatch: width 1, but the Scaling has 1 means and 0 scales", only(s.Apply(nil, []float64{7})))
}
