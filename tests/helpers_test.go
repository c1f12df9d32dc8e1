// Package tests checks the library through its exported API alone: the theorems, the certificates, and the notes.
package tests_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"

	"github.com/google/go-cmp/cmp"
)

// TestMain runs the tests in the root, which has the files that they read.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	m.Run()
}

var inf = math.Inf(1)

func must[T any](v T, err error) func(testing.TB) T { return naive.Must(v, err) }

// diff fails the test unless got is exactly want: floats are compared by their bits.
func diff[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.Comparer(naive.SameBits)); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// exactly is diff with unexported fields.
func exactly[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.Comparer(naive.SameBits), cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// species are the names of Iris's classes.
var species = []string{"setosa", "versicolor", "virginica"}

// irisNames is Iris with names.
func irisNames(t testing.TB) (X [][]float64, labels []string) {
	set := naive.Iris(t)
	for _, y := range set.Y {
		labels = append(labels, species[y])
	}
	return set.X, labels
}

// full reports whether PERCEPTRON_FULL is set.
var full = os.Getenv("PERCEPTRON_FULL") != ""

// share returns how many of n random cases a test draws: all of them if PERCEPTRON_FULL is set,
// else a tenth.
func share(n int) int {
	if full {
		return n
	}
	return n / 10
}

// vector returns (w, b).
func vector(h perceptron.Hyperplane) []float64 { return append(slices.Clone(h.Weights), h.Bias) }

func samePlane(a, b perceptron.Hyperplane) bool {
	return slices.EqualFunc(vector(a), vector(b), naive.SameBits)
}

// homogeneous returns a copy of the rows, with a 1 appended in Affine space.
func homogeneous(X [][]float64, s perceptron.Space) [][]float64 {
	return naive.Homogeneous(X, s == perceptron.Affine)
}

// planeOf returns the hyperplane whose d weights are the first d elements of z, and whose bias is
// the element after them.
func planeOf(z []float64, d int) perceptron.Hyperplane {
	return perceptron.Hyperplane{Weights: z[:d:d], Bias: z[d]}
}

// A want is an expected error.
type want struct {
	kind  error
	index int    // of the ExampleError; −1 if there must be none
	text  string // after "perceptron: " and the example; "…" stands for any rest
}

func (w want) check(t testing.TB, err error) {
	t.Helper()
	text, open := strings.CutSuffix("perceptron: "+w.text, "…")
	if w.index >= 0 {
		text = fmt.Sprintf("perceptron: example %d: %s", w.index, w.text)
	}
	if err == nil || err.Error() != text && !(open && strings.HasPrefix(err.Error(), text)) || !errors.Is(err, w.kind) {
		t.Errorf("error %v, want %s of kind %q", err, text, w.kind)
	}
}

// cloneOf returns m.Clone().
func cloneOf(m perceptron.Model) perceptron.Model {
	return reflect.ValueOf(m).MethodByName("Clone").Call(nil)[0].Interface().(perceptron.Model)
}

// asBinary returns m as the value of a field Binary, or nil if it is none.
func asBinary(m perceptron.Model) perceptron.Binary {
	b, _ := m.(perceptron.Binary)
	return b
}

// keslerRow returns the vector z of Kesler's construction for a row and a rival: it has (x, 1), or
// x in Linear space, in the place of the row's class, and its negative in the rival's place.
func keslerRow(x []float64, own, rival, classes int, s perceptron.Space) []float64 {
	x = homogeneous([][]float64{x}, s)[0]
	z := make([]float64, classes*len(x))
	for j, v := range x {
		z[own*len(x)+j], z[rival*len(x)+j] = v, -v
	}
	return z
}

// keslerRows returns these vectors for every row and each of its rivals, all labelled +1. The
// classes are those of the rows, and stand in ascending order.
func keslerRows(set naive.Set, s perceptron.Space) (rows naive.Set) {
	classes := slices.Compact(slices.Sorted(slices.Values(set.Y)))
	for i, x := range set.X {
		for r, class := range classes {
			if class != set.Y[i] {
				rows.Add(keslerRow(x, slices.Index(classes, set.Y[i]), r, len(classes), s), +1)
			}
		}
	}
	return rows
}

// mixOf returns the mix of models of one kind.
func mixOf(t *testing.T, models []perceptron.Learner, weights []float64) perceptron.Learner {
	t.Helper()
	var m perceptron.Learner
	var err error
	switch models[0].(type) {
	case *perceptron.Online:
		m, err = mixAs[*perceptron.Online](models, weights)
	case *perceptron.Margin:
		m, err = mixAs[*perceptron.Margin](models, weights)
	case *perceptron.OneVsRest:
		m, err = mixAs[*perceptron.OneVsRest](models, weights)
	case *perceptron.Multiclass:
		m, err = mixAs[*perceptron.Multiclass](models, weights)
	default:
		err = errors.New("Mix takes no Batch")
	}
	return must(m, err)(t)
}

func mixAs[T *perceptron.Online | *perceptron.Margin | *perceptron.OneVsRest | *perceptron.Multiclass](models []perceptron.Learner, weights []float64) (perceptron.Learner, error) {
	var all []T
	for _, m := range models {
		all = append(all, any(m).(T))
	}
	m, err := perceptron.Mix(all, weights)
	if err != nil {
		return nil, err
	}
	return any(m).(perceptron.Learner), nil
}

// margin returns Lower of the rows' separation in Linear space. The bracket must be
// narrower than a part in 10¹².
func margin(t testing.TB, set naive.Set) float64 {
	t.Helper()
	sep := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t)
	if err := perceptron.Verify(sep, set.X, set.Y); err != nil {
		t.Fatal(err)
	}
	if !sep.Separable || sep.Upper-sep.Lower > 1e-12*sep.Upper {
		t.Fatalf("γ in [%v, %v]", sep.Lower, sep.Upper)
	}
	return sep.Lower
}

func fit(t testing.TB, set naive.Set, m perceptron.Model) perceptron.Result {
	t.Helper()
	return must(m.Fit(set.X, set.Y))(t)
}

func radiusOf(t testing.TB, set naive.Set, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Radius(set.X, space))(t)
}

func gammaOf(t testing.TB, set naive.Set, h perceptron.Hyperplane, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Gamma(h, set.X, set.Y, space))(t)
}

func deviationsOf(t testing.TB, set naive.Set, h perceptron.Hyperplane, space perceptron.Space, gamma float64) (D, L float64) {
	t.Helper()
	D, L, err := perceptron.Deviations(h, set.X, set.Y, space, gamma)
	if err != nil {
		t.Fatal(err)
	}
	return D, L
}

func norm(v []float64) float64 { return math.Sqrt(vec.Dot(v, v)) }

// grid yields untrained binary models with every rule, Order, Keep and Space. Half of them have a rate that is no
// power of two and a start that is not zero. The grid of package perceptron's own tests has the same names.
func grid(d, epochs int) iter.Seq2[string, perceptron.Model] {
	start := perceptron.Hyperplane{Weights: make([]float64, d)}
	for j := range start.Weights {
		start.Weights[j] = float64(j%3) - 1.25
	}
	return func(yield func(string, perceptron.Model) bool) {
		for i := range 3 * 3 * 2 * 10 {
			order, keep, space, kind := perceptron.Order(i/60), perceptron.Keep(i/20%3), perceptron.Space(i/10%2), i%10
			p := perceptron.Online{Space: space, Order: order, Keep: keep, MaxEpochs: epochs}
			if kind%2 == 1 {
				p.Start, p.Rate = perceptron.Hyperplane{Weights: start.Weights, Bias: 0.75 * float64(1-space)}, 0.1
			}
			m := perceptron.Margin{Space: p.Space, Order: p.Order, Keep: p.Keep, MaxEpochs: p.MaxEpochs, Start: p.Start, Rate: p.Rate, Seed: 8}
			p.Seed = 7
			m.Threshold, m.Gamma, m.Share = []float64{2: 0.7, 4: 0}[kind/2], []float64{3: 0.3, 4: 0}[kind/2], []float64{4: 0.6}[kind/2]
			if !yield(fmt.Sprintf("%v/%v/%v/%d", order, keep, space, kind), []perceptron.Model{&p, &m, &m, &m, &m}[kind/2]) {
				return
			}
		}
		for _, space := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			if !yield("Batch/"+space.String(), &perceptron.Batch{Space: space, MaxEpochs: epochs, Rate: 0.5, Workers: 3}) {
				return
			}
		}
	}
}

// joins reports whether a Multiclass takes m as its Binary.
func joins(m perceptron.Model) bool { _, batch := m.(*perceptron.Batch); return !batch }

// raw returns numbers as bytes, for a fuzz target.
func raw(v ...float64) []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, v)
	return data
}

// floats is the inverse of raw.
func floats(data []byte) []float64 {
	v := make([]float64, len(data)/8)
	_, _ = binary.Decode(data, binary.LittleEndian, v)
	return v
}

// sparse returns the rows without their zeros.
func sparse(X [][]float64) (rows []perceptron.Sparse) {
	for _, x := range X {
		var row perceptron.Sparse
		for j, v := range x {
			if v != 0 {
				row.Index, row.Value = append(row.Index, uint32(j)), append(row.Value, v)
			}
		}
		rows = append(rows, row)
	}
	return rows
}
