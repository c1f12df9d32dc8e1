package perceptron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"perceptron/internal/train"
)

// quadrants returns rows whose label is the sign of a product: no straight border separates them.
func quadrants(r *rand.Rand, n int) (X [][]float64, labels []string) {
	for range n {
		x := []float64{5 + 3*r.Float64(), 2*r.Float64() - 1}
		X, labels = append(X, x), append(labels, []string{"no", "yes"}[(math.Float64bits(x[1])^math.Float64bits(x[0]-6.5))>>63])
	}
	return X, labels
}

// noisy returns rows of a straight border, with noise: waves can only lose.
func noisy(r *rand.Rand, n int) (X [][]float64, labels []string) {
	for range n {
		x := []float64{r.NormFloat64(), 3 * r.NormFloat64(), r.NormFloat64()}
		label := "no"
		if x[0]+x[1]+2*r.NormFloat64() > 0 {
			label = "yes"
		}
		X, labels = append(X, x), append(labels, label)
	}
	return X, labels
}

// board returns points on a board of 9 fields, in 2 colors: a straight border is useless.
func board(r *rand.Rand, n int) (X [][]float64, labels []string) {
	for range n {
		x := []float64{3 * r.Float64(), 3 * r.Float64()}
		X, labels = append(X, x), append(labels, []string{"no", "yes"}[(int(x[0])+int(x[1]))%2])
	}
	return X, labels
}

// naiveStraightFirst trains m as the comment of straightFirst says: first on sparse rows that have only the own
// features, and then on all features. It returns a copy in between, and how many examples the two have seen.
func naiveStraightFirst(t *testing.T, m Learner, d int, X [][]float64, y []int) (straight Learner, before, all float64) {
	t.Helper()
	own := make([]Sparse, len(X))
	for i, x := range X {
		for j, v := range x[:d] {
			own[i].Index, own[i].Value = append(own[i].Index, uint32(j)), append(own[i].Value, v)
		}
	}
	must(SparseModel{m, len(X[0])}.Fit(own, y))(t)
	straight = clone(m.(model)).(Learner)
	for _, err := range m.Epochs(X, y) {
		must(0, err)(t)
	}
	return straight, float64(seen(straight.learned())), float64(seen(m.learned()))
}

// naiveTrial reports by the formulas whether straight borders do not lose a trial, and whether the waves win it by one
// standard error.
func naiveTrial(t *testing.T, kind func(epochs int) Learner, d int, X [][]float64, y []int) (stay, bend bool) {
	var sum, different [2]float64
	for quarter := range 4 {
		if len(X) > 5000 && quarter < 3 {
			continue
		}
		rows, before := map[int]int{}, map[int]int{}
		for _, label := range y {
			rows[label]++
		}
		var some, others [][]float64
		var learn, test []int
		for i, label := range y {
			if n := before[label]; 4*n >= quarter*rows[label] && 4*n < (quarter+1)*rows[label] {
				others, test = append(others, X[i]), append(test, label)
			} else {
				some, learn = append(some, X[i]), append(learn, label)
			}
			before[label]++
		}
		m := kind(min(5, 1+20000/len(X)))
		straight, n, all := naiveStraightFirst(t, m, d, some, learn)
		for i, x := range others {
			f, s := must(scores(m.learned(), nil, x))(t), must(scores(straight.learned(), nil, x))(t)
			g := make([]float64, len(f))
			for k := range f {
				g[k] = (all*f[k] - n*s[k]) / (all - n) // the mean of the later epochs
			}
			for k, other := range [][]float64{s, g} {
				d := float64(b2i(predicted(m, other) == test[i]) - b2i(predicted(m, f) == test[i]))
				sum[k], different[k] = sum[k]+d, different[k]+d*d
			}
		}
	}
	return sum[0] >= 0, sum[1] > math.Sqrt(different[1]) // of the sum, if both are as good
}

// predicted returns the class with the highest of the scores of a model.
func predicted(m Learner, scores []float64) int {
	if !m.learned().Many() {
		class, _ := sign(scores[0], nil)
		return class
	}
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return m.learned().Classes()[best]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// seasons returns rows in the order of time, which is a feature. In each season, one label is more frequent. Waves
// learn the seasons, which are of no use for another time.
func seasons(r *rand.Rand, n int) (X [][]float64, labels []string) {
	for i := range n {
		x := []float64{r.NormFloat64(), float64(i) / float64(n), r.NormFloat64()}
		label := "no"
		if x[0]+1.5*float64(2*(8*i/n%2)-1)+r.NormFloat64() > 0 {
			label = "yes"
		}
		X, labels = append(X, x), append(labels, label)
	}
	return X, labels
}

// TestStraightFirst compares Fit with a training that follows the steps in Fit's comment. On each table another of
// the three means is best. The last table has many rows.
func TestStraightFirst(t *testing.T) {
	kinds := []func(epochs int) Learner{
		func(n int) Learner {
			return &Multiclass{Binary: &Margin{Keep: Average, Order: Shuffled, MaxEpochs: n, Threshold: 8. / 3}}
		},
		func(n int) Learner { return &OneVsRest{Binary: &Online{Keep: Average, MaxEpochs: n, Seed: 2}} },
		func(n int) Learner { return &Margin{Keep: Average, MaxEpochs: n} },
	}
	chosen := map[string]int{}
	for k, kind := range kinds {
		for i, table := range []func(*rand.Rand, int) ([][]float64, []string){board, noisy, seasons, board} {
			w, rows := Waves{Count: []int{60, 700, 300, 30}[i], Seed: 5}, []int{900, 900, 900, 6800}[i]
			X, labels := table(rand.New(rand.NewPCG(80, uint64(k))), rows)
			c := Classifier[[]float64]{Model: kind(20), Waves: w}
			if k == 0 {
				c.Model = nil
			}
			res := must(c.Fit(X, labels))(t)
			if _, _, _, used := c.Parts(); i == 3 {
				w.Width = math.Sqrt2 / 2
				Diff(t, "waves", used, w)
			}
			Z := must(w.ApplyAll(must(must(Standardize(X))(t).ApplyAll(X))(t)))(t)
			y, d := must(c.now.classes(labels))(t), len(X[0])
			stay, bend := naiveTrial(t, kind, d, Z, y)
			m, epochs := kind(20), 40
			straight, before, all := naiveStraightFirst(t, m, d, Z, y)
			name := "all"
			if stay {
				m, name, epochs = straight, "straight", 20
			} else if bend {
				name = "bent"
			}
			chosen[name]++
			for i, x := range X {
				got, want := must(c.Scores(nil, x))(t), must(scores(m.learned(), nil, Z[i]))(t)
				if name != "bent" {
					Diff(t, "scores", got, want)
					continue
				}
				for k, s := range must(scores(straight.learned(), nil, Z[i]))(t) {
					if g := (all*want[k] - before*s) / (all - before); math.Abs(got[k]-g) > 1e-9*(1+math.Abs(g)) {
						t.Fatalf("%T, row %d: score %v, want %v", m, i, got[k], g)
					}
				}
			}
			if res.Stop != EpochLimit || res.Epochs != epochs || !math.IsInf(res.Upper, 1) || res.Rows != 0 {
				t.Errorf("%T: %+v", m, res)
			}
			wavesResumed(t, &c, X, labels)
		}
	}
	if len(chosen) != 3 {
		t.Errorf("the choices were %v", chosen)
	}
}

// TestTrial compares the trial's choices with the formulas where they are close: on small noisy tables, on which many
// leads are 0, and on tables of many rows.
func TestTrial(t *testing.T) {
	kind := func(n int) Learner {
		return &Multiclass{Binary: &Margin{Keep: Average, Order: Shuffled, MaxEpochs: n, Threshold: 8. / 3}}
	}
	chosen, cut := map[[2]bool]int{}, map[[2]bool]int{}
	for i := range 66 {
		rows, counts := 40+5*i, chosen
		if i%3 == 0 {
			rows, counts = 5001+20*i, cut
		}
		table := []func(*rand.Rand, int) ([][]float64, []string){seasons, noisy, seasons, board}[i%4]
		X, labels := table(rand.New(rand.NewPCG(80, uint64(100+i))), rows)
		c := Classifier[[]float64]{Model: kind(20), Waves: Waves{Count: 20, Seed: uint64(i)}}
		f, Z, y, _, err := c.begin(X, labels, true)
		must(0, err)(t)
		config, _, err := prepare(f.model, true)
		must(0, err)(t)
		stay, bend := f.bent.trial(config, Z, y)
		wantStay, wantBend := naiveTrial(t, kind, len(X[0]), Z, y)
		Diff(t, fmt.Sprint(rows, " rows"), []bool{stay, bend}, []bool{wantStay, wantBend})
		counts[[2]bool{stay, bend}]++
		if rows > 5000 || !stay {
			continue
		}
		res := must(c.Fit(X, labels))(t)
		straight, _, _ := naiveStraightFirst(t, kind(20), len(X[0]), Z, y)
		Diff(t, "scores", must(c.Scores(nil, X[0]))(t), must(scores(straight.learned(), nil, Z[0]))(t))
		Diff(t, "epochs", res.Epochs, 20)
	}
	if len(chosen) != 4 || len(cut) < 2 {
		t.Errorf("the choices were %v and %v", chosen, cut)
	}
}

// wavesResumed checks that saving between Fit and later calls changes no bit.
func wavesResumed(t *testing.T, c *Classifier[[]float64], X [][]float64, labels []string) {
	t.Helper()
	var loaded Classifier[[]float64]
	must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
	for _, c := range []*Classifier[[]float64]{c, &loaded} {
		must(c.Update([]float64{9, -9, 1}[:len(X[0])], "yes"))(t)
		must(c.Learn(Examples(X[:50], labels[:50])))(t)
		must(ranges(c.Epochs(X, labels), 2))(t)
	}
	Diff(t, "resumed", string(must(loaded.MarshalBinary())(t)), string(must(c.MarshalBinary())(t)))
}

// TestWavesRange: beyond the training rows, the waves stay as they are, and only the own features move a score. A
// feature that was constant moves nothing.
func TestWavesRange(t *testing.T) {
	r := rand.New(rand.NewPCG(80, 9))
	X, labels := quadrants(r, 200)
	for i := range X {
		X[i] = append(X[i], 3)
	}
	learned := map[string]*Classifier[[]float64]{"Fit": {}, "Epochs": {}, "Learn": {}, "Update": {Scaling: must(Standardize(X))(t)}}
	for name, c := range learned {
		c.Waves = Waves{Count: 40}
		switch name {
		case "Fit":
			must(c.Fit(X, labels))(t)
		case "Epochs":
			must(ranges(c.Epochs(X, labels), 3))(t)
		case "Learn":
			must(c.Learn(Examples(X, labels)))(t)
		default:
			for i, x := range X {
				must(c.Update(x, labels[i]))(t)
			}
		}
		s := c.now.scaling
		for i := range 6 {
			j, step := i%3, 5*s.Scale[i%3]*float64(2*(i/3)-1)
			x := append([]float64(nil), X[7]...)
			x[j] = s.Range[i/3][j] // a border of the range
			at := must(c.Scores(nil, x))(t)
			x[j] += step
			far := must(c.Scores(nil, x))(t)
			x[j] += step
			farther := must(c.Scores(nil, x))(t)
			for k := range at {
				if one, two := far[k]-at[k], farther[k]-at[k]; math.Abs(two-2*one) > 1e-9*(1+math.Abs(two)) || j == 2 && one != 0 || j < 2 && one == 0 {
					t.Errorf("%s, feature %d: the scores are %v, %v, %v", name, j, at, far, farther)
				}
			}
		}
	}
	bad := Classifier[[]float64]{Scaling: must(Standardize(X))(t)}
	bad.Scaling.Range[1] = nil
	want{ErrDimension, -1, "dimension mismatch: len(Mean) is 3, but Range has 3 and 0 values"}.check(t, only(bad.Fit(X, labels)))
}

// TestClassifierWaves: waves before every kind of model, in every call, and in a file. Except for Fit under
// Average, training with Waves is training with mapped rows.
func TestClassifierWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(68, 5))
	X, labels := quadrants(r, 400)
	other, answers := quadrants(r, 400)
	for _, kind := range []Model{nil, new(OneVsRest), &Margin{Keep: Average}, &Batch{MaxEpochs: 30}} {
		c := Classifier[[]float64]{Model: kind, Waves: Waves{Count: 100, Width: .7, Seed: 2}}
		straight := Classifier[[]float64]{Model: clone2(kind)}
		must(straight.Fit(X, labels))(t)
		res := must(c.Fit(X, labels))(t)
		if bent, flat := must(Accuracy(&c, other, answers))(t), must(Accuracy(&straight, other, answers))(t); bent < flat+.2 || bent < .7 {
			t.Errorf("%T: accuracy %v with waves, %v without", kind, bent, flat)
		}
		m, _, s, _ := c.Parts()
		Z := must(c.Waves.ApplyAll(must(s.ApplyAll(X))(t)))(t)
		y := make([]int, len(labels))
		for i, label := range labels {
			y[i] = c.now.class(strings.Index("no yes", label) / 3)
		}
		average, _, _, _ := m.learned().Summary()
		if again := must(m.Fit(Z, y))(t); average.Keep != train.Average && again.Mistakes != res.Mistakes || res.Rows != 0 {
			t.Errorf("%T: %+v, of mapped rows %+v", kind, res, again)
		}
		wavesSaved(t, &c, other)
		want{ErrConfig, -1, "bad configuration: with Waves, borders bend, and no hyperplane of raw rows has them"}.check(t, only(c.Hyperplane("no")))
	}
	ranged, stream := Classifier[[]float64]{Waves: Waves{Count: 30}}, Classifier[[]float64]{Waves: Waves{Count: 30}, Raw: true}
	for range ranged.Epochs(X, labels) {
	}
	m, _, s, _ := ranged.Parts()
	Z := must(ranged.Waves.ApplyAll(must(s.ApplyAll(X))(t)))(t)
	again := m.(*Multiclass).unlearned().(*Multiclass)
	again.Binary.(*Margin).Window = 0 // as in the epochs
	must(again.Fit(Z, must(ranged.now.classes(labels))(t)))(t)
	Diff(t, "Epochs", must(ranged.Scores(nil, X[0]))(t), must(again.Scores(nil, Z[0]))(t))
	Diff(t, "θ", ranged.now.model.(*Multiclass).Binary.(*Margin).Threshold, 8./3)
	one := stream.Clone()
	must(stream.Learn(Examples(X, labels)))(t)
	for i, x := range X {
		must(one.Update(x, labels[i]))(t)
	}
	Diff(t, "scores", must(one.Scores(nil, X[0]))(t), must(stream.Scores(nil, X[0]))(t))
	sparse := Classifier[Sparse]{Waves: Waves{Count: 3}}
	want{ErrConfig, -1, "bad configuration: Waves are for dense rows alone: …"}.check(t, only(sparse.Fit([]Sparse{{}, {}}, []string{"a", "b"})))
	sparse.Waves = Waves{}
	must(sparse.Fit([]Sparse{{[]uint32{7}, []float64{1}}, {}}, []string{"a", "b"}))(t)
	words, names, none, _ := sparse.Parts()
	want{ErrConfig, -1, "bad configuration: a Scaling and Waves are for dense rows alone"}.check(t, sparse.SetParts(words, names, none, Waves{Count: 3}))
	bad := Classifier[[]float64]{Waves: Waves{Count: -3}}
	want{ErrConfig, -1, "bad configuration: Waves has Count -3 …"}.check(t, only(bad.Fit(X, labels)))
}

// clone2 is clone for a Model that may be nil.
func clone2(m Model) Model {
	if m == nil {
		return nil
	}
	return clone(m.(model))
}

// wavesSaved checks that both saved forms keep every score and byte.
func wavesSaved(t *testing.T, c *Classifier[[]float64], X [][]float64) {
	t.Helper()
	data, text := must(c.MarshalBinary())(t), must(c.MarshalJSON())(t)
	var a, b Classifier[[]float64]
	must(0, a.UnmarshalBinary(data))(t)
	must(0, b.UnmarshalJSON(text))(t)
	for _, x := range X[:20] {
		scores := must(c.Scores(nil, x))(t)
		Diff(t, "binary", must(a.Scores(nil, x))(t), scores)
		Diff(t, "JSON", must(b.Scores(nil, x))(t), scores)
	}
	Diff(t, "again", string(must(b.MarshalBinary())(t)), string(data))
	for old, new := range map[string]string{`"count":100`: `"count":0`, `"count":100,`: "", `"width":0.7`: `"width":-1`, `"seed":"2"`: `"seed":"2","x":1`} {
		if broken := strings.Replace(string(text), old, new, 1); broken == string(text) || a.UnmarshalJSON([]byte(broken)) == nil {
			t.Errorf("%s in place of %s: no error", new, old)
		}
	}
}
