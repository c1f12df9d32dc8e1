package main

import (
	"compress/gzip"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

const text = "The old dog sleeps in the kitchen.\nAnna's friends did n't see Vienna."

const tagged = "The_DET old_ADJ dog_NOUN sleeps_VERB in_ADP the_DET kitchen_NOUN ._PUNCT\n" +
	"Anna_PROPN 's_PART friends_NOUN did_AUX n't_PART see_VERB Vienna_PROPN ._PUNCT\n"

// TestRun trains on the program's own sentences, and tags others.
func TestRun(t *testing.T) {
	var out strings.Builder
	run(strings.NewReader(text), &out, "", "", "", 5)
	passes := regexp.MustCompile(`^pass 1: 177 mistakes, .*\npass 2: 31 .*\npass 3: .*\npass 4: .*\npass 5: 2 mistakes, .*\n`)
	if passes.ReplaceAllString(out.String(), "") != tagged {
		t.Errorf("printed\n%s", &out)
	}
}

// TestSave: a saved tagger tags as before, and learns nothing. Training files may be compressed.
func TestSave(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "train.conllu")
	packed, model := plain+".gz", plain+".model"
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	if _, err := io.WriteString(w, embedded); err != nil || w.Close() != nil || f.Close() != nil {
		t.Fatal("cannot write", packed)
	}
	if err := os.WriteFile(plain, []byte(embedded), 0o644); err != nil {
		t.Fatal(err)
	}
	var first, again strings.Builder
	run(strings.NewReader(text), &first, packed, plain, model, 5)
	run(strings.NewReader(text), &again, "", plain, model, 5)
	dev := regexp.MustCompile(`dev: 1\.0000 of \d+ words right, .*\n`)
	if !strings.HasSuffix(first.String(), tagged) || len(dev.FindAllString(first.String(), -1)) == 0 {
		t.Errorf("training printed\n%s", &first)
	}
	if got := dev.ReplaceAllString(again.String(), ""); got != tagged || got == again.String() {
		t.Errorf("the saved tagger printed\n%s", &again)
	}
}

// TestRead: comments, ranges of words and empty nodes are left out. The last line may lack its end.
func TestRead(t *testing.T) {
	line := func(id, form, tag string) string { return id + "\t" + form + "\t_\t" + tag + strings.Repeat("\t_", 6) }
	set := read("", strings.Join([]string{"# text = dont go", line("1-2", "dont", "_"), line("1", "do", "AUX"),
		line("2", "nt", "PART"), line("2.1", "x", "_"), line("3", "go", "VERB"), "", "# a # sign", line("1", "#", "SYM")}, "\n"))
	if len(set) != 2 || !slices.Equal(set[0].forms, []string{"do", "nt", "go"}) ||
		!slices.Equal(set[0].tags, []string{"AUX", "PART", "VERB"}) || !slices.Equal(set[1].forms, []string{"#"}) {
		t.Errorf("read %v", set)
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"I don't know.":            "I do n't know .",
		"Anna's, e.g. 3.5 (well-)": "Anna 's , e.g . 3.5 ( well - )",
		"über die Straße!?":        "über die Straße ! ?",
	} {
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("split(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestFeatures compares the indexes with hash/fnv.
func TestFeatures(t *testing.T) {
	var got, want []uint32
	tg := tagger{Tags: []string{"A", "B", "C"}, Sure: map[string]string{"the": "A"}}
	tags := tg.walk([]string{"In", "the", "Uplands", "x"}, func(i int, _ perceptron.Sparse) string {
		if i == 2 {
			got = slices.Clone(tg.features(i).Index)
		}
		return []string{"B", "", "C", "B"}[i]
	})
	for k, text := range []string{
		"U", "Upl", "s", "ds", "nds", "ands", "B", "A", "B A", "A uplands",
		"in", "the", "the", "uplands", "x", "x", ">1",
	} {
		h := fnv.New64a()
		h.Write(append([]byte{byte(k)}, text...))
		want = append(want, uint32(h.Sum64()^h.Sum64()>>32)%width)
	}
	slices.Sort(want)
	if !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("features %v, want %v", got, want)
	}
	if !slices.Equal(tags, []string{"B", "A", "C", "B"}) {
		t.Errorf("tags %v", tags)
	}
}

// TestPredict: predict is Hyperplanes.Predict, and a row names each feature once.
func TestPredict(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	h := perceptron.Hyperplanes{Classes: []int{1, 3, 4}, Planes: make([]perceptron.Hyperplane, 3)}
	for i := range h.Planes {
		h.Planes[i] = perceptron.Hyperplane{Weights: make([]float64, width), Bias: float64(r.IntN(21) - 10)}
		for j := range width {
			h.Planes[i].Weights[j] = float64(r.IntN(5) - 2) // whole, so that every order of the sum is exact
		}
	}
	tg, dense := tagger{Planes: h}, make([]float64, width)
	var forms []string
	for i := range 10_000 {
		forms = append(forms, strconv.Itoa(i*i))
	}
	tg.walk(forms, func(i int, x perceptron.Sparse) string {
		for k, j := range x.Index {
			dense[j] = 1
			if k > 0 && x.Index[k-1] >= j {
				t.Fatalf("the features %v of %q do not ascend", x.Index, forms[i])
			}
		}
		if i%100 == 0 { // a dense row takes long
			want, err := h.Predict(dense)
			if got := tg.predict(x); got != want || err != nil {
				t.Errorf("predict is %d, Hyperplanes.Predict %d, %v", got, want, err)
			}
		}
		for _, j := range x.Index {
			dense[j] = 0
		}
		return "N"
	})
}

// TestCount: a word is sure from 20 times on, if 97 of 100 have one tag.
func TestCount(t *testing.T) {
	var s sentence
	add := func(form, tag string, n int) {
		for range n {
			s.forms, s.tags = append(s.forms, form), append(s.tags, tag)
		}
	}
	add("rare", "A", 19)
	add("often", "A", 20)
	add("nearly", "B", 97)
	add("nearly", "A", 3)
	add("hardly", "A", 96)
	add("hardly", "C", 4)
	tg := tagger{Sure: map[string]string{}}
	tg.count([]sentence{s})
	if len(tg.Sure) != 2 || tg.Sure["often"] != "A" || tg.Sure["nearly"] != "B" || !slices.Equal(tg.Tags, []string{"A", "B", "C"}) {
		t.Errorf("sure %v of %v", tg.Sure, tg.Tags)
	}
}

// TestTreebank reaches .935 on the English Web Treebank in two passes.
func TestTreebank(t *testing.T) {
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		t.Skip("PERCEPTRON_DATA is not set; it must name the folder with ewt-train.conllu.gz and ewt-dev.conllu.gz")
	}
	var out strings.Builder
	run(strings.NewReader(""), &out, filepath.Join(dir, "ewt-train.conllu.gz"), filepath.Join(dir, "ewt-dev.conllu.gz"), "", 2)
	shares := regexp.MustCompile(`dev: (0\.\d+) of 25147 words`).FindAllStringSubmatch(out.String(), -1)
	if len(shares) != 2 {
		t.Fatalf("printed\n%s", &out)
	}
	if share, err := strconv.ParseFloat(shares[1][1], 64); err != nil || share < .935 {
		t.Errorf("printed\n%s", &out)
	}
}
