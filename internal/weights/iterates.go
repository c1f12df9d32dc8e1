package weights

import "perceptron/internal/vec"

// An Iterate is one of the iterates of a plane: the one in training and, under Pocket, the best one so
// far and the one that had the longest streak of this epoch.
type Iterate uint8

// The values of Iterate.
const (
	Training Iterate = iota
	Best
	Longest
)

// Remember makes the iterate in training the one of the longest streak, in O(d).
func (p *Planes) Remember(i int) {
	q := p.all[i]
	q.longest = append(q.longest[:0], q.w()...)
}

// Replace makes an iterate the best one, in O(d).
func (p *Planes) Replace(i int, of Iterate) { copy(p.all[i].kept, p.Vector(i, of)) }

// IsZero reports whether all elements of an iterate are 0.
func (p *Planes) IsZero(i int, of Iterate) bool { return vec.Largest(p.Vector(i, of)) == 0 }

// Vector returns an iterate of the i-th plane, for dense rows. The caller must not change it.
func (p *Planes) Vector(i int, of Iterate) []float64 {
	q := p.all[i]
	return [...][]float64{Training: q.w(), Best: q.kept, Longest: q.longest}[of]
}

// Score returns the score of x by an iterate of the i-th plane.
func (p *Planes) Score(i int, of Iterate, x *vec.Row) float64 { return x.Score(p.Vector(i, of)) }
