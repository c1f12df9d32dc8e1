package perceptron_test

import (
	"bufio"
	"fmt"
	"iter"
	"strings"

	"perceptron"
)

const readings = `ok   0.1 0.2
ok   0.2 0.1
fail 0.9 0.8
ok   0.3 0.2
fail 0.8 1.1
fail 1.0 0.7`

// parsed yields one line at a time through one buffer. It stores in err why it
// stopped early.
func parsed(text string, err *error) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		x := make([]float64, 2)
		for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
			var word string
			if _, *err = fmt.Sscan(lines.Text(), &word, &x[0], &x[1]); *err != nil {
				return
			}
			label := -1
			if word == "fail" {
				label = +1
			}
			if !yield(x, label) {
				return
			}
		}
	}
}

// A model learns from a stream that is never in memory as a whole.
func Example_stream() {
	p := &perceptron.Margin{Keep: perceptron.Average}
	for range 3 { // passes
		var bad error
		e, err := p.Learn(parsed(readings, &bad))
		if err != nil || bad != nil {
			fmt.Println(err, bad)
			return
		}
		fmt.Printf("pass %d: %d examples, %d updates\n", e.N, e.Examples, e.Mistakes)
	}
	label, err := p.Predict([]float64{0.9, 0.9})
	fmt.Println(label, err)
	// Output:
	// pass 1: 6 examples, 6 updates
	// pass 2: 6 examples, 5 updates
	// pass 3: 6 examples, 4 updates
	// 1 <nil>
}
