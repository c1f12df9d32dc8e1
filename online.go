package perceptron

import "iter"

// Online is Rosenblatt's perceptron (1958), which learns one example at a time:
// an example (x, y), y = ±1, with y(⟨w, x⟩ + b) ≤ 0 is a mistake, upon which
//
//	w ← w + ηyx,  b ← b + ηy.
//
// On data that a hyperplane separates with margin γ, whose rows (x, 1) are no
// longer than R, it makes at most (R/γ)² mistakes from the zero vector, in any
// order, over any number of epochs (Novikoff 1962): see [MistakeBound].
//
// The zero value is ready. A look at an example takes O(d) and a mistake O(d)
// more; training holds O(d) memory beside the data, and an index a row under
// Shuffled.
//
// Any number of goroutines may read a model at once (Predict, Score,
// Hyperplane, Clone); training needs the model alone. A trained model must not
// be copied by value: Clone copies.
type Online struct {
	Rate      float64    // η; 0 means 1
	Space     Space      // Affine (zero): a bias is learned; Linear: through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector
	MaxEpochs int        // per Fit or range over Epochs; 0 means 1000
	Order     Order      // Cyclic (zero), Shuffled each epoch, Sampled with replacement
	Seed      uint64     // of Order's generator, math/rand/v2's PCG(Seed, 0)
	Keep      Keep       // Last (zero), Average, Pocket: which iterate predicts

	learned learned
}

func (p *Online) reading() reading {
	return reading{rate: p.Rate, maxEpochs: p.MaxEpochs, space: p.Space, order: p.Order, keep: p.Keep}
}

func (p *Online) unchanged(r *reading) bool {
	return p.Rate == r.rate && p.MaxEpochs == r.maxEpochs && p.Space == r.space && p.Order == r.order && p.Keep == r.keep
}

func (p *Online) settings() (s settings, err error) {
	s = settings{
		read: p.reading(), rate: p.Rate, space: p.Space, start: p.Start, maxEpochs: p.MaxEpochs,
		order: p.Order, seed: p.Seed, keep: p.Keep, rule: onMistake,
	}
	return s, s.check()
}

// Fit trains afresh from Start, whatever the model has learned before, until an
// epoch makes no mistake (Converged), the weights repeat (Cycled) or MaxEpochs
// epochs are done (EpochLimit). A run that does not converge is no error.
//
// X and y are checked first: ErrDimension if they differ in length or a row in
// width from the first, ErrEmpty if there are none or a row has no features,
// ErrLabel for a label that is neither +1 nor −1. ErrNotFinite tells
// of a NaN, an infinity or an overflow met in training, ErrConfig of fields
// that make no sense. After an error the model is as it was.
func (p *Online) Fit(X [][]float64, y []int) (Result, error) {
	s, err := p.settings()
	if err != nil {
		return Result{}, err
	}
	return p.learned.fit(s, X, y)
}

// Epochs trains on from where the model stands, from Start if it is untrained,
// and yields after each epoch:
//
//	for e, err := range p.Epochs(X, y) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(e.N, e.Mistakes, e.Loss)
//	}
//
// The range ends by itself with the epoch whose Stop is not Running, after
// MaxEpochs epochs at the latest; the caller may break earlier, which leaves
// the model after the epoch yielded. The model's fields are read when the range
// begins. The body may read the model, but not train it.
//
// An error is yielded once, with a zero Epoch, and undoes that epoch; errors
// are Fit's, and ErrConfig if Space, Order or Keep has changed since training
// began, or if the model is a copy by value.
func (p *Online) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return p.learned.epochs(p.settings, X, y)
}

// Learn makes one pass over a stream of examples, from where the model stands.
// Memory does not grow with the stream, and the iterator may reuse its slice.
// Order does not matter: the stream has its own.
//
// A bad example ends the pass: the examples before it are learned and told of
// by the Epoch, the error names its index. A nil iterator is ErrEmpty; an empty
// one is a pass of no examples. The model may be read by the iterator, which
// sees it as it was before Learn, but not trained.
func (p *Online) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	s, err := p.settings()
	if err != nil {
		return Epoch{}, err
	}
	return p.learned.learn(s, examples)
}

// Update learns one example, and tells whether it was a mistake of the iterate
// in training (under Average and Pocket, Predict may have been right). It takes
// O(d) and allocates nothing but with the first example.
func (p *Online) Update(x []float64, y int) (updated bool, err error) {
	if t := p.learned.steady(); t != nil && p.unchanged(&t.read) && t.right(x, y) {
		return false, nil
	}
	s, err := p.settings()
	if err != nil {
		return false, err
	}
	return p.learned.update(&s, x, y)
}

// Score returns ⟨w, x⟩ + b for the weights that Keep said when training began,
// in O(d) without allocating. It returns ErrUntrained if no example has been
// seen, ErrEmpty if x is empty, ErrDimension if it is of another width,
// ErrNotFinite if the score is NaN or infinite, as any NaN or ±Inf in x makes it.
func (p *Online) Score(x []float64) (float64, error) { return p.learned.score(x) }

// Predict returns +1 if the score is at least 0, else −1; errors as of Score.
func (p *Online) Predict(x []float64) (int, error) { return sign(p.Score(x)) }

// Hyperplane returns a copy of what Predict uses; the zero Hyperplane if no
// example has been seen.
func (p *Online) Hyperplane() Hyperplane { return p.learned.hyperplane() }

// Clone returns a copy that is trained on its own.
func (p *Online) Clone() *Online {
	q := p.fields().(*Online)
	q.learned.clone(&p.learned)
	return q
}

func (p *Online) state() *learned { return &p.learned }

func (p *Online) fields() Model {
	return &Online{
		Rate: p.Rate, Space: p.Space, Start: p.Start.clone(), MaxEpochs: p.MaxEpochs,
		Order: p.Order, Seed: p.Seed, Keep: p.Keep,
	}
}
