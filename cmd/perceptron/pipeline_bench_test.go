package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// numbers returns a table of d columns of numbers and three classes, as text and as rows.
func numbers(n, d int) (text string, rows [][]string, X [][]float64, labels []string) {
	g := rand.New(rand.NewPCG(7, 0))
	var out strings.Builder
	for j := range d {
		fmt.Fprintf(&out, "c%d,", j)
	}
	out.WriteString("kind\n")
	for range n {
		row, x := []string{}, []float64{}
		for range d {
			field := fmt.Sprintf("%.4f", g.NormFloat64())
			v, _ := strconv.ParseFloat(field, 64)
			row, x = append(row, field), append(x, v)
		}
		label := []string{"a", "b", "c"}[min(2, max(0, int(x[0]+x[1]+1.5)))]
		fmt.Fprintf(&out, "%s,%s\n", strings.Join(row, ","), label)
		rows, X, labels = append(rows, row), append(X, x), append(labels, label)
	}
	return out.String(), rows, X, labels
}

// sentence returns n words of messages.
func sentence(n int) string {
	words := []string{}
	for i := range n {
		words = append(words, fmt.Sprintf("word%d", 37*i))
	}
	return strings.Join(words, " ")
}

// BenchmarkPipeline: dense rows beside Classifier.Predict and the parsing of their fields, and a text of 20
// words.
func BenchmarkPipeline(b *testing.B) {
	for _, d := range []int{16, 784} {
		text, rows, X, labels := numbers(300, d)
		p := load(b, trained(b, create(b, "n.csv", text)))
		var c perceptron.Classifier[[]float64]
		if _, err := c.Fit(X, labels); err != nil {
			b.Fatal(err)
		}
		x := make([]float64, d)
		b.Run(fmt.Sprintf("columns=%d/classifier", d), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				for j, field := range rows[i%len(rows)] {
					x[j], _ = strconv.ParseFloat(field, 64)
				}
				_, _ = c.Predict(x)
			}
		})
		b.Run(fmt.Sprintf("columns=%d/pipeline", d), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				_, _ = p.PredictRecord(rows[i%len(rows)])
			}
		})
	}
	p := load(b, trained(b, messages(b, 2000), "--text", "message", "--columns", "message"))
	record := []string{sentence(20)}
	b.Run("words=20", func(b *testing.B) {
		for b.Loop() {
			_, _ = p.PredictRecord(record)
		}
	})
}

// TestPipelineAllocates: the memory of a prediction does not grow with the row or the model.
func TestPipelineAllocates(t *testing.T) {
	text, rows, _, _ := numbers(50, 100)
	for model, record := range map[string][]string{
		trained(t, create(t, "n.csv", text)):                                      rows[0],
		trained(t, create(t, "n.csv", text), "--waves", "30"):                     rows[0],
		trained(t, messages(t, 300), "--text", "message", "--columns", "message"): {sentence(30)},
		trained(t, create(t, "m.csv", mushrooms(100)), "--label", "class"):        {"bell", "foul", "3"},
	} {
		p := load(t, model)
		if n := testing.AllocsPerRun(100, func() { _, _ = p.PredictRecord(record) }); n > 1 { // a text takes 64 bytes for the longest word
			t.Errorf("%q: %v allocations", record, n)
		}
	}
}
