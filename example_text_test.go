package perceptron_test

import (
	"fmt"
	"log"
	"math"
	"os"
	"strings"

	"perceptron"
)

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
		fmt.Printf("γ is in [%.4f, %.4f]: %v\n", sep.Lower, sep.Upper, sep.VerifySparse(X, y))
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
