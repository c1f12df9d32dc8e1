package perceptron_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"strings"

	"perceptron"
)

// Batch learns the logical AND of two inputs. Each epoch makes one gradient step
// over all rows.
func ExampleBatch() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Batch
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs")
	fmt.Println(p.Hyperplane())
	// Output:
	// Converged after 10 epochs
	// {[2 2] -3}
}

// Margin learns the logical AND of two inputs. Its margin is at least a third of
// the best one, 1/√17, which is about 0.243.
func ExampleMargin() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Margin
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	gamma, err := perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Affine)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v after %d updates, with margin %.3f\n", res.Stop, res.Mistakes, gamma)
	// Output:
	// Converged after 67 updates, with margin 0.226
}

// A label may be any int.
func ExampleOneVsRest() {
	X := [][]float64{{0, 1}, {1, 9}, {9, 2}, {1, 0}, {0, 8}, {8, 1}}
	y := []int{10, 20, 30, 10, 20, 30}
	var m perceptron.OneVsRest
	if _, err := m.Fit(X, y); err != nil {
		log.Fatal(err)
	}
	label, err := m.Predict([]float64{2, 7})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes(), label)
	// Output:
	// [10 20 30] 20
}

// A new class may arrive at any time.
func ExampleMulticlass_Update() {
	var m perceptron.Multiclass
	for _, e := range []struct {
		x     []float64
		label int
	}{{[]float64{0, 1}, 1}, {[]float64{1, 0}, 2}, {[]float64{-1, -1}, 3}} {
		if _, err := m.Update(e.x, e.label); err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Classes())
	}
	// Output:
	// [1]
	// [1 2]
	// [1 2 3]
}

// Scores appends one score for each class, in the order of Classes.
func ExampleMulticlass_Scores() {
	var m perceptron.Multiclass
	if _, err := m.Fit([][]float64{{2}, {-2}}, []int{7, 8}); err != nil {
		log.Fatal(err)
	}
	scores := make([]float64, 0, 2)
	scores, err := m.Scores(scores, []float64{3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes(), scores)
	// Output:
	// [7 8] [7 -7]
}

// Classes at −1, 0 and 1 on a line: no point separates the middle one from the rest, so
// OneVsRest cannot converge. Multiclass can, because the score of the middle class need
// only be the highest in the middle.
func ExampleMulticlass() {
	X := [][]float64{{-1}, {0}, {1}}
	y := []int{10, 20, 30}
	for _, m := range []perceptron.Model{new(perceptron.OneVsRest), new(perceptron.Multiclass)} {
		res, err := m.Fit(X, y)
		if err != nil {
			log.Fatal(err)
		}
		accuracy, err := perceptron.Accuracy(m, X, y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: %v, accuracy %.2f\n", m, res.Stop, accuracy)
	}
	// Output:
	// *perceptron.OneVsRest: Cycled, accuracy 0.67
	// *perceptron.Multiclass: Converged, accuracy 1.00
}

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
			e, err := p.Learn(perceptron.Examples(s.X, s.y))
			if err != nil {
				log.Fatal(err)
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
			log.Fatal(err)
		}
	}
	// Output:
	// no mistakes in round 15
}

// The distance is positive on the side that is labelled +1.
func ExampleHyperplane_Distance() {
	h := perceptron.Hyperplane{Weights: []float64{3, 4}, Bias: -5}
	d, err := h.Distance([]float64{3, 4})
	fmt.Println(d, err)
	// Output:
	// 4 <nil>
}

// An ExampleError contains the index of the bad example. It wraps the kind of
// error.
func ExampleExampleError() {
	var p perceptron.Online
	_, err := p.Fit([][]float64{{1, 2}, {3}}, []int{+1, -1})
	var bad *perceptron.ExampleError
	fmt.Println(err)
	fmt.Println(errors.Is(err, perceptron.ErrDimension), errors.As(err, &bad), bad.Index)
	// Output:
	// perceptron: example 1: dimension mismatch: width 1, want 2
	// true true 1
}

// hashed returns a row of 2²⁰ features that counts the words of a text.
func hashed(text string) perceptron.Sparse {
	var x perceptron.Sparse
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(word))
		x.Index = append(x.Index, h.Sum32()>>12)
		x.Value = append(x.Value, 1)
	}
	x.Sort() // words of one index become one element
	return x
}

// Words become features by a hash that is the same in every process.
func ExampleSparseModel() {
	var X []perceptron.Sparse
	for _, text := range []string{"cheap pills now", "lunch at noon", "win money now", "see you at lunch"} {
		X = append(X, hashed(text))
	}
	m := perceptron.SparseModel{Model: &perceptron.Online{Keep: perceptron.Average}, Width: 1 << 20}
	res, err := m.Fit(X, []int{+1, -1, +1, -1})
	if err != nil {
		log.Fatal(err)
	}
	label, err := m.Predict(hashed("cheap money"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Stop, label)
	// Output: Converged 1
}

// Sort makes a row of elements in any order.
func ExampleSparse_Sort() {
	x := perceptron.Sparse{Index: []uint32{7, 2, 7}, Value: []float64{1, 5, 2}}
	x.Sort()
	fmt.Println(x.Index, x.Value)
	// Output: [2 7] [5 3]
}
