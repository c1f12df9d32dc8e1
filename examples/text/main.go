// Text learns from a stream of lines to tell Go code from prose. It turns a line into
// 2¹⁴ features by hashing its character n-grams.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"perceptron"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("text: ")
	every := flag.Int("every", 2000, "lines between two reports")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: text [-every N] [folder]\nWithout a folder it reads the files below the current one.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *every < 1 || flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(os.Stdout, root, *every); err != nil {
		log.Fatal(err)
	}
}

// run learns from the lines below root, in random order. It reports how many were
// predicted right before they were learned.
func run(w io.Writer, root string, every int) error {
	lines, err := collect(os.DirFS(root))
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return fmt.Errorf("%s: no lines in .go or .md files", root)
	}
	r := rand.New(rand.NewPCG(1, 0))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	var p perceptron.Online
	right, begun := 0, time.Now()
	v := newVectoriser()
	for from := 0; from < len(lines); from += every {
		part := lines[from:min(from+every, len(lines))]
		// A mistake of Learn is a line that was predicted wrongly before it was learned.
		e, err := p.Learn(v.examples(part))
		if err != nil {
			return err
		}
		n := e.Examples - e.Mistakes
		right += n
		fmt.Fprintf(w, "%7d lines: %.4f of the last %d predicted right before they were learned\n",
			from+len(part), float64(n)/float64(len(part)), len(part))
	}
	perLine := time.Since(begun) / time.Duration(len(lines))
	fmt.Fprintf(w, "%.4f of all %d lines, %d features, %.1f µs a line\n",
		float64(right)/float64(len(lines)), len(lines), features, float64(perLine)/1e3)
	return nil
}

// A line is a line of a file, with the label +1 for Go code and −1 for prose.
type line struct {
	text  string
	label int
}

// collect returns the lines of all Go and Markdown files.
func collect(files fs.FS) (lines []line, err error) {
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ext := filepath.Ext(name)
		if d.IsDir() || ext != ".go" && ext != ".md" {
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		lines = append(lines, split(string(text), ext == ".go")...)
		return nil
	})
	return lines, err
}

// split returns the lines of one file. A comment in Go code is prose, and an indented or
// fenced block in Markdown is left out. So are lines without three letters.
func split(text string, code bool) (lines []line) {
	fenced := false
	for raw := range strings.Lines(text) {
		trimmed := strings.TrimSpace(raw)
		label := -1
		switch comment, found := strings.CutPrefix(trimmed, "//"); {
		case code && found:
			trimmed = strings.TrimSpace(comment)
		case code:
			label = +1
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
			continue
		case fenced || strings.HasPrefix(raw, "    ") || strings.HasPrefix(raw, "\t"):
			continue
		}
		if len(trimmed) >= shortest {
			lines = append(lines, line{trimmed, label})
		}
	}
	return lines
}

const (
	features = 1 << 14
	shortest = 3 // characters of a line, and of the shortest n-gram
	longest  = 5
)

// A vectoriser turns text into features, through one slice.
type vectoriser struct {
	x   []float64
	set []uint32 // indices of x that are not 0
}

func newVectoriser() *vectoriser { return &vectoriser{x: make([]float64, features)} }

// vector returns a vector of length 1. Each n-gram of 3 to 5 bytes adds 1 to the feature
// that its hash selects (Weinberger et al. 2009). The next call overwrites x.
func (v *vectoriser) vector(text string) []float64 {
	for _, i := range v.set {
		v.x[i] = 0 // faster than clearing all features
	}
	v.set = v.set[:0]
	var squares float64
	for from := range len(text) - shortest + 1 {
		hash := uint32(2166136261) // FNV-1a
		for n, c := range []byte(text[from:min(from+longest, len(text))]) {
			hash = (hash ^ uint32(c)) * 16777619
			if n+1 < shortest {
				continue
			}
			i := (hash ^ hash>>14) % features
			if v.x[i] == 0 {
				v.set = append(v.set, i)
			}
			squares += 2*v.x[i] + 1 // (x+1)² − x²
			v.x[i]++
		}
	}
	for _, i := range v.set {
		v.x[i] /= math.Sqrt(squares)
	}
	return v.x
}

// examples yields the lines through the one slice: Learn does not keep it.
func (v *vectoriser) examples(lines []line) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for _, l := range lines {
			if !yield(v.vector(l.text), l.label) {
				return
			}
		}
	}
}
