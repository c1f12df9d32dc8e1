package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// A sparseTwin is a model that learns sparse rows, and one that learns the rows with their zeros.
type sparseTwin struct {
	sparse      SparseModel
	twin, dense twinModel
	X           []Sparse
	D           [][]float64
	y           []int
	epochs      int
}

// A twinModel learns by example, and can be saved.
type twinModel interface {
	model
	coder
	streamer
	ranger
}

func sparseExamples(X []Sparse, y []int) iter.Seq2[Sparse, int] {
	return func(yield func(Sparse, int) bool) {
		for i := 0; i < len(X) && yield(X[i], y[i]); i++ {
		}
	}
}

// withZeros returns x with its zeros.
func withZeros(x Sparse, d int) []float64 {
	v := make([]float64, d)
	for k, j := range x.Index {
		v[j] = x.Value[k]
	}
	return v
}

// newSparseTwin draws models of every kind, rule, Keep, Order and Space, and rows of any density.
func newSparseTwin(r *rand.Rand) *sparseTwin {
	d, n, k, many := 1+r.IntN(100+r.IntN(8)/7*300), 1+r.IntN(40), 2+r.IntN(6), r.IntN(2) == 0
	values := []func() float64{
		func() float64 { return 1 },
		func() float64 { return float64(r.IntN(9) - 4) }, // −0 and 0 too
		func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(40)-20) },
		func() float64 { return math.Copysign(0, r.NormFloat64()) },
		r.NormFloat64,
	}[r.IntN(5)]
	density := r.Float64() * r.Float64()
	s := &sparseTwin{epochs: 1 + r.IntN(12)}
	for i := range n {
		var x Sparse
		for j := range d {
			if r.Float64() < density {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, values())
			}
		}
		label := 2*r.IntN(2) - 1
		if many {
			label = min(i, r.IntN(k)) * 3
		}
		s.X, s.D, s.y = append(s.X, x), append(s.D, withZeros(x, d)), append(s.y, label)
	}
	s.twin, s.dense = newLearnerPair(r, d, s.epochs, many)
	s.sparse = SparseModel{Model: s.twin, Width: d}
	return s
}

// newLearnerPair returns two equal models.
func newLearnerPair(r *rand.Rand, d, epochs int, many bool) (a, b twinModel) {
	var m model = []model{new(Online), new(Margin), &Margin{Gamma: 0.1}, &Margin{Threshold: 0.5}}[r.IntN(4)]
	kesler, start := many && r.IntN(2) == 0, Hyperplane{}
	if r.IntN(3) == 0 && !kesler {
		for range d {
			start.Weights = append(start.Weights, float64(r.IntN(9)-4)*math.Copysign(0.1, r.NormFloat64()))
		}
	}
	m = fields{
		"Rate": []float64{0, 0.1, 2}[r.IntN(3)], "Space": Space(r.IntN(2)), "Order": Order(r.IntN(3)),
		"Keep": Keep(r.IntN(3)), "MaxEpochs": epochs, "Seed": r.Uint64(), "Start": start,
	}.some(m)
	if kesler {
		m = &Multiclass{Binary: AsBinary(m)}
	} else if many {
		m = &OneVsRest{Binary: AsBinary(m), Workers: 1 + r.IntN(2)}
	}
	return clone(m).(twinModel), m.(twinModel)
}

// result prints what a call returned.
func result[T any](v T, err error) string { return fmt.Sprint(v, err) }

// compare reports a difference between the results of two calls, or between the models after them.
func (s *sparseTwin) compare(what, sparse, dense string) error {
	if sparse != dense {
		return fmt.Errorf("%s: %s, dense %s", what, sparse, dense)
	}
	if result(s.twin.MarshalBinary()) != result(s.dense.MarshalBinary()) {
		return fmt.Errorf("%s: the models differ", what)
	}
	return nil
}

// ranges returns at most stop epochs of a range, and its error.
func ranges(epochs iter.Seq2[Epoch, error], stop int) (list []Epoch, last error) {
	for e, err := range epochs {
		if list, last = append(list, e), err; len(list) == stop {
			break
		}
	}
	return list, last
}

func (s *sparseTwin) fit() error {
	return s.compare("Fit", result(s.sparse.Fit(s.X, s.y)), result(s.dense.Fit(s.D, s.y)))
}

func (s *sparseTwin) epochsOf(stop int) error {
	sparse, dense := result(ranges(s.sparse.Epochs(s.X, s.y), stop)), result(ranges(s.dense.Epochs(s.D, s.y), stop))
	return s.compare("Epochs", sparse, dense)
}

func (s *sparseTwin) learn() error {
	return s.compare("Learn", result(s.sparse.Learn(sparseExamples(s.X, s.y))), result(s.dense.Learn(Examples(s.D, s.y))))
}

// update updates on row i.
func (s *sparseTwin) update(i int) error {
	return s.compare("Update", result(s.sparse.Update(s.X[i], s.y[i])), result(s.dense.Update(s.D[i], s.y[i])))
}

// step makes one random call of both models.
func (s *sparseTwin) step(r *rand.Rand) error {
	switch r.IntN(10) {
	case 0:
		return s.fit()
	case 1:
		return s.epochsOf(1 + r.IntN(s.epochs))
	case 2:
		return s.learn()
	case 3: // a dense call between sparse ones
		return s.compare("dense Learn", result(s.twin.Learn(Examples(s.D, s.y))), result(s.dense.Learn(Examples(s.D, s.y))))
	case 4:
		return s.fail(r)
	case 5:
		data, _ := s.twin.MarshalBinary()
		return s.compare("loading", fmt.Sprint(s.twin.UnmarshalBinary(data)), fmt.Sprint(s.dense.UnmarshalBinary(data)))
	case 6:
		return s.changing(r.Uint64())
	case 7:
		return s.mix()
	case 8:
		s.twin = clone(s.twin).(twinModel)
		s.sparse.Model = s.twin
		return s.compare("Clone", "", "")
	}
	for range 1 + r.IntN(60) {
		i := r.IntN(len(s.X))
		sparse, dense := "", ""
		for range 1 + r.IntN(8)/7 {
			sparse, dense = result(s.sparse.Update(s.X[i], s.y[i])), result(s.dense.Update(s.D[i], s.y[i]))
		}
		if r.IntN(9) == 0 {
			if err := s.predict(i); err != nil {
				return err
			}
		}
		if sparse != dense {
			return fmt.Errorf("Update: %s, dense %s", sparse, dense)
		}
	}
	return s.compare("Update", "", "")
}

// changing changes rows in the body of a range over Epochs.
func (s *sparseTwin) changing(seed uint64) error {
	change := func(r *rand.Rand) {
		i, k := r.IntN(len(s.X)), r.IntN(len(s.X))
		s.X[i], s.D[i] = s.X[k], s.D[k]
		s.y[i] = s.y[k]
	}
	X, D, y := slices.Clone(s.X), slices.Clone(s.D), slices.Clone(s.y)
	list := func(epochs iter.Seq2[Epoch, error]) (list string) {
		r := rand.New(rand.NewPCG(seed, 1))
		s.X, s.D, s.y = slices.Clone(X), slices.Clone(D), slices.Clone(y)
		s.X[0].Index, s.X[0].Value, s.D[0] = nil, nil, make([]float64, len(D[0])) // its features are new later
		for e, err := range epochs {
			s.X[0], s.D[0] = X[0], D[0]
			change(r)
			list += result(e, err)
		}
		return list
	}
	sparse := list(func(yield func(Epoch, error) bool) { s.sparse.Epochs(s.X, s.y)(yield) })
	dense := list(func(yield func(Epoch, error) bool) { s.dense.Epochs(s.D, s.y)(yield) })
	return s.compare("Epochs of rows that change", sparse, dense)
}

// mix mixes each model with a copy that has learned one row more.
func (s *sparseTwin) mix() error {
	other, dense := clone(s.twin).(twinModel), clone(s.dense).(twinModel)
	sparse := result(SparseModel{other, s.sparse.Width}.Update(s.X[0], s.y[0]))
	if want := result(dense.Update(s.D[0], s.y[0])); sparse != want {
		return fmt.Errorf("Update: %s, dense %s", sparse, want)
	}
	a, err := mixedOf(s.twin, other)
	b, errDense := mixedOf(s.dense, dense)
	if err == nil {
		s.twin, s.dense, s.sparse.Model = a, b, a
	}
	return s.compare("Mix", fmt.Sprint(err), fmt.Sprint(errDense))
}

// mixedOf is Mix of two models of one type.
func mixedOf(a, b twinModel) (twinModel, error) {
	weights := []float64{1, 2}
	switch a := a.(type) {
	case *Online:
		m, err := Mix([]*Online{a, b.(*Online)}, weights)
		return m, err
	case *Margin:
		m, err := Mix([]*Margin{a, b.(*Margin)}, weights)
		return m, err
	case *OneVsRest:
		m, err := Mix([]*OneVsRest{a, b.(*OneVsRest)}, weights)
		return m, err
	}
	m, err := Mix([]*Multiclass{a.(*Multiclass), b.(*Multiclass)}, weights)
	return m, err
}

// reads compares what the models return together: hyperplanes, labels of many rows, JSON.
func (s *sparseTwin) reads(r *rand.Rand) error {
	if r.IntN(3) > 0 {
		return nil
	}
	planes := func(m model) any {
		if m, many := m.(manyModel); many {
			return m.Hyperplanes()
		}
		return m.(interface{ Hyperplane() Hyperplane }).Hyperplane()
	}
	if a, b := fmt.Sprint(planes(s.twin)), fmt.Sprint(planes(s.dense)); a != b {
		return fmt.Errorf("hyperplanes %s, dense %s", a, b)
	}
	sparse, dense := result(PredictAll(nil, s.sparse, s.X)), result(PredictAll(nil, s.dense, s.D))
	if mine := result(PredictAll(nil, s.twin, s.D)); sparse != dense || mine != dense {
		return fmt.Errorf("PredictAll: %s and %s, dense %s", sparse, mine, dense)
	}
	return s.compare("JSON", result(s.twin.MarshalJSON()), result(s.dense.MarshalJSON()))
}

// fail makes a call with a row that is not finite, or overflows, in the middle.
func (s *sparseTwin) fail(r *rand.Rand) error {
	i := r.IntN(len(s.X))
	if len(s.X[i].Index) == 0 {
		return nil
	}
	k := r.IntN(len(s.X[i].Index))
	v := []float64{math.NaN(), math.Inf(1), math.MaxFloat64, -math.MaxFloat64}[r.IntN(4)]
	was := s.X[i].Value[k]
	s.X[i].Value[k], s.D[i][s.X[i].Index[k]] = v, v
	defer func() { s.X[i].Value[k], s.D[i][s.X[i].Index[k]] = was, was }()
	switch r.IntN(3) {
	case 0:
		return s.epochsOf(3)
	case 1:
		return s.learn()
	}
	return s.update(i)
}

// predict compares the predictions and scores of a row.
func (s *sparseTwin) predict(i int) error {
	label, denseLabel := result(s.sparse.Predict(s.X[i])), result(s.dense.Predict(s.D[i]))
	var scores []float64
	var err error
	if m, many := s.dense.(manyModel); many {
		scores, err = m.Scores(nil, s.D[i])
	} else if score, bad := s.dense.(scorer).Score(s.D[i]); bad == nil {
		scores = []float64{score}
	} else {
		err = bad
	}
	got, errGot := s.sparse.Scores(nil, s.X[i])
	same := slices.EqualFunc(got, scores, naive.SameBits)
	if label != denseLabel || fmt.Sprint(errGot) != fmt.Sprint(err) || !same {
		return fmt.Errorf("row %d: Predict %s, dense %s; Scores %v %v, dense %v %v", i, label, denseLabel, got, errGot, scores, err)
	}
	return nil
}

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
// rows as for the rows with their zeros.
func TestSparseTheory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 77))
	count := map[string]int{}
	for range Share(2000) {
		c := newSparseTwin(r)
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
		if !reflect.DeepEqual(sep, whole) {
			t.Fatalf("%v, %v: %+v, dense %+v", c.X, c.y, sep, whole)
		}
		if err := cmp.Or(bare.VerifySparse(c.X, c.y), sep.VerifySparse(c.X, c.y), sep.Verify(c.D, c.y)); err != nil {
			t.Fatalf("%v, %v: %v", c.X, c.y, err)
		}
	}
	if count["true true"] < Share(400) || count["true false"] < Share(400) || count["false false"] < Share(100) {
		t.Errorf("%v, want many of each", count)
	}
}

// wideTwin draws rows of which a descent goes first: few elements of each are not 0. Some rows have
// many, some sparse rows have elements that are 0, and some draws end with rows that contradict others.
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
		i := r.IntN(n)
		c.X, c.D, c.y = append(c.X, c.X[i]), append(c.D, c.D[i]), append(c.y, -c.y[i])
	}
	return c
}

// TestSeparationsTwin: every Separation has the same bits for sparse rows as for the rows with their
// zeros, also where a descent goes first.
func TestSeparationsTwin(t *testing.T) {
	r, many, separable := rand.New(rand.NewPCG(1, 78)), 0, 0
	for k := range Share(120) {
		c, s := wideTwin(r, 100+r.IntN(100), 500+r.IntN(2500)), Space(k%2)
		var sparse []Separation
		for sep := range Separations(c.X, c.y, s) {
			sparse = append(sparse, sep)
		}
		last := sparse[len(sparse)-1]
		if err := cmp.Or(last.VerifySparse(c.X, c.y), last.Verify(c.D, c.y)); err != nil {
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
		{Sparse{[]uint32{2, 1}, []float64{1, 1}}, want{ErrDimension, 2, "dimension mismatch: index 1 at 1 follows index 2, want indexes that ascend"}},
		{Sparse{[]uint32{1, 1}, []float64{1, 1}}, want{ErrDimension, 2, "dimension mismatch: index 1 at 1 follows index 1, want indexes that ascend"}},
		{Sparse{[]uint32{1, 2}, []float64{1}}, want{ErrDimension, 2, "dimension mismatch: 2 indexes, but 1 values"}},
		{Sparse{nil, []float64{1}}, want{ErrDimension, 2, "dimension mismatch: 0 indexes, but 1 values"}},
		{Sparse{[]uint32{2}, []float64{-inf}}, want{ErrNotFinite, 2, "not finite: feature 2 is -Inf"}},
	} {
		rows := with(c.x)
		D, L, err := Deviations(h, rows, y, Affine, 1)
		for _, err := range []error{
			only(Radius(rows, Affine)), only(Gamma(h, rows, y, Affine)), only([2]float64{D, L}, err), only(MulticlassGamma(pair, rows, y, Affine)),
			only(Separate(rows, y, Affine)), proof.VerifySparse(rows, y),
		} {
			c.check(t, err)
		}
	}
	longer := with(Sparse{[]uint32{3}, []float64{1}})
	for _, err := range []error{only(Gamma(h, longer, y, Affine)), only(MulticlassGamma(pair, longer, y, Affine))} {
		want{ErrDimension, 2, "dimension mismatch: index 3 at 0, want less than the width 3"}.check(t, err)
	}
	want{ErrDimension, -1, "dimension mismatch: Hyperplane has 3 weights, but the rows have 4 features"}.check(t, proof.VerifySparse(longer, y))
	far := with(Sparse{[]uint32{math.MaxUint32}, []float64{1}})
	want{ErrDimension, 2, fmt.Sprintf("dimension mismatch: index 4294967295 at 0, want less than the width %d", widest)}.check(t, only(Separate(far, y, Affine)))
}

// TestVerifySparseForged: certificates of sparse rows with one false claim, of rows whose best
// hyperplane and multipliers are the only ones.
func TestVerifySparseForged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 79))
	forged := map[string]int{}
	for n := 0; n < 1000; {
		c := newSparseTwin(r)
		if c.withSigns(r); r.IntN(30) == 0 {
			c = wideTwin(r, 100, 700) // a descent goes first
		}
		sep, err := Separate(c.X, c.y, Space(r.IntN(2)))
		if err != nil || sep.Radius == 0 {
			continue
		}
		for name, forge := range map[string]func(*Separation) bool{
			"R":         func(s *Separation) bool { s.Radius *= 1 + 1e-12; return true },
			"less R":    func(s *Separation) bool { s.Radius = below(below(s.Radius)); return true },
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
				return s.Separable && supporting(*s) > 1 && !small && gap(*s) < 1e-12
			},
			"no λ": func(s *Separation) bool { clear(s.Multipliers); return true },
		} {
			forgery := tampered(sep, func(*Separation) {})
			if !forge(&forgery) {
				continue
			}
			if forged[name]++; forgery.VerifySparse(c.X, c.y) == nil {
				t.Errorf("%s: %v, %v: %+v of %+v passes", name, c.X, c.y, forgery, sep)
			}
			n++
		}
	}
	if len(forged) < 8 || forged["λ"] < 20 {
		t.Errorf("%v, want many of each", forged)
	}
}
