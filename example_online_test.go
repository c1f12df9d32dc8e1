package perceptron_test

import (
	"fmt"
	"log"
	"math/rand/v2"

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
		updated, err := p.Update(x, y[i])
		if err != nil {
			log.Fatal(err)
		}
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
		accuracy, err := perceptron.Accuracy(m, X, y)
		if err != nil {
			log.Fatal(err)
		}
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
//   - Last costs nothing more.
//   - Average costs O(d) for each mistake, and for the first read after training. It needs
//     five more vectors.
//   - Pocket counts the errors of two iterates on all rows, O(nd), at the end of each epoch.
//     It needs two more vectors.
func ExampleKeep() {
	X, y := mislabelled(300, 1)
	testX, testY := mislabelled(2000, 2)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
		p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 30}
		if _, err := p.Fit(X, y); err != nil {
			log.Fatal(err)
		}
		accuracy, err := perceptron.Accuracy(p, testX, testY)
		if err != nil {
			log.Fatal(err)
		}
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
		accuracy, err := perceptron.Accuracy(p, heldX, heldY)
		if err != nil {
			log.Fatal(err)
		}
		if last = accuracy; accuracy > most {
			best, most, at = p.Clone(), accuracy, e.N
		}
		if e.N-at == patience {
			break
		}
	}
	kept, err := perceptron.Accuracy(best, heldX, heldY)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stopped after", epochs, "epochs; the best is", at)
	fmt.Printf("held-out accuracy: last %.2f, best %.2f\n", last, kept)
	// Output:
	// stopped after 10 epochs; the best is 5
	// held-out accuracy: last 0.79, best 0.82
}
