package perceptron

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// What the package does with sparse rows beside training: the theory, saving, and the Classifier.

// withSigns draws labels, half of the time those of a hyperplane.
func (s *sparseTwin) withSigns(r *rand.Rand) {
	u, planted := naive.Gaussian(r, len(s.D[0])), r.IntN(2) == 0
	for i, x := range s.D {
		if s.y[i] = 1 - 2*r.IntN(2); planted {
			s.y[i] = int(math.Copysign(1, vec.Dot(u, x)))
		}
	}
}

// TestSparseTheory: the functions of the theory give the same bits, and the same errors, for sparse
// rows as for the rows with their zeros. Separate gives the same verdict, and bounds that differ by
// rounding at most: its scores are products of the rows as they are.
func TestSparseTheory(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 77))
	count := map[string]int{}
	for range Share(2000) {
		c := newSparseTwin(r, false)
		c.withSigns(r)
		i := r.IntN(len(c.X))
		switch x := c.X[i]; r.IntN(12) {
		case 0:
			if n := len(x.Value); n > 0 {
				x.Value[n/2] = []float64{math.NaN(), inf, -inf, math.MaxFloat64}[r.IntN(4)]
				c.D[i] = withZeros(x, len(c.D[i]))
			}
		case 1:
			c.y[i] = r.IntN(7) - 3
		case 2:
			c.y = c.y[:i]
		}
		theory, sparse := theoryOf(r, c)
		for k := range theory {
			if theory[k] != sparse[k] {
				t.Fatalf("%v, %v, call %d: %s, dense %s", c.X, c.y, k, sparse[k], theory[k])
			}
		}
		s := Space(r.IntN(2))
		sep, err := Separate(c.X, c.y, s)
		whole, wholeErr := Separate(c.D, c.y, s)
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) {
			t.Fatalf("%v, %v: %v, dense %v", c.X, c.y, err, wholeErr)
		}
		if count[fmt.Sprint(err == nil, sep.Separable)]++; err != nil {
			continue
		}
		// Features that no row has are not in the hyperplane.
		bare := sep
		sep.Hyperplane.Weights = append(slices.Clone(sep.Hyperplane.Weights), make([]float64, len(c.D[0])-len(sep.Hyperplane.Weights))...)
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-13*(math.Abs(a)+sep.Radius) }
		if sep.Separable != whole.Separable || sep.Radius != whole.Radius || !near(sep.Lower, whole.Lower) || !near(sep.Upper, whole.Upper) {
			t.Fatalf("%v, %v: %+v, dense %+v", c.X, c.y, sep, whole)
		}
		if count["same bits"]++; !reflect.DeepEqual(sep, whole) {
			count["same bits"]--
		}
		if err := cmp.Or(Verify(bare, c.X, c.y), Verify(sep, c.X, c.y), Verify(sep, c.D, c.y)); err != nil {
			t.Fatalf("%v, %v: %v", c.X, c.y, err)
		}
	}
	if count["same bits"] < Share(900) || count["true true"] < Share(400) || count["true false"] < Share(400) || count["false false"] < Share(100) {
		t.Errorf("%v, want many of each", count)
	}
}

// wideTwin draws rows with few elements that are not 0. For such rows a descent goes first. Some rows
// have many elements, some sparse rows have elements that are 0, and in some draws the last rows
// contradict others.
func wideTwin(r *rand.Rand, n, d int) *sparseTwin {
	c, u := new(sparseTwin), naive.Gaussian(r, d)
	for range n {
		var x Sparse
		density := []float64{0.3, 0.001, 0.005, 0.01}[min(r.IntN(50), 1+r.IntN(3))]
		for j := range d {
			if r.Float64() < density || j == d-1 {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, float64(r.IntN(5)-2)*math.Copysign(0.3, r.NormFloat64()))
			}
		}
		row := withZeros(x, d)
		c.X, c.D, c.y = append(c.X, x), append(c.D, row), append(c.y, int(math.Copysign(1, vec.Dot(u, row))))
	}
	for range r.IntN(3) {
		i, x := r.IntN(n), Sparse{}
		for k, j := range c.X[i].Index { // twice the row contradicts it in Linear space
			x.Index, x.Value = append(x.Index, j), append(x.Value, 2*c.X[i].Value[k])
		}
		c.X, c.D, c.y = append(c.X, x), append(c.D, withZeros(x, d)), append(c.y, -c.y[i])
	}
	if r.IntN(6) == 0 {
		i := r.IntN(n)
		c.X, c.D, c.y = append(c.X, c.X[i]), append(c.D, c.D[i]), append(c.y, -c.y[i])
	}
	return c
}

// TestSeparationsTwin: every Separation has the same bits for sparse rows as for the rows with their
// zeros, even if a descent goes first.
func TestSeparationsTwin(t *testing.T) {
	t.Parallel()
	r, many, separable := rand.New(rand.NewPCG(1, 78)), 0, 0
	for k := range Share(120) {
		c, s := wideTwin(r, 100+r.IntN(100), 500+r.IntN(2500)), Space(k%2)
		var sparse []Separation
		for sep := range Separations(c.X, c.y, s) {
			sparse = append(sparse, sep)
		}
		last := sparse[len(sparse)-1]
		if err := cmp.Or(Verify(last, c.X, c.y), Verify(last, c.D, c.y)); err != nil {
			t.Errorf("draw %d: %v", k, err)
		}
		for sep, err := range Separations(c.D, c.y, s) {
			if err != nil || len(sparse) == 0 || !reflect.DeepEqual(sep, sparse[0]) {
				t.Fatalf("draw %d: %v, %d left, dense [%v, %v]", k, err, len(sparse), sep.Lower, sep.Upper)
			}
			if many++; sep.Separable {
				separable++
			}
			sparse = sparse[1:]
		}
		if len(sparse) > 0 {
			t.Errorf("draw %d: %d more Separations of sparse rows", k, len(sparse))
		}
	}
	if many < Share(300) || separable < Share(60) {
		t.Errorf("%d Separations, %d separable", many, separable)
	}
}

// theoryOf prints what the functions of rows return, for the rows with their zeros and without.
func theoryOf(r *rand.Rand, c *sparseTwin) (dense, sparse []string) {
	s, d := Space(r.IntN(2)), len(c.D[0])
	h := Hyperplane{Weights: naive.Gaussian(r, d), Bias: float64(1-s) * r.NormFloat64()}
	all := Hyperplanes{[]int{-1, 1}, []Hyperplane{h, {Weights: naive.Gaussian(r, d)}}}
	deviated := func(D, L float64, err error) string { return fmt.Sprint(D, L, err) }
	return []string{
			fmt.Sprint(Radius(c.D, s)), fmt.Sprint(Gamma(h, c.D, c.y, s)),
			deviated(Deviations(h, c.D, c.y, s, 1)), fmt.Sprint(MulticlassGamma(all, c.D, c.y, s)),
		}, []string{
			fmt.Sprint(Radius(c.X, s)), fmt.Sprint(Gamma(h, c.X, c.y, s)),
			deviated(Deviations(h, c.X, c.y, s, 1)), fmt.Sprint(MulticlassGamma(all, c.X, c.y, s)),
		}
}

// TestSparseTheoryErrors: rows that are not valid, and hyperplanes that are too short for them.
func TestSparseTheoryErrors(t *testing.T) {
	X, y := []Sparse{{[]uint32{1}, []float64{2}}, {}, {[]uint32{0, 2}, []float64{1, 1}}}, []int{1, 1, 1}
	with := func(x Sparse) []Sparse { return []Sparse{X[0], X[1], x} }
	h := Hyperplane{Weights: []float64{1, 1, 1}}
	pair := Hyperplanes{[]int{-1, 1}, []Hyperplane{{Weights: make([]float64, 3)}, h}}
	proof := must(Separate(X, y, Affine))(t)
	for _, c := range []struct {
		x Sparse
		want
	}{
		{Sparse{[]uint32{2, 1}, []float64{1, 1}}, want{ErrFormat, 2, "bad format: index 1 at 1 follows index 2, want indexes that ascend; call Sort"}},
		{Sparse{[]uint32{1, 1}, []float64{1, 1}}, want{ErrFormat, 2, "bad format: index 1 at 1 follows index 1, want indexes that ascend; call Sort"}},
		{Sparse{[]uint32{1, 2}, []float64{1}}, want{ErrDimension, 2, "dimension mismatch: Index has length 2, but Value has 1"}},
		{Sparse{nil, []float64{1}}, want{ErrDimension, 2, "dimension mismatch: Index has length 0, but Value has 1"}},
		{Sparse{[]uint32{2}, []float64{-inf}}, want{ErrNotFinite, 2, "not finite: feature 2 is -Inf"}},
	} {
		rows := with(c.x)
		D, L, err := Deviations(h, rows, y, Affine, 1)
		for _, err := range []error{
			only(Radius(rows, Affine)), only(Gamma(h, rows, y, Affine)), only([2]float64{D, L}, err), only(MulticlassGamma(pair, rows, y, Affine)),
			only(Separate(rows, y, Affine)), Verify(proof, rows, y),
		} {
			c.check(t, err)
		}
	}
	longer := with(Sparse{[]uint32{3}, []float64{1}})
	for _, err := range []error{only(Gamma(h, longer, y, Affine)), only(MulticlassGamma(pair, longer, y, Affine))} {
		want{ErrDimension, 2, "dimension mismatch: index 3 at 0, want less than the width 3"}.check(t, err)
	}
	want{ErrDimension, -1, "dimension mismatch: Hyperplane has width 3, but the rows have 4"}.check(t, Verify(proof, longer, y))
	far := with(Sparse{[]uint32{math.MaxUint32}, []float64{1}})
	want{ErrDimension, 2, fmt.Sprintf("dimension mismatch: index 4294967295 at 0, want less than the width %d", mostWidth)}.check(t, only(Separate(far, y, Affine)))
}

// TestVerifySparseForged: certificates of sparse rows with one false claim, of rows whose best
// hyperplane and multipliers are the only ones.
func TestVerifySparseForged(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 79))
	forged := map[string]int{}
	for n := 0; n < 1000; {
		c := newSparseTwin(r, false)
		if c.withSigns(r); r.IntN(30) == 0 {
			c = wideTwin(r, 100, 700) // a descent goes first
		}
		sep, err := Separate(c.X, c.y, Space(r.IntN(2)))
		if err != nil || sep.Radius == 0 {
			continue
		}
		for name, forge := range map[string]func(*Separation) bool{
			"R":         func(s *Separation) bool { s.Radius *= 1 + 1e-12; return true },
			"less R":    func(s *Separation) bool { s.Radius = s.Radius * (1 - 0x1p-52); return true },
			"Lower":     func(s *Separation) bool { s.Lower += 1e-14 * s.Radius; return true },
			"Upper":     func(s *Separation) bool { s.Upper *= 1 - 1e-12; return s.Upper > 0 },
			"Separable": func(s *Separation) bool { s.Separable = !s.Separable; return true },
			"w": func(s *Separation) bool {
				for j := range s.Hyperplane.Weights {
					s.Hyperplane.Weights[j] *= -1
				}
				s.Hyperplane.Bias *= -1
				return s.Separable
			},
			"λ": func(s *Separation) bool {
				top := vec.Largest(s.Multipliers)
				small := slices.ContainsFunc(s.Multipliers, func(v float64) bool { return v > 0 && v < 1e-3*top })
				s.Multipliers[slices.Index(s.Multipliers, top)] *= 2
				return s.Separable && several(s.Multipliers) && !small && (s.Upper-s.Lower)/s.Upper < 1e-12
			},
			"no λ": func(s *Separation) bool { clear(s.Multipliers); return true },
		} {
			forgery := sep
			forgery.Hyperplane, forgery.Multipliers = sep.Hyperplane.clone(), slices.Clone(sep.Multipliers)
			if !forge(&forgery) {
				continue
			}
			if forged[name]++; Verify(forgery, c.X, c.y) == nil {
				t.Errorf("%s: %v, %v: %+v of %+v passes", name, c.X, c.y, forgery, sep)
			}
			n++
		}
	}
	if len(forged) < 8 || forged["λ"] < 20 {
		t.Errorf("%v, want many of each", forged)
	}
}

// several reports whether more than one element of v is positive.
func several(v []float64) bool {
	return len(slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x <= 0 })) > 1
}

// unitRows returns rows as sparse ones, and divided by their lengths.
func unitRows(t testing.TB, X [][]float64) (rows []Sparse, unit [][]float64) {
	for _, x := range X {
		row, u := Sparse{}, make([]float64, len(x))
		norm := math.Sqrt(must(Hyperplane{Weights: x}.Score(x))(t))
		for j, v := range x {
			u[j] = v / norm
			row.Index, row.Value = append(row.Index, uint32(j)), append(row.Value, v)
		}
		rows, unit = append(rows, row), append(unit, u)
	}
	return rows, unit
}

// TestClassifierSparse: a sparse Classifier predicts like a dense one, bit for bit. For the dense
// one, the caller divides the rows by their lengths, or both have Raw. It does not change the rows.
func TestClassifierSparse(t *testing.T) {
	X, labels := irisNames(t)
	rows, unit := unitRows(t, X)
	for _, raw := range []bool{false, true} {
		model := &Multiclass{Binary: &Margin{Threshold: 2, Keep: Average, Order: Shuffled, MaxEpochs: 20}}
		Z, d, s := unit, Classifier[[]float64]{Raw: true, Model: model}, Classifier[Sparse]{Raw: raw}
		if raw {
			Z, d.Model = X, nil
		}
		if a, b := must(d.Fit(Z, labels))(t), must(s.Fit(rows, labels))(t); a != b {
			t.Errorf("%+v, %+v", a, b)
		}
		for range 2 {
			for i, z := range Z {
				if a, b := must(d.Scores(nil, z))(t), must(s.Scores(nil, rows[i]))(t); !slices.Equal(a, b) {
					t.Errorf("%v, %v", a, b)
				}
				Diff(t, "the label", must(s.Predict(rows[i]))(t), must(d.Predict(z))(t))
			}
			must(d.Update(Z[70], "another"))(t)
			must(s.Update(rows[70], "another"))(t)
		}
		var loaded Classifier[Sparse]
		must(0, loaded.UnmarshalBinary(must(s.MarshalBinary())(t)))(t)
		Diff(t, "the label", must(loaded.Predict(rows[0]))(t), must(s.Predict(rows[0]))(t))
	}
	Diff(t, "the rows", rows[3].Value, X[3])
}

// TestClassifierUnit: a row of zeros stays as it is, no finite length is too short or too long, and an
// error names the feature.
func TestClassifierUnit(t *testing.T) {
	row := func(v ...float64) Sparse { return Sparse{Index: []uint32{3, 5}, Value: v} }
	c := Classifier[Sparse]{Width: 9}
	must(c.Fit([]Sparse{row(3, 4), row(-3, 4)}, []string{"right", "left"}))(t)
	zero, none := must(c.Scores(nil, row(0, 0)))(t), must(c.Scores(nil, Sparse{}))(t)
	Diff(t, "scores of no features", zero, none)
	for _, v := range []float64{0x1p-1074, 0x1p-600, 8, 0x1p600, 0x1p1023} {
		Diff(t, "scores", must(c.Scores(nil, row(v, 0)))(t), must(c.Scores(nil, row(1, 0)))(t))
		Diff(t, "scores", must(c.Scores(nil, row(v, -v)))(t), must(c.Scores(nil, row(1, -1)))(t))
	}
	for _, bad := range []Sparse{row(1, math.Inf(1)), row(1, math.Inf(-1)), row(1, math.NaN())} {
		_, err := c.Predict(bad)
		_, errUpdate := c.Update(bad, "left")
		_, errFit := c.Fit([]Sparse{row(1, 2), bad}, []string{"right", "left"})
		for _, err := range []error{err, errUpdate, errFit} {
			if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "feature 5 is ") {
				t.Errorf("%v: %v", bad.Value, err)
			}
		}
		if at := (*ExampleError)(nil); !errors.As(errFit, &at) || at.Index != 1 {
			t.Error(errFit)
		}
	}
}

// fewRows are sparse rows of few different features, and labels.
func fewRows(d, n, features int) (X []Sparse, y []int) {
	r := rand.New(rand.NewPCG(57, uint64(d)))
	for i := range n {
		var x Sparse
		for k := range features {
			if r.IntN(3) > 0 {
				x.Index, x.Value = append(x.Index, uint32(k*(d/features)+d/features-1)), append(x.Value, r.NormFloat64())
			}
		}
		X, y = append(X, x), append(y, 1-2*(i%2))
	}
	return X, y
}

// TestSavedWide: a model of sparse rows has a short saved form if most weights are zero. It has the
// bytes of a model of the same rows with their zeros. It is read and trained on with every bit.
func TestSavedWide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ d, features, most int }{{1 << 16, 2, 1100}, {5000, 1300, 1 << 20}, {5000, 1200, 1 << 20}, {65, 3, 1100}, {64, 0, 1100}} {
		X, y := fewRows(c.d, 6, c.features)
		for name, m := range mixable() {
			if !full && (strings.Contains(name, "Linear") || !strings.Contains(name, "rule 0")) {
				continue
			}
			dense := clone(m)
			for i, x := range X {
				must(SparseModel{m, c.d}.Update(x, y[i]))(t)
				must(dense.(streamer).Update(naive.Dense(c.d, x.Index, x.Value), y[i]))(t)
			}
			data, text := encoded(t, m.(coder))
			fromDense, _ := encoded(t, dense.(coder))
			if !bytes.Equal(data, framed(text)) || !bytes.Equal(data, fromDense) || !isMany(m) && len(data) > c.most {
				t.Fatalf("%s, %d features, %d of them: %d bytes, of dense rows %d", name, c.d, c.features, len(data), len(fromDense))
			}
			loaded := reloaded(t, m)
			must(0, drain(loaded, [][]float64{naive.Dense(c.d, X[0].Index, X[0].Value)}, y[:1], func() {}))(t)
			must(0, drain(m, [][]float64{naive.Dense(c.d, X[0].Index, X[0].Value)}, y[:1], func() {}))(t)
			if snapshot(loaded) != snapshot(m) {
				t.Fatalf("%s, %d features: trained on it is another model", name, c.d)
			}
		}
	}
}

// TestSavedLarge: above the limit, all elements are written, and such a form is refused.
func TestSavedLarge(t *testing.T) {
	defer func(most int) { saved.MostZeros = most }(saved.MostZeros)
	m := new(Online)
	must(SparseModel{m, 199}.Update(Sparse{[]uint32{3}, []float64{1}}, -1))(t)
	short := must(m.MarshalBinary())(t)
	for most, want := range map[int]int{199: len(short) + 8*198 - 4*2, 200: len(short)} {
		saved.MostZeros = most
		data, text := encoded(t, m)
		if err := new(Online).UnmarshalBinary(short); len(data) != want || (err == nil) != (most == 200) {
			t.Errorf("limit %d: %d bytes, want %d; reading the short form: %v", most, len(data), want, err)
		}
		must(0, errors.Join(new(Online).UnmarshalBinary(data), new(Online).UnmarshalJSON(text)))(t)
	}
}
