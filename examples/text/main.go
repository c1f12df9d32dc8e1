// Text learns from a stream of lines to tell Go code from prose. It turns a line into
// 2²⁰ features by hashing its character n-grams.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"perceptron"
)

const (
	width = 1 << 20 // features
	part  = 2000    // lines between two reports
)

func main() {
	log.SetFlags(0)
	separated := flag.Int("theory", 0, "print γ and Novikoff's bound of so many lines instead")
	flag.Parse()
	root := cmp.Or(flag.Arg(0), ".")
	var err error
	if *separated > 0 {
		err = theory(os.Stdout, root, *separated)
	} else {
		err = run(os.Stdout, root)
	}
	if err != nil {
		log.Fatalf("text: %s: %v", root, err)
	}
}

// run learns from the lines below root, in random order. It reports how many were
// predicted right before they were learned.
func run(w io.Writer, root string) error {
	lines, err := shuffled(root)
	if err != nil {
		return err
	}
	c := perceptron.Classifier[perceptron.Sparse]{Width: width}
	var x perceptron.Sparse
	right := 0
	for i, l := range lines {
		x = features(x, l.text)
		label, err := c.Predict(x) // an error for the first line, because nothing is learned yet
		if err == nil && label == l.label {
			right++
		}
		if _, err := c.Update(x, l.label); err != nil {
			return err
		}
		if n := i + 1; n%part == 0 || n == len(lines) {
			fmt.Fprintf(w, "%7d lines: %.4f predicted right before they were learned\n", n, float64(right)/float64(n))
		}
	}
	return nil
}

// shuffled returns the lines of [collect] in a random order, which is the same in every run.
func shuffled(root string) ([]line, error) {
	lines, err := collect(os.DirFS(root))
	if err == nil && len(lines) == 0 {
		err = errors.New("no lines of Go or Markdown")
	}
	r := rand.New(rand.NewPCG(1, 0))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines, err
}

// features returns the row of a text. Each n-gram of 3 to 5 bytes adds 1 to the feature
// that its hash (FNV-1a) selects. The row reuses the memory of x.
func features(x perceptron.Sparse, text string) perceptron.Sparse {
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	for from := range len(text) - 2 {
		hash := uint32(2166136261)
		for n, c := range []byte(text[from:min(from+5, len(text))]) {
			if hash = (hash ^ uint32(c)) * 16777619; n >= 2 {
				x.Index, x.Value = append(x.Index, (hash^hash>>20)%width), append(x.Value, 1)
			}
		}
	}
	x.Sort() // sorts the features, and adds the values of equal indices
	return x
}

// A line has the text of a line of a file, and its label: code or prose.
type line struct{ text, label string }

// collect returns the lines of all Go and Markdown files. Comments in Go are prose. Short
// lines are left out, and so are indented and fenced blocks in Markdown.
func collect(files fs.FS) (lines []line, err error) {
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		code, prose := filepath.Ext(name) == ".go", filepath.Ext(name) == ".md"
		if err != nil || d.IsDir() || !code && !prose {
			return err
		}
		text, err := fs.ReadFile(files, name)
		fenced := false
		for raw := range strings.Lines(string(text)) {
			trimmed, label := strings.TrimSpace(raw), "prose"
			switch comment, found := strings.CutPrefix(trimmed, "//"); {
			case prose && strings.HasPrefix(trimmed, "```"):
				fenced = !fenced
				continue
			case prose && (fenced || strings.HasPrefix(raw, "    ") || strings.HasPrefix(raw, "\t")):
				continue
			case code && found:
				trimmed = strings.TrimSpace(comment)
			case code:
				label = "code"
			}
			if len(trimmed) >= 3 {
				lines = append(lines, line{trimmed, label})
			}
		}
		return err
	})
	return lines, err
}
