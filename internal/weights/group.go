package weights

import "perceptron/internal/vec"

// A Group has planes that one worker trains with rows one after another.
type Group struct {
	planes []*plane // apart
	spans  []span   // side by side
	scores []float64
}

// A span has consecutive lanes of a block: lane first+l has the score to[l] of the Group, or none if to[l] is −1.
type span struct {
	*block
	first int
	to    []int
}

// Scores returns the score of x by the iterate of each plane, in memory that the next call uses again.
func (g *Group) Scores(x *vec.Row) []float64 {
	for k, q := range g.planes {
		g.scores[k] = x.Score(q.w)
	}
	var some [mostLanes]float64
	for _, s := range g.spans {
		vec.SparseScores(some[:len(s.to)], s.vectors[0], s.first, s.lanes, x.Index, x.Value)
		for l, k := range s.to {
			if k >= 0 {
				g.scores[k] = some[l]
			}
		}
	}
	return g.scores
}

// fetch requests the weights of a sparse row from memory, unless they are in the second cache, or in
// many places.
func (g *Group) fetch(at []uint32) {
	if len(g.planes) == 1 && len(g.planes[0].w) > vec.SecondCache {
		vec.FetchElements(g.planes[0].w, 1, at)
	}
	for _, s := range g.spans {
		if w := s.vectors[0]; len(w) > vec.SecondCache {
			vec.FetchElements(w, s.lanes, at)
		}
	}
}
