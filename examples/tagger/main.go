// Tagger learns to tag words with their parts of speech. It is the averaged perceptron of Collins
// (EMNLP 2002), with features like those of NLTK's tagger.
package main

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"perceptron"
)

//go:embed sentences.conllu
var embedded string

var width = 1 << 18 // features; most tests have fewer

var ones = slices.Repeat([]float64{1}, 32)

func main() {
	log.SetFlags(0)
	train := flag.String("train", "", "learn from this CoNLL-U `file`, plain or .gz")
	dev := flag.String("dev", "", "print the share of right tags in this CoNLL-U `file`")
	model := flag.String("model", "", "load the tagger from this `file` and file.json; with -train, save it there")
	flag.Parse()
	debug.SetMemoryLimit(270 << 20) // Learn copies the model; the limit makes Go free old copies soon
	run(os.Stdin, os.Stdout, *train, *dev, *model, 5)
}

// run loads a tagger or trains a new one, and then tags the lines of in. If train and model are
// empty, it learns from the sentences that are part of the program.
func run(in io.Reader, out io.Writer, train, dev, model string, passes int) {
	m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
	t := &tagger{model: perceptron.SparseModel{Model: m, Width: width}, Sure: map[string]string{}}
	if train == "" && model != "" {
		must(0, m.UnmarshalBinary(must(os.ReadFile(model))))
		must(0, json.Unmarshal(must(os.ReadFile(model+".json")), t))
		if slices.ContainsFunc(m.Classes(), func(c int) bool { return c < 0 || c >= len(t.Tags) }) {
			log.Fatalf("tagger: %s has classes without a tag in %[1]s.json", model)
		}
	} else if t.train(out, read(train), passes); model != "" {
		debug.FreeOSMemory() // frees memory of the training, because Save needs memory too
		must(0, perceptron.Save(model, m))
		must(0, os.WriteFile(model+".json", must(json.Marshal(t)), 0o666))
	}
	if dev != "" {
		set, right, words, begun := read(dev), 0., 0., time.Now()
		for _, s := range set {
			for i, tag := range t.tag(s.forms, t.predict) {
				if words++; tag == s.tags[i] {
					right++
				}
			}
		}
		fmt.Fprintf(out, "dev: %.4f of %.0f words right, %.0f words/s\n", right/max(words, 1), words, words/time.Since(begun).Seconds())
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		forms := token.FindAllString(not.ReplaceAllString(lines.Text(), " $0"), -1)
		for i, tag := range t.tag(forms, t.predict) {
			forms[i] += "_" + tag
		}
		fmt.Fprintln(out, strings.Join(forms, " "))
	}
	must(0, lines.Err())
}

// must returns v. If err is not nil, must ends the program.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal("tagger: ", err)
	}
	return v
}

// token matches words and punctuation marks. not matches "n't" at the end of a word: as in the English
// Web Treebank, "don't" is divided into "do" and "n't".
var token = regexp.MustCompile(`(?i)n['’]t\b|['’]\pL+|[\pL\pN]+([-.,:@/][\pL\pN]+)*|\S`)
var not = regexp.MustCompile(`(?i)n['’]t\b`)

// A sentence has words, as written, and the right tag of each.
type sentence struct{ forms, tags []string }

// read reads columns 2 and 4 of a CoNLL-U file. If name is empty, it reads the sentences that are
// part of the program.
// It skips comments, ranges of words and empty nodes.
func read(name string) (set []sentence) {
	var in io.Reader = strings.NewReader(embedded)
	if name != "" {
		in = must(os.Open(name))
	}
	if strings.HasSuffix(name, ".gz") {
		in = must(gzip.NewReader(in))
	}
	var s sentence
	for n, line := range strings.Split(strings.ReplaceAll(string(must(io.ReadAll(in))), "\r\n", "\n"), "\n") {
		switch c := strings.Split(line, "\t"); {
		case line == "":
			set, s = append(set, s), sentence{}
		case len(c) != 10 && line[0] != '#':
			log.Fatalf("tagger: %s: line %d is not CoNLL-U", name, n+1)
		case !strings.ContainsAny(c[0], "#-."):
			s.forms, s.tags = append(s.forms, strings.Clone(c[1])), append(s.tags, strings.Clone(c[3]))
		}
	}
	return append(set, s)
}

// A tagger tags words from left to right.
type tagger struct {
	Tags  []string          // the tag of each class
	Sure  map[string]string // the tags of words that nearly always have the same tag; see train
	model perceptron.SparseModel

	// The words of the current sentence with two markers at each end, and its tags after two empty
	// tags.
	words, tags []string
	index       []uint32
}

// train collects all tags, and stores in Sure the words that occur at least 20 times and have the same
// tag at least 97 times of 100. It then learns in passes over the sentences, and prints a line after
// each pass.
func (t *tagger) train(out io.Writer, set []sentence, passes int) {
	n := map[[2]string]int{} // occurrences of words (with an empty tag), and of words with each tag
	for _, s := range set {
		for i, tag := range s.tags {
			n[[2]string{s.forms[i]}]++
			n[[2]string{s.forms[i], tag}]++
			if !slices.Contains(t.Tags, tag) {
				t.Tags = append(t.Tags, tag)
			}
		}
	}
	for k := range n {
		if all := n[[2]string{k[0]}]; k[1] != "" && all >= 20 && n[k]*100 >= all*97 {
			t.Sure[k[0]] = k[1]
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	for pass := range passes {
		begun := time.Now()
		random.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
		e := must(t.model.Learn(func(yield func(perceptron.Sparse, int) bool) { t.examples(set, pass > 0, yield) }))
		must(t.model.Model.Predict(make([]float64, width))) // computes all means now, not in later calls
		fmt.Fprintf(out, "pass %d: %d mistakes in %d words, %.0f words/s\n", e.N, e.Mistakes, e.Examples, float64(e.Examples)/time.Since(begun).Seconds())
	}
}

// examples yields the words that are not in Sure. Among the features of a word are the tags of the two
// words before it. These are predictions of the model as it was before the pass, because a tagger has
// only predictions when it is used. In the first pass, there is no model, so examples uses the right
// tags.
func (t *tagger) examples(set []sentence, trained bool, yield func(perceptron.Sparse, int) bool) {
	more := true
	for _, s := range set {
		t.tag(s.forms, func(i int, x perceptron.Sparse) string {
			more = more && yield(x, slices.Index(t.Tags, s.tags[i]))
			if trained && (t.Sure[t.words[i+3]] == "" || t.Sure[t.words[i+4]] == "") { // otherwise no features use the tag
				return t.predict(i, x)
			}
			return s.tags[i]
		})
	}
}

// tag returns the tags of the words, from left to right. The tag of a word is that in Sure, or else
// the result of choose. The next call overwrites the tags.
func (t *tagger) tag(forms []string, choose func(i int, x perceptron.Sparse) string) []string {
	t.words = append(append(append(t.words[:0], "<2", "<1"), forms...), ">1", ">2")
	t.tags = append(t.tags[:0], make([]string, len(forms)+2)...)
	for i, form := range forms {
		if t.tags[i+2] = t.Sure[form]; t.tags[i+2] == "" {
			t.tags[i+2] = choose(i, t.features(i))
		}
	}
	return t.tags[2:]
}

func (t *tagger) predict(_ int, x perceptron.Sparse) string { return t.Tags[must(t.model.Predict(x))] }

// features returns the features of word i. The index of a feature is a hash (FNV-1a) of its place in
// the list below and its text. The next call overwrites the result.
func (t *tagger) features(i int) perceptron.Sparse {
	form, w, tag := t.words[i+2], t.words[i:i+5], t.tags[i:i+2]
	t.index = t.index[:0]
	for k, text := range [...]string{
		form[:min(1, len(form))], form[:min(3, len(form))], suffix(form, 1), suffix(form, 2), suffix(form, 3), suffix(form, 4),
		tag[0], tag[1], tag[0] + " " + tag[1], tag[1] + " " + w[2],
		w[0], w[1], suffix(w[1], 3), strings.ToLower(form), w[3], suffix(w[3], 3), w[4],
	} {
		hash := (14695981039346656037 ^ uint64(k)) * 1099511628211
		for _, c := range []byte(text) {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
		t.index = append(t.index, uint32(hash^hash>>32)%uint32(width))
	}
	slices.Sort(t.index)
	t.index = slices.Compact(t.index)
	return perceptron.Sparse{Index: t.index, Value: ones[:len(t.index)]}
}

func suffix(word string, n int) string { return word[max(0, len(word)-n):] }
