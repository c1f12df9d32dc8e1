package weights

import (
	"cmp"
	"math"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// A Form is the saved form of a plane's vectors. Weights and Bias predict, under every Keep, so that
// another program needs nothing else to predict. Under Average they are the mean. Loading does not
// compute the mean again. So predictions keep their bits even if a later version rounds the mean in
// another way.
type Form struct {
	Weights saved.Vector
	Bias    float64
	Average *SavedMean    // nil unless Keep is Average
	Iterate *saved.Vector // the iterate in training under Pocket, else nil; ends with the bias
}

// A SavedMean is the saved form of the sums of Average, and of the iterate in training. The last
// element of each vector belongs to the bias.
type SavedMean struct {
	Iterate saved.Vector `json:"iterate"`
	Sum     saved.Vector `json:"sum"`
	Low     saved.Vector `json:"low"`
	Count   float64      `json:"count"` // the examples seen
}

// vectorsSaved is the number of vectors that are saved for a plane.
var vectorsSaved = [...]int{Last: 1, Average: 4, Pocket: 2}

// Save returns the saved form of each plane. The vectors may share memory with the planes. Any number
// of goroutines may call Save at once.
func (p *Planes) Save() []Form {
	pack := func(v []float64) saved.Vector { return saved.Pack(v[:len(v):len(v)]) }
	if uint64(len(p.all)*vectorsSaved[p.Keep]) > saved.MostZeros/uint64(p.width+1) {
		// With so many vectors, a loaded form could not leave out the zeros.
		pack = func(v []float64) saved.Vector { return saved.Whole(v[:len(v):len(v)]) }
	}
	var forms []Form
	for i, q := range p.all {
		w := p.Predictor(i)
		f := Form{Weights: pack(w[:p.width]), Bias: w[p.width]}
		switch p.Keep {
		case Average:
			q = q.plain()
			m := q.mean
			f.Average = &SavedMean{pack(q.w), pack(m.sum), pack(m.low), m.seen}
		case Pocket:
			w := pack(q.w)
			f.Iterate = &w
		}
		forms = append(forms, f)
	}
	return forms
}

// Vectors returns pointers to the saved vectors, the weights first.
func (f *Form) Vectors() []*saved.Vector {
	all := []*saved.Vector{&f.Weights}
	if m := f.Average; m != nil {
		all = append(all, &m.Iterate, &m.Sum, &m.Low)
	}
	if f.Iterate != nil {
		all = append(all, f.Iterate)
	}
	return all
}

// BeginLoad prepares planes that have none for Load with each of n forms. It returns an error if the vectors
// with an Index would take too much memory.
func (p *Planes) BeginLoad(width, n int, form func(i int) Form) error {
	p.width = width
	short := 0 // the number of vectors with an Index
	for i := range n {
		f := form(i)
		for _, v := range f.Vectors() {
			if v.Index != nil {
				short++
			}
		}
	}
	return saved.Expect(uint64(short) <= saved.MostZeros/(uint64(width)+1), "width",
		"%d, so %s, few of whose elements are not zero, would have %d elements each, want at most %d in all", width, saved.Count(short, "vector", "vectors"), uint64(width)+1, saved.MostZeros)
}

// Load adds the plane whose saved form is f as the last one. Its vectors may share memory with f. The
// caller has checked that Weights.N is the width, and that f has the vectors that Keep needs. So Load
// allocates no more elements than the file has numbers, or than saved.MostZeros allows.
func (p *Planes) Load(f *Form) error {
	q := &plane{stride: 1}
	predictor := f.Weights.With(f.Bias)
	err := p.checkBias(predictor)
	switch p.Keep {
	case Last:
		q.w = predictor
	case Average:
		q.kept = predictor
		if err = cmp.Or(err, saved.At(".average", f.Average.load(q, p))); err == nil {
			err = q.checkMean()
		}
	case Pocket:
		q.kept = predictor
		err = cmp.Or(err, saved.At(".pocket.iterate", p.setVector(&q.w, *f.Iterate)))
	}
	if err != nil {
		return err
	}
	for _, v := range q.moving() {
		for j := range *v {
			(*v)[j] += 0 // no −0, as after training
		}
	}
	p.all = append(p.all, q)
	p.measure(len(p.all) - 1)
	return nil
}

// load sets the sums and the iterate of q, and validates the count. After Mix, Count may be a fraction,
// and by rounding a little below 1.
func (s *SavedMean) load(q *plane, p *Planes) error {
	q.mean = &mean{seen: s.Count, weight: 1}
	return cmp.Or(
		saved.At(".iterate", p.setVector(&q.w, s.Iterate)),
		saved.At(".sum", p.setVector(&q.mean.sum, s.Sum)),
		saved.At(".low", p.setVector(&q.mean.low, s.Low)),
		saved.Expect(s.Count > 0.5 && s.Count <= Countable, "count", "%v, want 1 to 2⁵³", s.Count),
	)
}

// setVector sets *w to a saved vector (w, b). It returns an error if the length or the bias is not
// valid.
func (p *Planes) setVector(w *[]float64, from saved.Vector) error {
	if from.N-1 != p.width {
		return saved.Errorf("%s, want %d", saved.Count(from.N, "number", "numbers"), uint64(p.width)+1)
	}
	*w = from.Dense()
	return p.checkBias(*w)
}

// checkBias returns an error if b is not 0 in a vector (w, b) of Linear space.
func (p *Planes) checkBias(w []float64) error {
	b := w[len(w)-1]
	return saved.Expect(!p.Linear || b == 0, "bias", "%v in Linear space, want 0", b)
}

// checkMean returns an error unless the saved mean equals, up to rounding, the mean that the sums give.
// The plane keeps the saved mean, which another version of the library may have rounded in another way.
func (q *plane) checkMean() error {
	m := q.mean
	for i, found := range q.kept {
		want := vec.Mean(q.w[i], m.sum[i], m.low[i], m.seen)
		size := math.Abs(m.sum[i])/m.seen + math.Abs(m.low[i])/m.seen + math.Abs(q.w[i])
		if !(math.Abs(found-want) <= max(0x1p-40*size, 0x1p-1060)) {
			return saved.At(".weights", saved.Errorf("%v, but the sums of the average give %v", found, want))
		}
	}
	return nil
}
