package perceptron_test

import (
	"fmt"

	"perceptron"
)

// In each round, a clone of the model trains on each of two shards. The clones
// could train at the same time, on different machines. Mix then joins them.
func ExampleMix() {
	type shard struct {
		X [][]float64
		y []int
	}
	shards := []shard{ // the logical AND of two inputs
		{[][]float64{{0, 0}, {1, 1}}, []int{-1, +1}},
		{[][]float64{{0, 1}, {1, 0}, {1, 1}}, []int{-1, -1, +1}},
	}
	mean := new(perceptron.Online)
	for round := 1; ; round++ {
		var models []*perceptron.Online
		mistakes := 0
		for _, s := range shards {
			p := mean.Clone()
			e, err := p.Learn(func(yield func([]float64, int) bool) {
				for i, x := range s.X {
					if !yield(x, s.y[i]) {
						return
					}
				}
			})
			if err != nil {
				fmt.Println(err)
				return
			}
			mistakes += e.Mistakes
			models = append(models, p)
		}
		if mistakes == 0 {
			fmt.Println("no mistakes in round", round)
			return
		}
		var err error
		if mean, err = perceptron.Mix(models, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// no mistakes in round 15
}
