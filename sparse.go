package perceptron

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sort"
	"unsafe"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Sparse is a row of few non-zeros: element Index[k] is Value[k], and all others are 0. A row
// without elements is legal, and so is a Value of 0.
type Sparse struct {
	Index []uint32 // strictly ascending
	Value []float64
}

// A Row is a row of features. For a [Sparse] row, functions of the theory give the bits of the row with its
// zeros (but for the last of [Separate]), in O(z), not O(d). Sparse rows have the width of the hyperplane
// that a call gets, or else their largest index plus 1, at most 2³⁰ (2²⁷ − 1 on 32 bits).
type Row interface{ []float64 | Sparse }

// Sort sorts x by index, in place, in O(n log² n) for n elements, and replaces elements with equal indexes by
// their sum, added in their order.
func (x *Sparse) Sort() {
	if len(x.Value) != len(x.Index) {
		return
	}
	sort.Stable((*byIndex)(x))
	n := 0
	for k, j := range x.Index {
		if n > 0 && x.Index[n-1] == j {
			x.Value[n-1] += x.Value[k]
			continue
		}
		x.Index[n], x.Value[n] = j, x.Value[k]
		n++
	}
	x.Index, x.Value = x.Index[:n], x.Value[:n]
}

// Examples yields rows with their labels, as a stream for Learn. If X and y differ in length, it ends with a
// row that Learn rejects.
func Examples[R []float64 | Sparse, L int | string](X []R, y []L) iter.Seq2[R, L] {
	return func(yield func(R, L) bool) {
		for i, x := range X[:min(len(X), len(y))] {
			if !yield(x, y[i]) {
				return
			}
		}
		if len(X) != len(y) {
			yield(rejected[R](), accepted[L]())
		}
	}
}

// rejected returns a row that no model learns.
func rejected[R Row]() R {
	if x, ok := any(Sparse{Index: []uint32{0}}).(R); ok {
		return x // no value for the index
	}
	return *new(R)
}

// accepted returns a label that every model takes, so the error is the one about the row.
func accepted[L int | string]() L {
	if y, ok := any(1).(L); ok {
		return y
	}
	return *new(L)
}

// HashWords returns the row of a bag of words in O(n log n): the index of a word is its CRC-32 (IEEE) modulo
// width, and its value the number of times it occurs. With d different words, choose a width of 8·d or more,
// so that on average fewer than one word in eight shares its index; 1<<18 suits most texts. A width below 1
// gives a row that every call rejects.
func HashWords(width int, words ...string) Sparse {
	if width < 1 {
		return rejected[Sparse]()
	}
	x := Sparse{make([]uint32, 0, len(words)), make([]float64, 0, len(words))}
	text := make([]byte, 0, 64) // of one word after another
	for _, word := range words {
		text = append(text[:0], word...)
		sum := crc32.ChecksumIEEE(text)
		x.Index = append(x.Index, uint32(uint64(sum)%uint64(width)))
	}
	slices.Sort(x.Index)
	n := 0
	for _, j := range x.Index {
		if n > 0 && x.Index[n-1] == j {
			x.Value[n-1]++
			continue
		}
		x.Index[n], x.Value, n = j, append(x.Value, 1), n+1
	}
	x.Index = x.Index[:n]
	return x
}

// SparseModel trains Model, and predicts with it, on sparse rows of Width features. Each call gives the bits
// that Model's own call gives for the row without its zeros and for the weights at its indexes. With the
// zeros, a score's last bits may differ. Sparse and dense calls may alternate, and every theorem holds. To
// save it, save its Model.
//
// Calls take O(z) for each row and each hyperplane that they read or move. An update takes O(d) with Margin's
// Gamma, and under Pocket where it ends a long streak. An epoch, or a call of Learn, takes O(d) more for each
// hyperplane, and memory for about four vectors of 8·Width bytes. Calls return ErrFormat if the indexes of a
// row do not ascend, and ErrConfig if Model is no [Learner] or is a OneVsRest of Batch. Training without any
// width returns ErrEmpty.
type SparseModel struct {
	Model Model // *Online, *Margin, *OneVsRest or *Multiclass
	Width int   // features, at most 2³⁰ (2²⁷ − 1 on 32 bits); 0 means those of the trained Model
}

// Fit trains Model from scratch, as Model's own Fit does.
func (s SparseModel) Fit(X []Sparse, y []int) (Result, error) {
	m, width := s.trainable()
	return fit(m, train.Rows{Sparse: sparseRows(X), Width: width}, y)
}

// Epochs trains Model as Model's own Epochs does.
func (s SparseModel) Epochs(X []Sparse, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		m, width := s.trainable()
		runEpochs(m, train.Rows{Sparse: sparseRows(X), Width: width}, y)(yield)
	}
}

// Learn trains Model as Model's own Learn does.
func (s SparseModel) Learn(examples iter.Seq2[Sparse, int]) (Epoch, error) {
	var e Epoch
	m, width := s.trainable()
	c, start, err := prepare(m, false)
	if err == nil {
		err = train.LearnSparse(m.learned(), c, start, examples, report(e.set), func(x Sparse) vec.Row { return x.row(width) })
	}
	return e, err
}

// Update trains Model as Model's own Update does. A longer row allocates too.
func (s SparseModel) Update(x Sparse, y int) (updated bool, err error) {
	if m, err := s.checked(); err == nil { // the fields need no check if the last call had the same
		e := m.learned()
		if last := e.Current(); last != nil && sameFields(m, last) {
			_, width, _, _ := e.Summary()
			r := x.row(cmp.Or(s.Width, width))
			return e.ContinueRow(&r, y)
		}
	}
	m, width := s.trainable()
	r := x.row(width)
	return update(m, &r, y)
}

// sameFields is unchanged, but faster for a binary model.
func sameFields(m model, last *train.Config) bool {
	switch m := m.(type) {
	case *Online:
		return m.same(last)
	case *Margin:
		return m.same(last)
	}
	return unchanged(m, last)
}

// Scores appends the scores of x to dst. A binary model has one score.
func (s SparseModel) Scores(dst []float64, x Sparse) ([]float64, error) {
	e, err := s.readable()
	if err != nil {
		return dst, err
	}
	n, k := len(dst), e.Planes()
	scores := slices.Grow(dst, k)[:n+k]
	if err := e.SparseScores(x.Index, x.Value, func(i int, s float64) { scores[n+i] = s }); err != nil {
		return dst, err
	}
	return scores, nil
}

// Predict returns the label of x, as Model's own Predict does. It allocates at most once after each training
// call, when up to Width non-zeros have been read: then it computes the mean, or copies the weights to where it
// reads them faster.
func (s SparseModel) Predict(x Sparse) (int, error) {
	e, err := s.readable()
	if err != nil {
		return 0, err
	}
	return e.SparseLabel(x.Index, x.Value)
}

// row returns x as a vec.Row of width features. It shares x's memory.
func (x Sparse) row(width int) vec.Row { return vec.Sparse(x).Row(width) }

// trainable returns Model, and the width of the rows that it is about to learn. If Model cannot
// learn them, trainable returns an untrainable, whose config method returns the error.
func (s SparseModel) trainable() (model, int) {
	m, err := s.checked()
	if err != nil {
		return untrainable{defaultBinary, err}, 0
	}
	_, d, _, _ := m.learned().Summary()
	width := cmp.Or(s.Width, d)
	c, _, err := m.config()
	if err = cmp.Or(err,
		require(c.Rule.Descend == nil, ErrConfig, "Batch does not learn sparse rows"),
		require(width > 0, ErrEmpty, "Width is 0, and Model is untrained; set Width")); err != nil {
		return untrainable{defaultBinary, err}, 0
	}
	return m, width
}

// An untrainable is a model that cannot be trained.
type untrainable struct {
	model
	err error
}

func (r untrainable) config() (train.Config, *Hyperplane, error) {
	return train.Config{}, nil, r.err
}

// readable returns the engine of a trained Model, which can read sparse rows.
func (s SparseModel) readable() (*train.Engine, error) {
	m, err := s.checked()
	if err != nil {
		return nil, err
	}
	e := m.learned()
	if err := e.Trained(); err != nil {
		return nil, err
	}
	c, width, _, _ := e.Summary()
	if s.Width != 0 && s.Width != width { // without require, which would allocate its arguments
		return nil, fmt.Errorf("%w: Width is %d, but Model has %d", ErrDimension, s.Width, width)
	}
	return e, require(c.Rule.Descend == nil, ErrConfig, "Batch reads no sparse rows")
}

// checked returns Model, or an error if a field makes no sense.
func (s SparseModel) checked() (model, error) {
	m, _ := s.Model.(model)
	if _, batch := m.(*Batch); batch || !isModel(s.Model) {
		return nil, fmt.Errorf("%w: Model is a %T, want *Online, *Margin, *OneVsRest or *Multiclass, and not nil", ErrConfig, s.Model)
	}
	if s.Width < 0 || s.Width > mostWidth {
		return nil, fmt.Errorf("%w: Width is %d, want 0 to %d", ErrConfig, s.Width, mostWidth)
	}
	return m, nil
}

// leastWidth returns the least power of two above the highest index of sparse rows that ascend, at most mostWidth.
// It returns 0 for rows without elements, and for dense rows.
func leastWidth[R Row](X []R) int {
	width := 0
	rows, _ := any(X).([]Sparse)
	for _, x := range rows {
		if n := len(x.Index); n > 0 {
			width = max(width, 1<<bits.Len32(min(x.Index[n-1], mostWidth-1)))
		}
	}
	return min(width, mostWidth)
}

// mostWidth is the largest width of sparse rows: a vector of so many features takes 8 GiB. Go ends a program
// that cannot allocate its memory.
const mostWidth = min(math.MaxInt/16, 1<<30)

// byIndex implements sort.Interface for a Sparse.
type byIndex Sparse

func (x *byIndex) Len() int           { return len(x.Index) }
func (x *byIndex) Less(i, j int) bool { return x.Index[i] < x.Index[j] }
func (x *byIndex) Swap(i, j int) {
	x.Index[i], x.Index[j] = x.Index[j], x.Index[i]
	x.Value[i], x.Value[j] = x.Value[j], x.Value[i]
}

// sparseRows returns X, in the same memory, as the type that package train reads.
func sparseRows(X []Sparse) []vec.Sparse {
	return unsafe.Slice((*vec.Sparse)(unsafe.SliceData(X)), len(X))
}
