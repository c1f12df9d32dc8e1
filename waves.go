package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Waves maps a row z of d features to a row of d + Count features: z/√d, and Count waves of z. A
// hyperplane of these features is a curved border of z. Scale rows first. A wave is √(2/Count)·tri(⟨a, z⟩ + β) with a
// random vector a and a random β; tri(t) = 1 − 4|t − round t| is a cosine made of straight lines. Waves
// come in pairs, a quarter of a period apart. So the squares of a pair add up to at least 1/Count and at
// most 2/Count, and ‖φ(z)‖² ≤ 1 + ‖z‖²/d for the mapped row φ(z), and 1/Count more for an odd Count. With R
// from this bound, every theorem holds for mapped rows. Enough waves separate any rows but equal ones with
// different labels: with probability 1, if the numbers below were random (docs/theorems.md).
//
// The source is Rahimi & Recht 2007; a comes from Hadamard's transforms (Yu et al. 2016), with a random
// size for each feature. The zero value changes nothing. Each call draws the numbers from Seed, as
// docs/format.md describes: all machines get the same bits. All methods return ErrConfig for a Count outside 0 to 2²⁰, and for a Width that is negative or not finite.
type Waves struct {
	Count int `json:"count"`
	// Width is a distance of rows: to a wave, rows that are much nearer to each other are alike. 0 means √d,
	// about the length of a scaled row. With thousands of rows, half of that is often better.
	Width float64 `json:"width"`
	Seed  uint64  `json:"seed,string"`
}

// Apply appends the mapped row to dst and returns the extended slice, in O((Count + d)·log d). All else is as
// in [Scaling.Apply].
func (w Waves) Apply(dst, z []float64) ([]float64, error) {
	if len(z) == 0 || !vec.Finite(z) {
		return dst, train.ScoreError(len(z), z)
	}
	if err := w.check(); err != nil {
		return dst, err
	}
	if w.Count == 0 {
		return append(dst, z...), nil
	}
	d, size := len(z), 16 // with fewer, the vectors would be too alike
	for size < d {
		size *= 2
	}
	all := slices.Grow(dst, d+w.Count)[:len(dst)+d+w.Count]
	own, waves := all[len(dst):][:d], all[len(dst)+d:]
	length := math.Sqrt(float64(d))
	memory := scratch.Get().(*[]float64)
	defer scratch.Put(memory)
	*memory = vec.Resized(*memory, size)
	s := waveSource{v: *memory, turns: math.Sqrt(3) / (2 * math.Pi) / (cmp.Or(w.Width, length) * float64(size))}
	s.random.Seed(w.Seed, 0)
	height := math.Sqrt(2 / float64(w.Count))
	for len(waves) > 0 {
		waves = s.fill(waves, z, height)
	}
	for j, v := range z { // last, because it may overwrite z
		own[j] = v / length
	}
	if !vec.Finite(all[len(dst):]) {
		return dst, fmt.Errorf("%w: the row overflows when it is mapped", ErrNotFinite)
	}
	return all, nil
}

// ApplyAll maps rows as [Scaling.ApplyAll] scales them, with all processors.
func (w Waves) ApplyAll(Z [][]float64) ([][]float64, error) {
	if err := cmp.Or(checkPoints(rowsOf(Z), 0, Linear), w.check()); err != nil {
		return nil, err
	}
	width := len(Z[0]) + w.Count
	if uint64(len(Z))*uint64(width) > math.MaxInt/8 {
		return nil, fmt.Errorf("%w: %d rows of %d features exceed the memory", ErrConfig, len(Z), width)
	}
	all, memory := make([][]float64, len(Z)), make([]float64, len(Z)*width)
	workers := min(runtime.GOMAXPROCS(0), len(Z))
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for g := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := g * len(Z) / workers; i < (g+1)*len(Z)/workers; i++ {
				var err error
				if all[i], err = w.Apply(memory[i*width:i*width:(i+1)*width], Z[i]); err != nil {
					errs[g] = &ExampleError{i, err}
					return
				}
			}
		}()
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

// scratch has memory for rows that are mapped or scaled.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

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

// A waveSource makes waves of a row, a block of 2·len(v) waves at a time. v has the products of the row
// with a block of random vectors; times turns, they are in turns. The order in which the numbers are
// drawn is part of the saved form.
type waveSource struct {
	v      []float64
	turns  float64
	random rand.PCG
}

// fill makes the next block of waves, as many as there is room for, and returns the rest of the room.
func (s *waveSource) fill(waves, z []float64, height float64) (rest []float64) {
	phase, pairs := s.next(z), min(len(s.v), (len(waves)+1)/2)
	for k, v := range s.v[:pairs] {
		a, b := wavePair(float64(v*s.turns) + (phase + float64(float64(k)*golden)))
		if len(waves) == 1 { // half a pair
			waves[0] = height * a
			return nil
		}
		waves[0], waves[1] = height*a, height*b
		waves = waves[2:]
	}
	return waves
}

// golden is the golden ratio: its multiples modulo 1 are far from each other. The phases of a block's waves
// differ by it, because the vectors of a block may be equal, if rows are narrow.
const golden = 1.618033988749895

// next sets v to H·D₃·H·D₂·H·D₁·z, for Hadamard's matrix H. D₁ has random numbers between −1 and 1 on
// its diagonal, and D₂ and D₃ have random signs. So v is about the product of z with a matrix of normal
// numbers, except that each feature has a weight of its own in this block. next returns the first pair's β.
func (s *waveSource) next(z []float64) (phase float64) {
	var word uint64
	for j, x := range z {
		if j%2 == 0 {
			word = s.random.Uint64()
		}
		s.v[j] = float64(int32(word)) * 0x1p-31 * x
		word >>= 32
	}
	clear(s.v[len(z):])
	hadamard(s.v)
	for range 2 {
		for j := 0; j < len(s.v); j += 16 {
			word = s.random.Uint64()
			flip((*[16]float64)(s.v[j:]), word)
		}
		hadamard(s.v)
	}
	return float64(word>>32) * 0x1p-32
}

// wavePair returns tri(t) and tri(t − ¼). All steps are exact, unless t or its distance from an integer
// is tiny.
func wavePair(t float64) (a, b float64) {
	const most, round = 1 << 51, 3 << 51 // t + round has no bits for fractions, if |t| ≤ most
	s := t - ((t + round) - round)
	if !(math.Abs(t) <= most) {
		s = math.Remainder(t, 1)
	}
	a = 1 - 4*math.Abs(s)
	return a, math.Copysign(1-math.Abs(a), s)
}

// flip changes the sign of each element whose bit is 1.
func flip(v *[16]float64, signs uint64) {
	for j, x := range v {
		v[j] = math.Float64frombits(math.Float64bits(x) ^ signs<<63)
		signs >>= 1
	}
}

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
