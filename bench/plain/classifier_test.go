package plain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// BenchmarkClassifier compares Predict with the model's own Predict and the scaling.
func BenchmarkClassifier(b *testing.B) {
	for _, d := range []int{4, 64, 784} {
		r := rand.New(rand.NewPCG(1, 0))
		var X [][]float64
		var labels []string
		var y []int
		for i := range 200 {
			x := make([]float64, d)
			for j := range x {
				x[j] = r.NormFloat64() + float64(i%10)
			}
			X, labels, y = append(X, x), append(labels, fmt.Sprint(i%10)), append(y, i%10)
		}
		c := perceptron.Classifier[[]float64]{Scaling: must(perceptron.Standardize(X))(b)}
		must(c.Fit(X, labels))(b)
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
		must(m.Fit(X, y))(b)
		b.Run(fmt.Sprintf("Classifier/%d", d), func(b *testing.B) {
			for b.Loop() {
				c.Predict(X[0])
			}
		})
		b.Run(fmt.Sprintf("Multiclass/%d", d), func(b *testing.B) {
			for b.Loop() {
				m.Predict(X[0])
			}
		})
		b.Run(fmt.Sprintf("Scaling/%d", d), func(b *testing.B) {
			for z := make([]float64, 0, d); b.Loop(); {
				c.Scaling.Apply(z, X[0])
			}
		})
	}
}
