// Tagger learns to tag words with their parts of speech. It is the averaged perceptron of Collins
// (EMNLP 2002), with the features of Honnibal's tagger in NLTK and a few more.
package main

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"encoding/gob"
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

const width = 1 << 18 // features

var ones = slices.Repeat([]float64{1}, 32)

func main() {
	log.SetFlags(0)
	log.SetPrefix("tagger: ")
	learn := flag.String("train", "", "learn from this CoNLL-U `file`, plain or .gz, not from the program's own sentences")
	dev := flag.String("dev", "", "print the accuracy on this CoNLL-U `file`")
	model := flag.String("model", "", "save the tagger in this `file`; without -train, load it instead of learning")
	passes := flag.Int("passes", 5, "over the sentences")
	flag.Parse()
	debug.SetMemoryLimit(200 << 20) // collects garbage sooner: the hyperplanes of each pass take 36 MB
	run(os.Stdin, os.Stdout, *learn, *dev, *model, *passes)
}

// run trains a tagger, or loads one. Then it tags the lines of in.
func run(in io.Reader, out io.Writer, learn, dev, model string, passes int) {
	t := &tagger{Sure: map[string]string{}}
	if learn == "" && model != "" {
		t.load(model)
		t.report(out, read(dev, ""))
	} else {
		t.train(out, read(learn, embedded), read(dev, ""), passes)
	}
	if learn != "" && model != "" {
		t.save(model)
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		forms := split(lines.Text())
		for i, tag := range t.tag(forms) {
			forms[i] += "_" + tag
		}
		fmt.Fprintln(out, strings.Join(forms, " "))
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

var token = regexp.MustCompile(`n't|'\pL+|[\pL\pN]+([-.,:@/][\pL\pN]+)*|\S`)

// split returns the words and marks of a text. As in the English Web Treebank, "don't" is "do n't".
func split(text string) []string {
	return token.FindAllString(strings.ReplaceAll(text, "n't", " n't"), -1)
}

// A sentence has words, as written, and the right tag of each.
type sentence struct{ forms, tags []string }

// read reads columns 2 and 4 of a CoNLL-U file, or of text if there is no name.
func read(name, text string) []sentence {
	var in io.Reader = strings.NewReader(text)
	if name != "" {
		f, err := os.Open(name)
		check(err)
		defer f.Close()
		if in = f; strings.HasSuffix(name, ".gz") {
			in, err = gzip.NewReader(f)
			check(err)
		}
	}
	set, lines := make([]sentence, 1), bufio.NewScanner(in)
	for lines.Scan() {
		s, c := &set[len(set)-1], strings.Split(lines.Text(), "\t")
		switch {
		case len(c) == 10 && !strings.ContainsAny(c[0], "-."): // not a range of words or an empty node
			s.forms, s.tags = append(s.forms, c[1]), append(s.tags, c[3])
		case c[0] == "":
			set = append(set, sentence{})
		case len(c) != 10 && c[0][0] != '#':
			log.Fatalf("%s: %q does not have ten columns", name, lines.Text())
		}
	}
	check(lines.Err())
	return set
}

// A tagger tags words from left to right.
type tagger struct {
	Tags   []string          // of the classes 0, 1, …
	Sure   map[string]string // the tags of words that nearly always have one; they need no model
	Planes perceptron.Hyperplanes

	forms, words, tags []string // of the sentence at hand; words and tags are padded
	index              []uint32
}

// train passes over the sentences, and prints a line or two after each pass.
func (t *tagger) train(out io.Writer, set, dev []sentence, passes int) {
	t.count(set)
	m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
	model := perceptron.SparseModel{Model: m, Width: width}
	random := rand.New(rand.NewPCG(1, 0))
	for pass := range passes {
		begun, words, mistakes := time.Now(), 0, 0
		random.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
		for _, s := range set {
			// The tags before a word are those that the model gives, right or wrong: later it will have
			// no others. Where Update reports no mistake, the model gives the right tag.
			t.walk(s.forms, func(i int, x perceptron.Sparse) string {
				wrong, err := model.Update(x, slices.Index(t.Tags, s.tags[i]))
				check(err)
				if !wrong {
					return s.tags[i]
				}
				mistakes++
				class, err := model.Predict(x)
				check(err)
				return t.Tags[class]
			})
			words += len(s.forms)
		}
		fmt.Fprintf(out, "pass %d: %d mistakes, %.0f words/s\n", pass+1, mistakes, float64(words)/time.Since(begun).Seconds())
		t.Planes = m.Hyperplanes()
		t.report(out, dev)
	}
}

// count collects the tags, and the words that have one tag 97 times of 100.
func (t *tagger) count(set []sentence) {
	all, as := map[string]int{}, map[[2]string]int{}
	for _, s := range set {
		for i, form := range s.forms {
			all[form]++
			as[[2]string{form, s.tags[i]}]++
			if !slices.Contains(t.Tags, s.tags[i]) {
				t.Tags = append(t.Tags, s.tags[i])
			}
		}
	}
	for k, n := range as {
		if all[k[0]] >= 20 && n*100 >= all[k[0]]*97 {
			t.Sure[k[0]] = k[1]
		}
	}
}

// report prints the share of words that get the right tag.
func (t *tagger) report(out io.Writer, dev []sentence) {
	right, words, begun := 0, 0, time.Now()
	for _, s := range dev {
		for i, tag := range t.tag(s.forms) {
			if words++; tag == s.tags[i] {
				right++
			}
		}
	}
	if words > 0 {
		n, seconds := float64(words), time.Since(begun).Seconds()
		fmt.Fprintf(out, "dev: %.4f of %d words right, %.0f words/s\n", float64(right)/n, words, n/seconds)
	}
}

// tag returns the tags of the words. The next call overwrites them.
func (t *tagger) tag(forms []string) []string {
	return t.walk(forms, func(_ int, x perceptron.Sparse) string { return t.Tags[t.predict(x)] })
}

// predict is Hyperplanes.Predict of a row of ones.
func (t *tagger) predict(x perceptron.Sparse) (best int) {
	high := 0.0
	for i, p := range t.Planes.Planes {
		score := p.Bias
		for _, j := range x.Index {
			score += p.Weights[j]
		}
		if i == 0 || score > high {
			best, high = t.Planes.Classes[i], score
		}
	}
	return best
}

// walk tags the words from left to right. Those that are not sure get the answer for their features.
func (t *tagger) walk(forms []string, answer func(i int, x perceptron.Sparse) string) []string {
	t.forms, t.words, t.tags = forms, append(t.words[:0], "<2", "<1"), append(t.tags[:0], "<2", "<1")
	for _, form := range forms {
		t.words = append(t.words, strings.ToLower(form))
	}
	t.words = append(t.words, ">1", ">2")
	for i, form := range forms {
		tag, sure := t.Sure[form]
		if !sure {
			tag = answer(i, t.features(i))
		}
		t.tags = append(t.tags, tag)
	}
	return t.tags[2:]
}

// features returns the features of word i. Each is named by its place in the list and its text; its
// index is the hash of both (FNV-1a). The next call overwrites them.
func (t *tagger) features(i int) perceptron.Sparse {
	form, w, tag := t.forms[i], t.words[i:i+5], t.tags[i:i+2]
	t.index = t.index[:0]
	for k, text := range [...]string{
		prefix(form, 1), prefix(form, 3), suffix(form, 1), suffix(form, 2), suffix(form, 3), suffix(form, 4),
		tag[0], tag[1], tag[0] + " " + tag[1], tag[1] + " " + w[2],
		w[0], w[1], suffix(w[1], 3), w[2], w[3], suffix(w[3], 3), w[4],
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

// save writes what tagging needs; perceptron.Save would add what further training needs.
func (t *tagger) save(name string) {
	f, err := os.Create(name)
	check(err)
	check(gob.NewEncoder(f).Encode(t))
	check(f.Close())
}

// load reads what save wrote.
func (t *tagger) load(name string) {
	f, err := os.Open(name)
	check(err)
	defer f.Close()
	check(gob.NewDecoder(f).Decode(t))
	_, err = t.Planes.Scores(nil, make([]float64, width)) // reports planes of another width
	check(err)
}
