package perceptron_test

import (
	"fmt"
	"hash/fnv"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"perceptron"
)

// Online learns the logical AND of two inputs.
func ExampleOnline() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Online
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs and", res.Mistakes, "mistakes")
	label, err := p.Predict([]float64{1, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(label, p.Hyperplane())
	// Output:
	// Converged after 9 epochs and 18 mistakes
	// 1 {[3 2] -4}
}

// The loop body runs after each epoch.
func ExampleOnline_Epochs() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	p := &perceptron.Online{Order: perceptron.Shuffled, Seed: 1}
	for e, err := range p.Epochs(X, y) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("epoch %d: %d mistakes, loss %.2f, %v\n", e.N, e.Mistakes, e.Loss, e.Stop)
	}
	// Output:
	// epoch 1: 4 mistakes, loss 0.50, Running
	// epoch 2: 2 mistakes, loss 0.50, Running
	// epoch 3: 1 mistakes, loss 0.25, Running
	// epoch 4: 3 mistakes, loss 0.50, Running
	// epoch 5: 2 mistakes, loss 0.25, Running
	// epoch 6: 3 mistakes, loss 0.25, Running
	// epoch 7: 0 mistakes, loss 0.00, Converged
}

// Learn makes one pass over an iterator, which may reuse its buffer.
func ExampleOnline_Learn() {
	p := &perceptron.Online{Keep: perceptron.Average}
	e, err := p.Learn(func(yield func([]float64, int) bool) {
		x := make([]float64, 1)
		for _, v := range []float64{-2, 1, 3, -1} {
			x[0] = v
			label := -1
			if v > 0 {
				label = +1
			}
			if !yield(x, label) {
				return
			}
		}
	})
	fmt.Println(e.Examples, "examples,", e.Mistakes, "mistakes,", err)
	// Output:
	// 4 examples, 1 mistakes, <nil>
}

// Update learns from an example if the model is wrong about it, or undecided, and reports
// whether it did.
func ExampleOnline_Update() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Online
	for i, x := range X {
		updated := orFatal(p.Update(x, y[i]))
		fmt.Println(updated, p.Hyperplane())
	}
	// Output:
	// true {[0 0] -1}
	// false {[0 0] -1}
	// false {[0 0] -1}
	// true {[1 1] 0}
}

// The loop body watches a model of several classes. The training ends when no row is a mistake.
func ExampleMulticlass_Epochs() {
	X, y := [][]float64{{3, 0}, {0, 4}, {-3, -4}}, []int{10, 20, 30}
	m := &perceptron.Multiclass{Binary: &perceptron.Online{Order: perceptron.Shuffled}}
	for e, err := range m.Epochs(X, y) {
		if err != nil {
			log.Fatal(err)
		}
		accuracy := orFatal(perceptron.Accuracy(m, X, y))
		fmt.Printf("epoch %d: %d mistakes, accuracy %.3f, %v\n", e.N, e.Mistakes, accuracy, e.Stop)
	}
	// Output:
	// epoch 1: 2 mistakes, accuracy 1.000, Running
	// epoch 2: 0 mistakes, accuracy 1.000, Converged
}

// mislabelled returns rows that no hyperplane separates: one label in ten is wrong.
func mislabelled(n int, seed uint64) (X [][]float64, y []int) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		x := make([]float64, 20)
		for j := range x {
			x[j] = r.NormFloat64()
		}
		label := -1
		if x[0]+x[1] > 0 {
			label = +1
		}
		if r.IntN(10) == 0 {
			label = -label
		}
		X, y = append(X, x), append(y, label)
	}
	return X, y
}

// Keep selects the iterate that predicts. On data that is not separable, the last one
// depends on the last rows.
//
//   - Last costs nothing more. A model holds two vectors for each hyperplane.
//   - Average costs O(d) for each mistake, and for the first read after training. It holds
//     six vectors, and seven after a read.
//   - Pocket counts the errors of two iterates on all rows, O(nd), at the end of each epoch.
//     It holds three or four vectors.
func ExampleKeep() {
	X, y := mislabelled(300, 1)
	testX, testY := mislabelled(2000, 2)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
		p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 30}
		orFatal(p.Fit(X, y))
		accuracy := orFatal(perceptron.Accuracy(p, testX, testY))
		fmt.Printf("%v: accuracy %.2f on other rows\n", keep, accuracy)
	}
	// Output:
	// Last: accuracy 0.78 on other rows
	// Average: accuracy 0.84 on other rows
	// Pocket: accuracy 0.79 on other rows
}

// Training stops when the accuracy on held-out rows has not risen for some epochs. Clone keeps
// the best model, because training goes on to change the other one.
func Example_earlyStopping() {
	trainX, trainY := mislabelled(200, 1)
	heldX, heldY := mislabelled(200, 2)
	const patience = 5
	p := &perceptron.Online{Order: perceptron.Shuffled}
	var best *perceptron.Online
	var most, last float64
	var at, epochs int
	for e, err := range p.Epochs(trainX, trainY) {
		if err != nil {
			log.Fatal(err)
		}
		epochs = e.N
		accuracy := orFatal(perceptron.Accuracy(p, heldX, heldY))
		if last = accuracy; accuracy > most {
			best, most, at = p.Clone(), accuracy, e.N
		}
		if e.N-at == patience {
			break
		}
	}
	kept := orFatal(perceptron.Accuracy(best, heldX, heldY))
	fmt.Println("stopped after", epochs, "epochs; the best is", at)
	fmt.Printf("held-out accuracy: last %.2f, best %.2f\n", last, kept)
	// Output:
	// stopped after 10 epochs; the best is 5
	// held-out accuracy: last 0.79, best 0.82
}

// Batch learns the logical AND of two inputs. Each epoch makes one gradient step
// over all rows.
func ExampleBatch() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Batch
	res := orFatal(p.Fit(X, y))
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
	res := orFatal(p.Fit(X, y))
	gamma := orFatal(perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Affine))
	fmt.Printf("%v after %d updates, with margin %.3f\n", res.Stop, res.Mistakes, gamma)
	// Output:
	// Converged after 67 updates, with margin 0.226
}

// A label may be any int.
func ExampleOneVsRest() {
	X := [][]float64{{0, 1}, {1, 9}, {9, 2}, {1, 0}, {0, 8}, {8, 1}}
	y := []int{10, 20, 30, 10, 20, 30}
	var m perceptron.OneVsRest
	orFatal(m.Fit(X, y))
	label := orFatal(m.Predict([]float64{2, 7}))
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
		orFatal(m.Update(e.x, e.label))
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
	orFatal(m.Fit([][]float64{{2}, {-2}}, []int{7, 8}))
	scores := make([]float64, 0, 2)
	scores = orFatal(m.Scores(scores, []float64{3}))
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
		res := orFatal(m.Fit(X, y))
		accuracy := orFatal(perceptron.Accuracy(m, X, y))
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
			e := orFatal(p.Learn(perceptron.Examples(s.X, s.y)))
			mistakes += e.Mistakes
			models = append(models, p)
		}
		if mistakes == 0 {
			fmt.Println("no mistakes in round", round)
			return
		}
		mean = orFatal(perceptron.Mix(models, nil))
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
	res := orFatal(m.Fit(X, []int{+1, -1, +1, -1}))
	label := orFatal(m.Predict(hashed("cheap money")))
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

// orFatal returns v, or ends the program if there is an error.
func orFatal[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Text has few words in a row, and many in all. The rows say whether a sentence is a question, by
// its words alone. A caller may stop at the first bracket that is narrow enough.
func ExampleSeparations() {
	data, err := os.ReadFile("examples/tagger/sentences.conllu")
	if err != nil {
		log.Fatal(err)
	}
	var X []perceptron.Sparse
	var y []int
	index := map[string]uint32{}
	for sentence := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		var x perceptron.Sparse
		label := -1
		for line := range strings.Lines(sentence) {
			fields := strings.Split(line, "\t")
			if len(fields) < 2 {
				continue
			}
			word := strings.ToLower(fields[1])
			if word == "?" {
				label = +1
				continue
			}
			if _, known := index[word]; !known {
				index[word] = uint32(len(index))
			}
			x.Index, x.Value = append(x.Index, index[word]), append(x.Value, 1)
		}
		x.Sort()
		X, y = append(X, x), append(y, label)
	}
	fmt.Println(len(X), "sentences,", len(index), "words")

	for sep, err := range perceptron.Separations(X, y, perceptron.Affine) {
		if err != nil {
			log.Fatal(err)
		}
		if sep.Upper-sep.Lower > 0.001*sep.Upper {
			continue
		}
		fmt.Printf("γ is in [%.4f, %.4f]: %v\n", sep.Lower, sep.Upper, perceptron.Verify(sep, X, y))
		fmt.Printf("Online makes at most %.0f mistakes\n", math.Floor(sep.MistakeBound()))
		break
	}
	res, err := perceptron.SparseModel{Model: &perceptron.Online{}, Width: len(index)}.Fit(X, y)
	fmt.Println("and made", res.Mistakes, "in", res.Epochs, "epochs", err)
	// Output:
	// 60 sentences, 218 words
	// γ is in [0.6285, 0.6285]: <nil>
	// Online makes at most 30 mistakes
	// and made 10 in 3 epochs <nil>
}
