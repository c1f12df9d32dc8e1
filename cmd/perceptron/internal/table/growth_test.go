package table

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkGrowth reads tables of 1, 4 and 16 times as many rows, columns, classes, words and columns of words, with
// a known Schema. The time for a field (or a word) stays about the same.
func BenchmarkGrowth(b *testing.B) {
	for _, of := range []string{"rows", "columns", "classes", "words", "categories"} {
		for _, times := range []int{1, 4, 16} {
			n := map[string]int{"rows": 200, "columns": 50, "classes": 10, "words": 20, "categories": 10}
			n[of] *= times
			var text strings.Builder
			for j := range n["columns"] + n["categories"] {
				text.WriteString("f" + strconv.Itoa(j) + ",")
			}
			text.WriteString("y\n")
			rows := max(n["rows"], 3*n["words"])
			for i := range rows {
				for j := range n["columns"] {
					text.WriteString(strconv.Itoa((i*7+j*3)%100) + ".5,")
				}
				for j := range n["categories"] {
					text.WriteString("word" + strconv.Itoa((i+j)%n["words"]) + ",")
				}
				text.WriteString("c" + strconv.Itoa(i%n["classes"]) + "\n")
			}
			s, err := Open(create(b, "t.csv", text.String()), Options{}, true)
			if err != nil {
				b.Fatal(err)
			}
			schema, err := Discover(s, Choice{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s=%d", of, n[of]), func(b *testing.B) {
				for b.Loop() {
					for _, err := range s.Rows(schema, RowOptions{NeedLabel: true}) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows*(n["columns"]+n["categories"]+1)), "ns/field")
			})
			_ = s.Close()
		}
	}
}
