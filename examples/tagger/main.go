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
	"iter"
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

const width = 1 << 18 // features

var ones = slices.Repeat([]float64{1}, 32)

// tags are those of Universal Dependencies. A class is an index in it.
var tags = strings.Fields("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X")

func main() {
	log.SetFlags(0)
	train := flag.String("train", "", "learn from this CoNLL-U `file`, plain or .gz")
	dev := flag.String("dev", "", "print the share of right tags in this CoNLL-U `file`")
	model := flag.String("model", "", "load the tagger from this `file` and file.json, if it is there; after -train, save it")
	flag.Parse()
	debug.SetMemoryLimit(270 << 20) // Learn works on a copy of the model: this collects the last one at once
	run(os.Stdin, os.Stdout, *train, *dev, *model, 5)
}

// run loads a tagger or begins a new one, trains it, and tags the lines of in. Without names, it
// learns from the program's own sentences.
func run(in io.Reader, out io.Writer, train, dev, model string, passes int) {
	m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
	t := &tagger{model: perceptron.SparseModel{Model: m, Width: width}, sure: map[string]string{}}
	if _, err := os.Stat(model); model != "" && (err == nil || train == "") {
		t.model.Model = must(perceptron.Load(model))
		must(0, json.Unmarshal(must(os.ReadFile(model+".json")), &t.sure))
	}
	if train != "" || model == "" {
		t.train(out, read(train), passes)
	}
	if train != "" && model != "" {
		must(0, perceptron.Save(model, t.model.Model))
		must(0, os.WriteFile(model+".json", must(json.Marshal(t.sure)), 0o666))
	}
	if dev != "" {
		t.report(out, read(dev))
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		forms := token.FindAllString(strings.ReplaceAll(lines.Text(), "n't", " n't"), -1)
		for i, tag := range t.tag(forms) {
			forms[i] += "_" + tag
		}
		fmt.Fprintln(out, strings.Join(forms, " "))
	}
	must(0, lines.Err())
}

// must returns v. An error ends the program.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal("tagger: ", err)
	}
	return v
}

// token matches words and marks. As in the English Web Treebank, "don't" is "do n't".
var token = regexp.MustCompile(`n't|'\pL+|[\pL\pN]+([-.,:@/][\pL\pN]+)*|\S`)

// A sentence has words, as written, and the right tag of each.
type sentence struct{ forms, tags []string }

// read reads columns 2 and 4 of a CoNLL-U file, or the program's own sentences if there is no name.
// It skips comments, ranges of words and empty nodes.
func read(name string) []sentence {
	var in io.Reader = strings.NewReader(embedded)
	if name != "" {
		in = must(os.Open(name))
	}
	if strings.HasSuffix(name, ".gz") {
		in = must(gzip.NewReader(in))
	}
	set, lines := make([]sentence, 1), bufio.NewScanner(in)
	for lines.Scan() {
		c, s := strings.Split(lines.Text(), "\t"), &set[len(set)-1]
		if c[0] == "" {
			set = append(set, sentence{})
		} else if len(c) == 10 && !strings.Contains(c[0], ".") && slices.Contains(tags, c[3]) {
			s.forms, s.tags = append(s.forms, strings.Clone(c[1])), append(s.tags, strings.Clone(c[3]))
		}
	}
	if must(0, lines.Err()); len(set[0].forms) == 0 {
		log.Fatalf("tagger: %s: the first sentence has no words in CoNLL-U", name)
	}
	return set
}

// A tagger tags words from left to right.
type tagger struct {
	model perceptron.SparseModel
	sure  map[string]string // the tags of words that nearly always have one; they need no model

	words, tags []string // of the sentence at hand, with two more at the ends
	index       []uint32
}

// train passes over the sentences, and prints a line after each pass.
func (t *tagger) train(out io.Writer, set []sentence, passes int) {
	t.count(set)
	random := rand.New(rand.NewPCG(1, 0))
	for range passes {
		random.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
		e := must(t.model.Learn(t.examples(set)))
		must(t.model.Model.Predict(make([]float64, width))) // computes all means at once, for later calls
		fmt.Fprintf(out, "pass %d: %d mistakes in %d words\n", e.N, e.Mistakes, e.Examples)
	}
}

// count finds the words that have one tag 97 times of 100.
func (t *tagger) count(set []sentence) {
	all, as := map[string]int{}, map[[2]string]int{}
	for _, s := range set {
		for i, form := range s.forms {
			all[form]++
			as[[2]string{form, s.tags[i]}]++
		}
	}
	for k, n := range as {
		if all[k[0]] >= 20 && n*100 >= all[k[0]]*97 {
			t.sure[k[0]] = k[1]
		}
	}
}

// examples yields the words that are not sure. The tags before a word are those that the model gives
// after the pass before, right or wrong: later it will have no others. In the first pass, they are
// the right ones.
func (t *tagger) examples(set []sentence) iter.Seq2[perceptron.Sparse, int] {
	return func(yield func(perceptron.Sparse, int) bool) {
		_, untrained := t.model.Predict(perceptron.Sparse{})
		for _, s := range set {
			for i, x := range t.unsure(s.forms) {
				if t.tags[i+2] = s.tags[i]; untrained == nil {
					t.tags[i+2] = t.predict(x)
				}
				if !yield(x, slices.Index(tags, s.tags[i])) {
					return
				}
			}
		}
	}
}

// tag returns the tags of the words.
func (t *tagger) tag(forms []string) []string {
	for i, x := range t.unsure(forms) {
		t.tags[i+2] = t.predict(x)
	}
	return t.tags[2:]
}

func (t *tagger) predict(x perceptron.Sparse) string { return tags[must(t.model.Predict(x))] }

// unsure yields the words that are not sure, with their features. The body of the range sets their tags.
func (t *tagger) unsure(forms []string) iter.Seq2[int, perceptron.Sparse] {
	t.words, t.tags = slices.Concat([]string{"<2", "<1"}, forms, []string{">1", ">2"}), make([]string, len(forms)+2)
	return func(yield func(int, perceptron.Sparse) bool) {
		for i, form := range forms {
			if t.tags[i+2] = t.sure[form]; t.tags[i+2] == "" && !yield(i, t.features(i)) {
				return
			}
		}
	}
}

// features returns the features of word i. Each is named by its place in the list and its text; its
// index is the hash of both (FNV-1a). The next call overwrites them.
func (t *tagger) features(i int) perceptron.Sparse {
	form, w, tag := t.words[i+2], t.words[i:i+5], t.tags[i:i+2]
	t.index = t.index[:0]
	for k, text := range [...]string{
		prefix(form, 1), prefix(form, 3), suffix(form, 1), suffix(form, 2), suffix(form, 3), suffix(form, 4),
		tag[0], tag[1], tag[0] + " " + tag[1], tag[1] + " " + w[2],
		w[0], w[1], suffix(w[1], 3), strings.ToLower(form), w[3], suffix(w[3], 3), w[4],
	} {
		hash := (14695981039346656037 ^ uint64(k)) * 1099511628211
		for _, c := range []byte(text) {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
		t.index = append(t.index, uint32(hash^hash>>32)%width)
	}
	slices.Sort(t.index)
	t.index = slices.Compact(t.index)
	return perceptron.Sparse{Index: t.index, Value: ones[:len(t.index)]}
}

func prefix(word string, n int) string { return word[:min(n, len(word))] }
func suffix(word string, n int) string { return word[max(0, len(word)-n):] }

// report prints the share of words that get the right tag.
func (t *tagger) report(out io.Writer, dev []sentence) {
	right, words, begun := 0., 0., time.Now()
	for _, s := range dev {
		for i, tag := range t.tag(s.forms) {
			if words++; tag == s.tags[i] {
				right++
			}
		}
	}
	fmt.Fprintf(out, "dev: %.4f of %.0f words right, %.0f words/s\n", right/words, words, words/time.Since(begun).Seconds())
}
