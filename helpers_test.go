package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"

	"github.com/google/go-cmp/cmp"
)

var inf = math.Inf(1)

func samePlane(a, b Hyperplane) bool {
	return slices.EqualFunc(vector(a), vector(b), naive.SameBits)
}

// vector returns (w, b).
func vector(h Hyperplane) []float64 { return append(slices.Clone(h.Weights), h.Bias) }

// nearPlane reports whether each number of w − u/n is near the same number of the exact mean b: it may
// differ by 2⁻⁵² of it, for two roundings, of the sum and of the quotient. If every sum is exact, it may not
// differ. Under Window the quotient may be larger than the mean: last is w then, and else it has no weights.
func nearPlane(a, b, last Hyperplane, exact bool) bool {
	v, w, of := vector(a), vector(b), vector(last)
	if len(last.Weights) == 0 {
		of = w
	}
	near := !exact
	for j := range v {
		near = near && math.Abs(v[j]-w[j]) <= 0x1p-52*max(math.Abs(w[j]), math.Abs(of[j]))
	}
	return near || samePlane(a, b)
}

func must[T any](v T, err error) func(testing.TB) T { return naive.Must(v, err) }

// exactly compares unexported fields too, and floats by their bits: a NaN is the same NaN, and 0
// is not −0. A nil slice differs from an empty one.
var exactly = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Comparer(naive.SameBits),
	cmp.Comparer(func(a, b *train.Rule) bool { return a == b }),
	cmp.Comparer(func(a, b *train.Rival) bool { return a == b }),
}

// Diff fails the test unless got is exactly want. The tests outside the package use it too.
func Diff[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, exactly); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func only[T any](_ T, err error) error { return err }

// drain ranges over Epochs and returns the error. The error must come last and only once.
func drain(m model, X [][]float64, y []int, body func()) (last error) {
	for e, err := range m.(ranger).Epochs(X, y) {
		if last != nil || err != nil && e != (Epoch{}) {
			return fmt.Errorf("%+v, %v after %w", e, err, last)
		}
		if last = err; err == nil {
			body()
		}
	}
	return last
}

// snapshot prints exactly everything that prediction and further training depend on.
func snapshot(m model) string {
	c, start, state := m.learned().State()
	if state == nil {
		return "nothing"
	}
	data, err := json.Marshal(state)
	return fmt.Sprintln(c.Rate, c.Space, c.Order, c.Keep, c.Rule, c.Parameters, start, string(data), err)
}

// configured returns the fields of m with their defaults.
func configured(m model) train.Config {
	c, _, _ := m.config()
	c = c.Completed()
	return c
}

// startOf returns the field Start of m, or of its Binary.
func startOf(m model) *Hyperplane {
	_, start, _ := m.config()
	return start
}

// resumes reports whether the fields of m are those with which training began, as far as they
// may not change.
func resumes(m model) bool {
	c, _, _ := m.learned().State()
	d := configured(m)
	return c.Space == d.Space && c.Order == d.Order && c.Keep == d.Keep && c.Rule == d.Rule && c.Parameters == d.Parameters
}

// stateOf returns the saved form of what m has learned.
func stateOf(m model) *train.State {
	_, _, s := m.learned().State()
	return s
}

// edit changes what m has learned through its saved form.
func edit(t testing.TB, m model, change func(s *train.State)) {
	t.Helper()
	c, start, s := m.learned().State()
	change(s)
	must(0, m.learned().Restore(c, start, s))(t)
}

// binaryModel is what Online and Margin have.
type binaryModel interface {
	model
	Learner
	Binary
}

// full reports whether PERCEPTRON_FULL is set. If it is, tests run every case of a grid. Else they
// run a sample, which has every value of each mode, and every pair of values of two modes.
var full = os.Getenv("PERCEPTRON_FULL") != ""

// sampled reports whether a sample has the combination of an Order, a Keep, a Space and a kind
// of model. Order + Keep + kind is a multiple of 3, so any two of them determine the third.
func sampled(order Order, keep Keep, space Space, kind int) bool {
	return (int(order)+int(keep)+kind)%3 == 0 && (int(order)+kind)%2 == int(space)
}

// Share returns how many of n random cases a test draws: all of them if PERCEPTRON_FULL is set,
// else a tenth.
func Share(n int) int {
	if full {
		return n
	}
	return n / 10
}

// widths yields the widths from 1 to most: all if PERCEPTRON_FULL is set, else those around the
// widths of the kernels.
func widths(most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for d := 1; d <= most; d++ {
			if (full || slices.Contains([]int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40}, d)) && !yield(d) {
				return
			}
		}
	}
}

// onlineGrid yields models that learn by example: all of wholeGrid, or a sample.
func onlineGrid(d, epochs int) iter.Seq2[string, binaryModel] {
	return func(yield func(string, binaryModel) bool) {
		kind := 0
		for name, p := range wholeGrid(d, epochs) {
			c := configured(p)
			if (full || sampled(Order(c.Order), Keep(c.Keep), Space(c.Space), kind%8)) && !yield(name, p) {
				return
			}
			kind++
		}
	}
}

// wholeGrid yields the models that learn by example, with every rule, Order, Keep, Space and Window. Half
// of them have a rate that is no power of two and a start that is not zero.
func wholeGrid(d, epochs int) iter.Seq2[string, binaryModel] {
	start := Hyperplane{Weights: make([]float64, d)}
	for j := range start.Weights {
		start.Weights[j] = float64(j%3) - 1.25
	}
	rules := []model{&Online{Seed: 7}, &Margin{Seed: 8}, &Margin{Seed: 8, Threshold: 0.7}, &Margin{Seed: 8, Gamma: 0.3}, &Margin{Seed: 8, Share: 0.6}}
	return func(yield func(string, binaryModel) bool) {
		keeps, kinds := len(train.KeepNames), 2*len(rules)
		for i := range 3 * keeps * 2 * kinds {
			order, keep, space, kind := Order(i/(2*kinds*keeps)), Keep(i/(2*kinds)%keeps), Space(i/kinds%2), i%kinds
			shared := fields{"Space": space, "Order": order, "Keep": keep, "MaxEpochs": epochs, "Window": []int{0, 1, 7}[(kind/2+int(space)+int(order))%3]}
			if kind%2 == 1 {
				start.Bias = 0.75 * float64(1-space)
				shared["Start"], shared["Rate"] = start, 0.1
			}
			if !yield(fmt.Sprintf("%v/%v/%v/%d", order, keep, space, kind), shared.set(rules[kind/2]).(binaryModel)) {
				return
			}
		}
	}
}

// binaries yields the binary models that OneVsRest can be built from.
func binaries(d, epochs int) iter.Seq2[string, model] {
	return withBatch(d, epochs, onlineGrid(d, epochs))
}

// withBatch yields the models of a grid, and Batch.
func withBatch(d, epochs int, grid iter.Seq2[string, binaryModel]) iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		for name, p := range grid {
			if !yield(name, p) {
				return
			}
		}
		for _, space := range []Space{Affine, Linear} {
			if !yield("Batch/"+space.String(), &Batch{Space: space, MaxEpochs: epochs, Rate: 0.5, Workers: 3}) {
				return
			}
		}
	}
}

// manyModel is what OneVsRest and Multiclass have.
type manyModel interface {
	model
	Learner
	Scores(dst, x []float64) ([]float64, error)
	Classes() []int
	Hyperplanes() Hyperplanes
}

// isMany reports whether m is a model of many classes.
func isMany(m model) bool {
	_, many := m.(manyModel)
	return many
}

// inner returns the Binary of a model of many classes. It returns nil for nil, and for
// other models.
func inner(m model) (b model) {
	if field := reflect.ValueOf(m).Elem().FieldByName("Binary"); field.IsValid() {
		b, _ = field.Interface().(model)
	}
	return b
}

// joins reports whether a Multiclass takes m as its Binary.
func joins(m model) bool { c := configured(m); return c.Rule.Constant && c.Rule.Descend == nil }

// keslerGrid yields a Multiclass for each model of onlineGrid that starts from zero. Multiclass
// accepts no others.
func keslerGrid(d, epochs int) iter.Seq2[string, *Multiclass] {
	return func(yield func(string, *Multiclass) bool) {
		for name, b := range onlineGrid(d, epochs) {
			*startOf(b) = Hyperplane{}
			if joins(b) && !yield("Multiclass/"+name, &Multiclass{Binary: b}) {
				return
			}
		}
	}
}

func cloneOf(m model) model {
	return reflect.ValueOf(m).MethodByName("Clone").Call(nil)[0].Interface().(model)
}

// methods returns the methods of the list that m has.
func methods(m model, list string) []string {
	return slices.DeleteFunc(strings.Fields(list), func(name string) bool {
		if o, ok := m.(*OneVsRest); ok && (name == "Learn" || name == "Update") {
			_, batch := o.Binary.(*Batch)
			return batch
		}
		return !reflect.ValueOf(m).MethodByName(name).IsValid()
	})
}

// AsBinary returns m as the value of a field Binary, or nil if it is none.
func AsBinary(m Model) Binary {
	b, _ := m.(Binary)
	return b
}

// allocated returns the bytes and the allocations of a call.
func allocated(f func()) (bytes, times uint64) { return naive.Allocated(f) }

// mixOf mixes models of one kind.
func mixOf[M Model](models []M, weights []float64) (model, error) {
	switch any(models[0]).(type) {
	case *Online:
		return mixAs[*Online](models, weights)
	case *Margin:
		return mixAs[*Margin](models, weights)
	case *OneVsRest:
		return mixAs[*OneVsRest](models, weights)
	case *Multiclass:
		return mixAs[*Multiclass](models, weights)
	}
	return nil, errors.New("Mix takes no Batch")
}

func mixAs[T *Online | *Margin | *OneVsRest | *Multiclass, M Model](models []M, weights []float64) (model, error) {
	var all []T
	for _, m := range models {
		all = append(all, any(m).(T))
	}
	mixed, err := Mix(all, weights)
	if err != nil {
		return nil, err
	}
	return any(mixed).(model), nil
}

// Allocated returns how many bytes a call allocates in sum.
func Allocated(f func()) uint64 {
	bytes, _ := allocated(f)
	return bytes
}

// updated returns the model after an Update with (x, +1).
func updated[M streamer](t *testing.T, m M, x ...float64) M {
	must(m.Update(x, +1))(t)
	return m
}

// over returns the model after an example of each class.
func over(t *testing.T, m manyModel, classes ...int) manyModel {
	for _, c := range classes {
		must(m.Update([]float64{1}, c))(t)
	}
	return m
}

// species are the names of Iris's classes.
var species = []string{"setosa", "versicolor", "virginica"}

// irisNames is Iris with names.
func irisNames(t testing.TB) (X [][]float64, labels []string) {
	set := Iris(t)
	for _, y := range set.Y {
		labels = append(labels, species[y])
	}
	return set.X, labels
}
