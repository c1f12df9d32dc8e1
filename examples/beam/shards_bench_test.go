package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// A sparseSet has sparse rows and their labels.
type sparseSet struct {
	X []perceptron.Sparse
	y []int
}

// topics returns rows of 69 features that follow Zipf's law. A hidden hyperplane gives the labels.
// With noise, no hyperplane separates the rows.
func topics(rows, features int, noise float64) (s sparseSet) {
	hidden := random(features)
	r := rand.New(rand.NewPCG(2, 0))
	z := rand.NewZipf(r, 1.5, 20, uint64(features-1))
	for range rows {
		var x perceptron.Sparse
		score := 0.0
		for range 69 {
			j, v := uint32(z.Uint64()), r.Float64()
			x.Index, x.Value = append(x.Index, j), append(x.Value, v)
			score += float64(v * hidden[j])
		}
		x.Sort()
		y := +1
		if score+noise*r.NormFloat64() < 0 {
			y = -1
		}
		s.X, s.y = append(s.X, x), append(s.y, y)
	}
	return s
}

// learn trains a model on every step-th row from the row first.
func (s sparseSet) learn(m perceptron.Learner, first, step, features int) (perceptron.Epoch, error) {
	return perceptron.SparseModel{Model: m, Width: features}.Learn(func(yield func(perceptron.Sparse, int) bool) {
		for i := first; i < len(s.X) && yield(s.X[i], s.y[i]); i += step {
		}
	})
}

// accuracy returns the part of the rows that a model predicts right.
func (s sparseSet) accuracy(b *testing.B, m perceptron.Model, features int) float64 {
	right := 0
	for i, x := range s.X {
		if must(perceptron.SparseModel{Model: m, Width: features}.Predict(x))(b) == s.y[i] {
			right++
		}
	}
	return float64(right) / float64(len(s.X))
}

// BenchmarkShards: the accuracy on 5,000 rows that were held out, after mixing shards of 20,000 rows for
// some rounds, in percent.
func BenchmarkShards(b *testing.B) {
	const features, rows = 47_236, 20_000
	for _, noise := range []float64{0, 1} {
		all := topics(rows+5000, features, noise)
		set, test := sparseSet{all.X[:rows], all.y[:rows]}, sparseSet{all.X[rows:], all.y[rows:]}
		for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
			for _, shards := range []int{1, 2, 4, 6, 8, 64} {
				b.Run(fmt.Sprintf("noise=%v/keep=%s/shards=%d", noise, keeps[keep], shards), func(b *testing.B) {
					for range b.N {
						m, done := &perceptron.Online{Keep: keep}, 0
						for _, rounds := range []int{10, 20, 50, 100} {
							_, m = mixing(b, m, shards, uniform, rounds-done, func(i int, m *perceptron.Online) (perceptron.Epoch, error) {
								return set.learn(m, i, shards, features)
							})
							done = rounds
							b.ReportMetric(100*test.accuracy(b, m, features), fmt.Sprintf("%%-after-%03d", rounds))
						}
					}
				})
			}
		}
	}
}
