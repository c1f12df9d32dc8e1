package perceptron_test

import (
	"fmt"
	"hash/fnv"
	"log"
	"strings"

	"perceptron"
)

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
	fmt.Println(res.Stop, label, err)
	// Output: Converged 1 <nil>
}

// Sort makes a row of elements in any order.
func ExampleSparse_Sort() {
	x := perceptron.Sparse{Index: []uint32{7, 2, 7}, Value: []float64{1, 5, 2}}
	x.Sort()
	fmt.Println(x.Index, x.Value)
	// Output: [2 7] [5 3]
}
