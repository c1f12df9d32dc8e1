package perceptron_test

import (
	"fmt"
	"math/rand/v2"

	"perceptron"
)

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

// Training stops when the rows held out have not improved for some epochs. Clone keeps
// the best model, because training goes on to change the other one.
func Example_earlyStopping() {
	trainX, trainY := mislabelled(200, 1)
	heldX, heldY := mislabelled(200, 2)
	const patience = 5
	p := &perceptron.Online{Order: perceptron.Shuffled}
	var best *perceptron.Online
	var most float64
	var at, epochs int
	for e, err := range p.Epochs(trainX, trainY) {
		if err != nil {
			fmt.Println(err)
			return
		}
		epochs = e.N
		accuracy, err := perceptron.Accuracy(p, heldX, heldY)
		if err != nil {
			fmt.Println(err)
			return
		}
		if accuracy > most {
			best, most, at = p.Clone(), accuracy, e.N
		}
		if e.N-at == patience {
			break
		}
	}
	last, err := perceptron.Accuracy(p, heldX, heldY)
	kept, err2 := perceptron.Accuracy(best, heldX, heldY)
	fmt.Println("stopped after", epochs, "epochs; the best is", at)
	fmt.Printf("held-out accuracy: last %.2f, best %.2f, %v %v\n", last, kept, err, err2)
	// Output:
	// stopped after 10 epochs; the best is 5
	// held-out accuracy: last 0.79, best 0.82, <nil> <nil>
}
