package tests_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// update is the flag -update: it writes testdata/golden.txt again. The file is the
// promise that the same input bits give the same output bits on every machine and
// in every version. If a line changes, users' programs compute something else. A
// change must be deliberate, come with a major version or before the first release,
// and be described in the commit. Never use the flag to make a failing test pass.
var update = flag.Bool("update", false, "write testdata/golden.txt again; its comment says when that is allowed")

const goldenFile = "testdata/golden.txt"

// TestGolden trains every model with every rule, Order, Keep and Space, on slices
// and streams. It compares the Result, Stop, the loss and the bits of every
// hyperplane with those computed on amd64.
func TestGolden(t *testing.T) {
	t.Parallel()
	sets := []naive.Set{
		naive.Uniform(1, 60, 5, 2), naive.Uniform(2, 600, 70, 2), naive.Uniform(3, 90, 33, 4), naive.Iris(t),
		naive.Uniform(4, 150, 70, 2), // it takes every path that 600 rows take: those are slow on emulators
	}
	want := goldenLines(string(must(os.ReadFile(goldenFile))(t)))
	var parts [3]bytes.Buffer
	for _, set := range sets {
		t.Run(set.Name, func(t *testing.T) {
			var got bytes.Buffer
			for i, write := range []func(*testing.T, io.Writer, naive.Set){goldenAlone, goldenClasses, goldenWide} {
				from := got.Len()
				write(t, &got, set)
				parts[i].Write(got.Bytes()[from:])
			}
			if !*update {
				compareGolden(t, want, set.Name, got.String())
			}
		})
		for name := range want {
			if strings.HasPrefix(name, set.Name+"/") {
				delete(want, name)
			}
		}
	}
	for name := range want {
		t.Errorf("%s has the line %s, which is of no set", goldenFile, name)
	}
	if *update {
		if err := os.WriteFile(goldenFile, append(append(parts[0].Bytes(), parts[1].Bytes()...), parts[2].Bytes()...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compareGolden compares the lines of a set with those in the file.
func compareGolden(t *testing.T, want map[string]string, set, text string) {
	t.Helper()
	got := goldenLines(text)
	for name, line := range got {
		if was, known := want[name]; !known {
			t.Errorf("%s has no line %s: a new rule or Keep adds lines by -update, and changes no other", goldenFile, name)
		} else if line != was {
			t.Errorf("%s: computed\n%s, want\n%s", name, line, was)
		}
	}
	for name := range want {
		if _, computed := got[name]; !computed && strings.HasPrefix(name, set+"/") {
			t.Errorf("%s has the line %s, which is not computed", goldenFile, name)
		}
	}
}

// goldenAlone writes the results of OneVsRest and the binary models, and of the theory.
func goldenAlone(t *testing.T, w io.Writer, set naive.Set) {
	for name, b := range grid(len(set.X[0]), 8) {
		fmt.Fprintf(w, "%s/%s %s\n", set.Name, name, goldenLine(t, b, set))
	}
	goldenTheory(t, w, set)
}

// goldenClasses writes the results of Multiclass.
func goldenClasses(t *testing.T, w io.Writer, set naive.Set) {
	for name, b := range grid(len(set.X[0]), 8) {
		if joins(b) {
			fmt.Fprintf(w, "%s/Multiclass/%s %s\n", set.Name, name, goldenTogether(t, b, set))
		}
	}
}

// goldenWide writes the results of sparse rows.
func goldenWide(t *testing.T, w io.Writer, set naive.Set) {
	if set.Name == "iris" {
		return
	}
	for name, b := range grid(len(set.X[0]), 3) {
		if _, batch := b.(*perceptron.Batch); !batch {
			fmt.Fprintf(w, "%s/%s/Sparse %s\n", set.Name, name, goldenSparse(t, b, set))
		}
	}
}

// goldenLines returns the rest of each line, by the name with which the line begins.
func goldenLines(text string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, " ")
		lines[name] += rest
	}
	return lines
}

// goldenSparse trains models on the rows without a third of their features. In some models there are
// only these features; in others they are the first of many.
func goldenSparse(t *testing.T, b perceptron.Model, set naive.Set) string {
	X, digest := make([]perceptron.Sparse, len(set.X)), sha256.New()
	for i, x := range set.X {
		for j, v := range x {
			if (i+j)%3 > 0 {
				X[i].Index, X[i].Value = append(X[i].Index, uint32(j)), append(X[i].Value, v)
			}
		}
	}
	for _, width := range []int{len(set.X[0]), 1 << 17} {
		for _, m := range []perceptron.Model{&perceptron.OneVsRest{Binary: asBinary(b)}, &perceptron.Multiclass{Binary: asBinary(b)}} {
			s := perceptron.SparseModel{Model: m, Width: width}
			res, err := s.Fit(X, set.Y)
			fmt.Fprintln(digest, res.Epochs, res.Mistakes, res.Stop, math.Float64bits(res.Upper), err)
			for i := 0; err == nil && i < len(X); i++ {
				fmt.Fprintf(digest, "%x\n", must(s.Scores(nil, X[i]))(t))
			}
		}
	}
	return fmt.Sprintf("%x", digest.Sum(nil)[:12])
}

// goldenTheory writes the results of Mix, of the bounds and of Separate.
func goldenTheory(t *testing.T, w io.Writer, set naive.Set) {
	half := len(set.X) / 2
	var shards []*perceptron.OneVsRest
	for s := range 2 {
		m := &perceptron.OneVsRest{Binary: &perceptron.Margin{Keep: perceptron.Average, Rate: 0.1}}
		for class := range 4 { // Mix needs the same classes in both
			must(m.Update(make([]float64, len(set.X[0])), class))(t)
		}
		from, to := s*half, half+s*(len(set.X)-half)
		must(m.Learn(perceptron.Examples(set.X[from:to], set.Y[from:to])))(t)
		shards = append(shards, m)
	}
	mixed := must(perceptron.Mix(shards, []float64{1, 2}))(t)
	for c, h := range mixed.Hyperplanes().Planes {
		fmt.Fprintf(w, "%s/Mix/%d %x %x\n", set.Name, c, h.Weights[:4], h.Bias)
		for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			if s == perceptron.Linear {
				h.Bias = 0
			}
			goldenBounds(t, w, fmt.Sprintf("%s/%v/%d", set.Name, s, c), h, set.X, naive.Against(set.Y, c), s)
			if c < 2 {
				goldenSeparate(t, w, fmt.Sprintf("%s/%v/%d", set.Name, s, c), set.X, naive.Against(set.Y, c), s)
			}
		}
	}
}

func goldenBounds(t *testing.T, w io.Writer, name string, h perceptron.Hyperplane, X [][]float64, y []int, s perceptron.Space) {
	R, gamma := must(perceptron.Radius(X, s))(t), must(perceptron.Gamma(h, X, y, s))(t)
	D, L, err := perceptron.Deviations(h, X, y, s, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	k, margin := perceptron.ThresholdBound(R, 0.3, 0.1, 0.7)
	A, B := perceptron.StartEnvelope(R, 0.3, 0.1, gamma)
	fmt.Fprintf(w, "%s %x\n", name, []float64{
		R, gamma, D, L, perceptron.MistakeBound(R, 0.3), perceptron.StartBound(R, 0.3, 0.1, 2, gamma), A, B,
		perceptron.MarginBound(R, 0.3, 0.1), k, margin, perceptron.BatchBound(9, R, 0.3),
		perceptron.InseparableBound(R, 0.3, D, L), must(h.Distance(X[0]))(t),
	})
}

func goldenSeparate(t *testing.T, w io.Writer, name string, X [][]float64, y []int, s perceptron.Space) {
	sep := must(perceptron.Separate(X, y, s))(t)
	digest := sha256.New()
	_ = binary.Write(digest, binary.LittleEndian, append(sep.Multipliers, vector(sep.Hyperplane)...))
	fmt.Fprintf(w, "%s/Separate %v %x %x\n", name, sep.Separable, []float64{sep.Lower, sep.Upper}, digest.Sum(nil)[:12])
}

// goldenLine trains OneVsRest by Fit, three more epochs, and a pass of Learn if the model has one,
// and a binary model by Fit. Its digest covers all bits; the numbers before it are for the reader.
func goldenLine(t *testing.T, b perceptron.Model, set naive.Set) string {
	m := &perceptron.OneVsRest{Binary: asBinary(b), Workers: 2}
	res := must(m.Fit(set.X, set.Y))(t)
	digest := sha256.New()
	note := func(e perceptron.Epoch) {
		for _, h := range m.Hyperplanes().Planes {
			_ = binary.Write(digest, binary.BigEndian, vector(h))
		}
		fmt.Fprintln(digest, e.N, e.Examples, e.Mistakes, e.Stop, math.Float64bits(e.Loss))
	}
	note(perceptron.Epoch{})
	one := cloneOf(b).(perceptron.Binary)
	alone := must(one.Fit(set.X, naive.Against(set.Y, 0)))(t)
	fmt.Fprintln(digest, alone.Epochs, alone.Mistakes, alone.Stop, math.Float64bits(alone.Upper))
	for _, x := range set.X {
		fmt.Fprintln(digest, math.Float64bits(must(one.Score(x))(t)))
	}
	first := m.Hyperplanes().Planes[0].Weights[0]
	n := 0
	for e, err := range m.Epochs(set.X, set.Y) {
		note(must(e, err)(t))
		if n++; n == 3 {
			break
		}
	}
	if _, batch := b.(*perceptron.Batch); !batch {
		note(must(m.Learn(perceptron.Examples(set.X, set.Y)))(t))
	}
	return fmt.Sprintf("%d %d %v %x %x %x", res.Epochs, res.Mistakes, res.Stop, res.Upper, first, digest.Sum(nil)[:12])
}

// goldenTogether trains Multiclass by Fit, by three more epochs, with a class that is new, and by a
// pass of Learn. Unless its Keep is Pocket, it then mixes the model with an earlier copy. Its
// digest covers all bits.
func goldenTogether(t *testing.T, b perceptron.Model, set naive.Set) string {
	switch b := b.(type) {
	case *perceptron.Online:
		b.Start = perceptron.Hyperplane{}
	case *perceptron.Margin:
		b.Start = perceptron.Hyperplane{}
	}
	m := &perceptron.Multiclass{Binary: asBinary(b)}
	res := must(m.Fit(set.X, set.Y))(t)
	digest := sha256.New()
	note := func(m *perceptron.Multiclass, e perceptron.Epoch) {
		for _, h := range m.Hyperplanes().Planes {
			_ = binary.Write(digest, binary.BigEndian, vector(h))
		}
		fmt.Fprintln(digest, m.Classes(), e.N, e.Examples, e.Mistakes, e.Stop, math.Float64bits(e.Loss))
	}
	note(m, perceptron.Epoch{})
	first, was := m.Hyperplanes().Planes[0].Weights[0], m.Clone()
	for _, x := range set.X {
		fmt.Fprintln(digest, must(m.Predict(x))(t))
	}
	later := naive.Set{X: set.X, Y: slices.Clone(set.Y)}
	later.Y[1], later.Y[17] = 9, 9
	n := 0
	for e, err := range m.Epochs(later.X, later.Y) {
		note(m, must(e, err)(t))
		if n++; n == 3 {
			break
		}
	}
	note(m, must(m.Learn(perceptron.Examples(set.X, set.Y)))(t))
	must(was.Update(set.X[1], 9))(t) // Mix needs the same classes in both
	if mixed, err := perceptron.Mix([]*perceptron.Multiclass{m, was}, []float64{1, 2}); err == nil {
		note(mixed, must(mixed.Learn(perceptron.Examples(later.X, later.Y)))(t))
	}
	return fmt.Sprintf("%d %d %v %x %x %x", res.Epochs, res.Mistakes, res.Stop, res.Upper, first, digest.Sum(nil)[:12])
}

func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := naive.Mushroom(t)
	R := must(perceptron.Radius(set.X, perceptron.Affine))(t)
	if len(set.X) != 6513 || R < 4.795831 || R > 4.795832 {
		t.Fatalf("%d rows, R = %v", len(set.X), R)
	}
	res := fit(t, set, new(perceptron.Online))
	if res.Mistakes != 139 || res.Epochs != 15 || res.Stop != perceptron.Converged || res.Upper < gamma {
		t.Errorf("Online: %+v, want 139 mistakes in 15 epochs, Converged", res)
	}
	bound := perceptron.MistakeBound(R, gamma)
	if res := fit(t, set, &perceptron.Online{Rate: 0.1}); float64(res.Mistakes) > bound || res.Stop != perceptron.Converged {
		t.Errorf("Online with η = 0.1: %+v, want at most %v mistakes", res, bound)
	}
	for seed := range uint64(10) {
		for _, order := range []perceptron.Order{perceptron.Cyclic, perceptron.Shuffled, perceptron.Sampled} {
			m := &perceptron.Margin{Order: order, Seed: seed}
			res := must(m.Fit(set.X, set.Y))(t)
			achieved := must(perceptron.Gamma(m.Hyperplane(), set.X, set.Y, perceptron.Affine))(t)
			if float64(res.Mistakes) > 3*bound || achieved < gamma/3 || res.Upper < gamma {
				t.Errorf("Margin, %v: %+v of at most %v, margin %v", order, res, 3*bound, achieved)
			}
			if seed == 0 {
				t.Logf("Margin, %v: %d updates of at most %.0f, %.2f of the margin", order, res.Mistakes, 3*bound, achieved/gamma)
			}
		}
	}
}

// TestDigits: averaging gains three percentage points on MNIST's last 2,000 test digits.
func TestDigits(t *testing.T) {
	set := naive.Digits(t)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: keep, MaxEpochs: 5}
		for i, m := range manyClasses(binary, 0) {
			if i == 1 && keep == perceptron.Last {
				continue // it takes long on emulated machines
			}
			accuracy := heldOut(t, m, set, 2000)
			t.Logf("%v: %.4f", m, accuracy)
			if keep == perceptron.Average && accuracy < 0.925 {
				t.Errorf("%v: accuracy %v, want at least .925", m, accuracy)
			}
		}
	}
}

// TestLetter: with 26 classes and 16 features, Multiclass's accuracy is .06 higher than
// OneVsRest's.
func TestLetter(t *testing.T) {
	set := naive.Letter(t)
	binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 10}
	var accuracy [2]float64
	for i, m := range manyClasses(binary, 0) {
		accuracy[i] = heldOut(t, m, set, 4000)
	}
	t.Logf("OneVsRest %.4f, Multiclass %.4f", accuracy[0], accuracy[1])
	if gain := accuracy[1] - accuracy[0]; accuracy[1] < 0.755 || math.Round(100*gain) != 6 {
		t.Errorf("accuracies %v, want at least .755 for Multiclass, and a gain of .06", accuracy)
	}
}

// BenchmarkManyClasses times an epoch of both models of many classes.
func BenchmarkManyClasses(b *testing.B) {
	letter, digits := naive.Letter(b), naive.Digits(b)
	for _, set := range []naive.Set{letter, digits} {
		for i, name := range []string{"OneVsRest", "Multiclass"} {
			b.Run(set.Name+"/"+name, func(b *testing.B) {
				binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 1 << 30}
				next, stop := iter.Pull2(manyClasses(binary, 1)[i].Epochs(set.X, set.Y))
				defer stop()
				next()
				for b.Loop() {
					if _, err, ok := next(); err != nil || !ok {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// manyClasses returns the two models of many classes.
func manyClasses(binary perceptron.Model, workers int) [2]perceptron.Learner {
	return [2]perceptron.Learner{
		&perceptron.OneVsRest{Binary: asBinary(binary), Workers: workers},
		&perceptron.Multiclass{Binary: asBinary(binary)},
	}
}

// heldOut fits m to all rows but the last, and returns its accuracy on these.
func heldOut(t *testing.T, m perceptron.Learner, set naive.Set, last int) float64 {
	n := len(set.X) - last
	must(m.Fit(set.X[:n], set.Y[:n]))(t)
	return must(perceptron.Accuracy(m, set.X[n:], set.Y[n:]))(t)
}
