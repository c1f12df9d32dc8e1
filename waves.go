package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Waves maps a row z of d features to a row φ(z) of d + Count features: z/√d, and Count waves of z (Rahimi &
// Recht 2007). A hyperplane of these features is a curved border of z. Scale rows first. A wave is
// √(2/Count)·tri(⟨a, z⟩ + β) with a random vector a and a random β; tri(t) = 1 − 4|t − round t| is a cosine
// made of straight lines. A third of the waves reads one feature each, a third reads two, and the others read
// all. Waves come in pairs, a quarter of a period apart, so ‖φ(z)‖² ≤ 1 + ‖z‖²/d, and 1/Count more for an odd
// Count. With R from this bound, every theorem holds for mapped rows. docs/theorems.md says in what sense
// enough waves separate all rows. The numbers come from Seed, as docs/format.md describes: all machines get
// the same bits. The zero value changes nothing. Count is at most 2²⁰.
type Waves struct {
	Count int     `json:"count"`
	Width float64 `json:"width"` // to most waves, rows that are much nearer to each other than Width are alike; 0 means √d; below √d, more waves read all features
	Seed  uint64  `json:"seed,string"`
}

// Apply appends the mapped row to dst and returns the extended slice, in O((Count + d)·log d). After a first call
// with the same Waves and d, Apply allocates only what dst needs. All else is as in [Scaling.Apply].
func (w Waves) Apply(dst, z []float64) ([]float64, error) {
	if len(z) == 0 {
		return dst, train.ScoreError(0, z)
	}
	if err := w.check(); err != nil {
		return dst, err
	}
	m := lastWaves.Load()
	if m == nil || m.Waves != w || m.d != len(z) {
		m = w.draw(len(z))
		lastWaves.Store(m)
	}
	return m.apply(dst, z)
}

// lastWaves has the numbers with which [Waves.Apply] has mapped the last row.
var lastWaves atomic.Pointer[waveMap]

// ApplyAll maps rows as [Scaling.ApplyAll] scales them, with all processors.
func (w Waves) ApplyAll(Z [][]float64) ([][]float64, error) {
	if err := cmp.Or(checkPoints(rowsOf(Z), 0, Linear), w.check()); err != nil {
		return nil, err
	}
	return w.draw(len(Z[0])).applyAll(Z)
}

// check returns an error unless the fields are valid.
func (w Waves) check() error {
	if w.Count < 0 || w.Count > mostWaves || !(w.Width >= 0) || !vec.IsFinite(w.Width) {
		return fmt.Errorf("%w: Waves has Count %d and Width %v, want a Count of 0 to %d and a finite Width, 0 or more",
			ErrConfig, w.Count, w.Width, mostWaves)
	}
	return nil
}

// mostWaves is the largest Count: more are a mistake, or come from a hostile file.
const mostWaves = 1 << 20

// A waveMap maps rows of d features. It has the numbers that Waves draws. Each pair of waves has an angle, in
// turns: first the pairs that read one or two features, then the others, in blocks of p.
type waveMap struct {
	Waves
	d, p   int
	few    []fewWaves
	blocks []float64 // of each block: the p elements of D₁, D₂ and D₃, and p phases
	turns  float64   // an angle is turns·⟨random vector of a block, z⟩ + phase
	// limits has the least and the greatest value of each feature that waves see, or is nil. Nothing is known about
	// borders beyond the rows of a training. So there, only z/√d moves a score.
	limits [][]float64
}

// A fewWaves is a pair of waves with the angle a·zⱼ + b·zₖ + β. If it reads one feature, b is 0.
type fewWaves struct {
	j, k       int
	a, b, beta float64
}

// draw draws the numbers for rows of d features. The order of the draws is part of the format.
func (w Waves) draw(d int) *waveMap {
	m := &waveMap{Waves: w, d: d, p: 16} // with fewer, the vectors of a block would be too alike
	for m.p < d {
		m.p *= 2
	}
	var words rand.PCG
	words.Seed(w.Seed, 0)
	length := math.Sqrt(float64(d))
	width := cmp.Or(w.Width, length)
	unit := math.Sqrt(3) / (2 * math.Pi) / width
	m.turns = unit / float64(m.p)
	m.drawFew(&words, int(float64(w.Count)/6*min(1, width/length)), unit)
	for i := len(m.few); 2*i < w.Count; i += m.p {
		m.drawBlock(&words)
	}
	return m
}

// drawFew draws half pairs of waves of one feature, and half of two. A random order of the features makes each one
// read equally often, by waves of three widths in turn.
func (m *waveMap) drawFew(words *rand.PCG, half int, unit float64) {
	order := make([]int, m.d)
	for i := range order {
		j := words.Uint64() % uint64(i+1)
		order[i], order[j] = order[j], i
	}
	m.few = make([]fewWaves, 2*half)
	for i := range m.few {
		reads := 1 + i/half
		size := unit * math.Sqrt(float64(m.d)/float64(reads)) * float64(int(1)<<((i%m.d+i/m.d)%3))
		f := fewWaves{j: order[i%m.d], a: size * signed(words), beta: signed(words)}
		if reads == 2 {
			f.k, f.b = int(words.Uint64()%uint64(m.d)), size*signed(words)
		}
		m.few[i] = f
	}
}

// drawBlock draws a block of waves that read all features. Their random vectors are the rows of H·D₃·H·D₂·H·D₁, for
// Hadamard's matrix H. D₁ has random numbers between −1 and 1 on its diagonal, and D₂ and D₃ have random
// signs. So the product with z is about that of a matrix of normal numbers, except that each feature has a
// size of its own in this block.
func (m *waveMap) drawBlock(words *rand.PCG) {
	block := make([]float64, 4*m.p)
	for j := range m.d {
		block[j] = signed(words)
	}
	for j := m.p; j < 3*m.p; j++ {
		block[j] = math.Copysign(1, signed(words))
	}
	beta := signed(words)
	for k := range m.p {
		block[3*m.p+k] = beta + float64(float64(k)*golden)
	}
	m.blocks = append(m.blocks, block...)
}

// golden is the golden ratio: its multiples modulo 1 are far from each other. The phases of a block's waves
// differ by it, because the vectors of a block may be equal, if rows are narrow.
const golden = 1.618033988749895

// signed returns a random number between −1 and 1, from a word. As a phase, it counts turns, so each part of a
// turn is as likely.
func signed(words *rand.PCG) float64 { return float64(int32(words.Uint64())) * 0x1p-31 }

// apply is [Waves.Apply] for a row of d features.
func (m *waveMap) apply(dst, z []float64) ([]float64, error) {
	if len(z) != m.d || !vec.Finite(z) {
		return dst, train.ScoreError(m.d, z)
	}
	if m.Count == 0 {
		return append(dst, z...), nil
	}
	all := slices.Grow(dst, m.d+m.Count)[:len(dst)+m.d+m.Count]
	pairs := len(m.few) + len(m.blocks)/4
	memory := scratch.Get().(*[]float64)
	defer scratch.Put(memory)
	*memory = vec.Resized(*memory, pairs+m.d)
	angles, seen := (*memory)[:pairs], z
	if m.limits != nil {
		seen = (*memory)[pairs:]
		for j, v := range z {
			seen[j] = min(max(v, m.limits[0][j]), m.limits[1][j])
		}
	}
	m.angles(angles, seen)
	own, waves := all[len(dst):][:m.d], all[len(dst)+m.d:]
	far, height := !(vec.Largest(seen)*m.turns*float64(m.p)*float64(8*m.p) <= mostTurns), math.Sqrt(2/float64(m.Count))
	for i, t := range angles[:(m.Count+1)/2] {
		if far {
			t = math.Remainder(t, 1) + 0 // turns −0 into 0
		}
		a, b := wavePair(t)
		if waves[2*i] = height * a; 2*i+1 < len(waves) { // else it is half a pair
			waves[2*i+1] = height * b
		}
	}
	length := math.Sqrt(float64(m.d))
	for j, v := range z { // last, because it may overwrite z
		own[j] = v / length
	}
	if far && !vec.Finite(waves) { // an angle overflows
		return dst, fmt.Errorf("%w: the row overflows when it is mapped", ErrNotFinite)
	}
	return all, nil
}

// applyAll is [Waves.ApplyAll] for rows of d features.
func (m *waveMap) applyAll(Z [][]float64) ([][]float64, error) {
	return mapAll(Z, m.d+m.Count, m.apply)
}

// angles sets t to the angles of all pairs for z.
func (m *waveMap) angles(t, z []float64) {
	for i := range m.few {
		f := &m.few[i]
		t[i] = float64(z[f.j]*f.a) + (float64(z[f.k]*f.b) + f.beta)
	}
	t = t[len(m.few):]
	for p, block := m.p, m.blocks; len(t) > 0; t, block = t[p:], block[4*p:] {
		v := t[:p]
		for j, x := range z {
			v[j] = block[j] * x
		}
		clear(v[len(z):])
		hadamard(v)
		for k := p; k < 3*p; k += p {
			for j, sign := range block[k:][:p] {
				v[j] *= sign
			}
			hadamard(v)
		}
		for j, phase := range block[3*p : 4*p] {
			v[j] = float64(v[j]*m.turns) + phase
		}
	}
}

// wavePair returns tri(t) and tri(t − ¼), for |t| ≤ mostTurns. All steps are exact, unless t or its distance from
// an integer is tiny. It is short enough to be inlined.
func wavePair(t float64) (a, b float64) {
	const round = 3 << 51 // t + round has no bits for fractions
	t -= (t + round) - round
	a = 1 - 4*math.Abs(t)
	return a, math.Copysign(1-math.Abs(a), t)
}

const mostTurns = 1 << 50

// fit trains to, which is untrained, on the mapped rows X, as the function fit does. If m is nil, it is that
// function. Under Average, without a Window and a Start, it trains straight first, with a mean of all epochs. If a
// trial says so, the model stays straight, or the mean is that of the epochs with waves.
func (m *waveMap) fit(to model, X [][]float64, y []int) (Result, error) {
	c, start, err := prepare(to, true)
	if err != nil || m == nil || c.Keep != train.Average || c.Window > 0 || vec.Largest(start) != 0 {
		return fit(to, train.Rows{X: X}, y)
	}
	stay, bend := m.trial(c, X, y)
	straight, r, err := m.straightFirst(to.learned(), c, X, y, stay)
	if err == nil && bend && !stay {
		to.learned().Since(straight)
	}
	return r, err
}

// straightFirst trains e, which is untrained, for MaxEpochs epochs on z/√d alone, and unless it is to stay straight
// for as many on the mapped rows X. So the mean of all epochs is between a straight border and a bent one, and
// never loses much to a straight one. It also returns a copy of the model between the two.
func (m *waveMap) straightFirst(e *train.Engine, c train.Config, X [][]float64, y []int, stay bool) (*train.Engine, Result, error) {
	own := make([][]float64, len(X))
	for i, x := range X {
		own[i] = x[:m.d]
	}
	var straight train.Engine
	r, zero := Result{Upper: math.Inf(1)}, []float64{0}
	_, _, err := e.Fit(c, zero, train.Rows{X: own}, y, report(r.add))
	if err == nil {
		e.Widen(m.Count)
		e.Clone(&straight)
	}
	if err == nil && !stay {
		err = e.Epochs(c, zero, train.Rows{X: X}, y, report(r.add))
	}
	return &straight, r, err
}

// trial reports whether straight borders are at least as good as the mean of all epochs, and whether that of the
// epochs with waves is better. A short training on three quarters of each label's rows gives all three. They are
// tested on the quarter left out: if rows are in the order of time, or in groups, it is like future rows. Few rows
// are left out a quarter at a time. Of many, only the last quarter is, after fewer epochs. The waves alone must lead
// by one standard error, because the mean of all epochs is safer. If the short training fails, nothing leads.
func (m *waveMap) trial(c train.Config, X [][]float64, y []int) (stay, bend bool) {
	c.MaxEpochs = min(c.Completed().MaxEpochs, 5, 1+4*manyRows/len(y))
	var lead, different [2]float64
	for k := 3; k == 3 || k >= 0 && len(y) <= manyRows; k-- {
		var e train.Engine
		learn, test := fold(y, 4, k)
		straight, _, err := m.straightFirst(&e, c, at(X, learn), at(y, learn), false)
		if err != nil {
			return false, false
		}
		rows, labels, all, other := at(X, test), at(y, test), make([]int, len(test)), make([]int, len(test))
		e.Labeler()(all, rows)
		e.Since(straight)
		for i, e := range []*train.Engine{straight, &e} {
			e.Labeler()(other, rows)
			for j, label := range labels {
				if right := other[j] == label; right != (all[j] == label) {
					different[i]++
					lead[i] += vec.Sign(right)
				}
			}
		}
	}
	return lead[0] >= 0, lead[1] > math.Sqrt(different[1])
}

// manyRows are so many that narrow waves gain more on the mean of tables, and much on some.
const manyRows = 5000

// hadamard multiplies v by Hadamard's matrix of 1 and −1. The length of v is a power of two, from 16 on.
func hadamard(v []float64) {
	for u := v; len(u) >= 16; u = u[16:] {
		hadamard16((*[16]float64)(u))
	}
	for h := 16; h < len(v); h *= 2 {
		for u := v; len(u) >= 2*h; u = u[2*h:] {
			a, b := u[:h], u[h:2*h]
			for j, x := range a {
				y := b[j]
				a[j], b[j] = x+y, x-y
			}
		}
	}
}

// hadamard16 is hadamard for 16 elements: four steps of butterflies, two at a time.
func hadamard16(v *[16]float64) {
	for j := 0; j < 16; j += 4 {
		a, b, c, d := v[j]+v[j+1], v[j]-v[j+1], v[j+2]+v[j+3], v[j+2]-v[j+3]
		v[j], v[j+1], v[j+2], v[j+3] = a+c, b+d, a-c, b-d
	}
	for j := range 4 {
		a, b, c, d := v[j]+v[j+4], v[j]-v[j+4], v[j+8]+v[j+12], v[j+8]-v[j+12]
		v[j], v[j+4], v[j+8], v[j+12] = a+c, b+d, a-c, b-d
	}
}
