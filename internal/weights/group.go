package weights

import "perceptron/internal/vec"

// A Group has planes that one worker trains with rows one after another. Once it pays for sparse rows,
// the Group has the vectors of its planes side by side.
type Group struct {
	shape  Shape
	planes []*plane
	scores []float64
	// learned counts the non-zeros that the planes have learned, or are about to learn, while apart.
	learned int
}

// leastBeside is the least number of planes for which vectors side by side save time, as measured.
const leastBeside = 4

// Group returns a Group of the planes with the given indexes.
func (p *Planes) Group(members []int) *Group {
	g := &Group{shape: p.Shape, scores: make([]float64, len(members))}
	for _, i := range members {
		g.planes = append(g.planes, p.all[i])
	}
	return g
}

// Expect tells the Group that its planes learn n non-zeros more. It moves the vectors side by side as
// soon as that saves time. To move them there and back copies every plane, in O(Kd). So there must be
// several times as many non-zeros as a plane has elements. An update must not read all elements of a
// plane either: for the norm, or under Pocket for a copy.
func (g *Group) Expect(n int) {
	g.learned += n
	if len(g.planes) < leastBeside || g.shape.Norms || g.shape.Keep == Pocket || g.planes[0].beside != nil {
		return
	}
	if g.learned >= 8*len(g.planes[0].w) {
		join(g.planes)
	}
}

// Split moves the vectors of the planes apart again, each into memory of its own.
func (g *Group) Split() {
	if g.learned = 0; len(g.planes) > 0 {
		g.planes[0].apart()
	}
}

// Scores returns the score of x by the iterate of each plane, in memory that the next call uses again.
func (g *Group) Scores(x *vec.Row) []float64 {
	if b := g.planes[0].beside; b != nil {
		vec.SparseScores(g.scores, b.vectors[0], 0, len(g.planes), x.Index, x.Value)
		return g.scores
	}
	for k, q := range g.planes {
		g.scores[k] = x.Score(q.w)
	}
	return g.scores
}

// distant reports whether all weights are in one slice that is too large for the second cache. Then
// the weights of a row should be requested from memory before the row is scored.
func (g *Group) distant() bool {
	return len(g.planes[0].w) > vec.SecondCache && (g.planes[0].beside != nil || len(g.planes) == 1)
}
