package main

import (
	"compress/gzip"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

const text = "The old dog sleeps in the kitchen.\nAnna's friends don't see Vienna.\n\n\"well-known\" 3.5!? DON'T Anna’s DIDN’T Žofie naïve $5 n'tn\r\n"

const tagged = `The_DET old_ADJ dog_NOUN sleeps_VERB in_ADP the_DET kitchen_NOUN ._PUNCT
Anna_PROPN 's_PART friends_NOUN do_AUX n't_PART see_VERB Vienna_PROPN ._PUNCT
`

// words are all of text.
const words = `The old dog sleeps in the kitchen . Anna 's friends do n't see Vienna .  " well-known " 3.5 ! ? DO N'T Anna ’s DID N’T Žofie naïve $ 5 n 'tn`

// lines returns what a run prints, with S for the words in a second.
func lines(in, train, dev, model string, passes int) string {
	var out strings.Builder
	run(strings.NewReader(in), &out, train, dev, model, passes)
	return regexp.MustCompile(`[1-9]\d+ words/s`).ReplaceAllString(out.String(), "S words/s")
}

// TestRun trains on the program's own sentences, and tags others.
func TestRun(t *testing.T) {
	out := lines(text, "", "", "", 5)
	passes := regexp.MustCompile(`^pass 1: 168 mistakes in 347 words, S words/s\n(pass [234]: \d+ mistakes in 347 words, S words/s\n){3}pass 5: 0 mistakes in 347 words, S words/s\n`)
	got := passes.ReplaceAllString(out, "")
	if !strings.HasPrefix(got, tagged) {
		t.Errorf("printed\n%s", out)
	}
	forms := regexp.MustCompile(`_[A-Z]+`).ReplaceAllString(got, "")
	if got := strings.TrimSpace(strings.ReplaceAll(forms, "\n", " ")); got != words {
		t.Errorf("the words are %s, want %s", got, words)
	}
}

// few makes the tagger quick for a test, unless PERCEPTRON_FULL is set.
func few(t *testing.T) {
	if os.Getenv("PERCEPTRON_FULL") == "" {
		all := width
		t.Cleanup(func() { width = all })
		width = 1 << 12
	}
}

// TestSave: a saved tagger tags as before. Training files may be compressed. Training replaces what
// was saved.
func TestSave(t *testing.T) {
	few(t)
	plain := filepath.Join(t.TempDir(), "train.conllu")
	packed, model := plain+".gz", plain+".model"
	var file strings.Builder
	for _, w := range strings.Fields("a/DET dog/NOUN sees/VERB a/DET cat/NOUN / dogs/NOUN see/VERB the/DET saw/NOUN / cats/NOUN saw/VERB dogs/NOUN /") {
		form, tag, _ := strings.Cut(w, "/")
		if tag != "" {
			file.WriteString("1\t" + form + "\t_\t" + tag + strings.Repeat("\t_", 6))
		}
		file.WriteString("\n")
	}
	write(t, plain, file.String())
	write(t, packed, compressed(t, file.String()))
	one := plain + ".one"
	write(t, one, "1\tdogs\t_\tNOUN"+strings.Repeat("\t_", 6))
	if got := lines("", plain, one, "", 5); !strings.Contains(got, "dev: 1.0000 of 1 words right") {
		t.Errorf("for one word, printed\n%s", got)
	}
	const in = "the cat saw a saw"
	first, again := lines(in, packed, plain, model, 1), lines(in, "", plain, model, 1)
	dev := regexp.MustCompile(`(?s)dev: \d\.\d+ of 12 words right, S words/s\n.*`)
	if got := dev.FindString(first); again != got || got == "" || !strings.HasPrefix(first, "pass 1: ") || strings.Contains(first, "pass 2: ") {
		t.Errorf("training printed\n%s\nthe saved tagger\n%s", first, again)
	}
	const last = "dev: 1.0000 of 12 words right, S words/s\nthe_DET cat_NOUN saw_VERB a_DET saw_NOUN\n"
	if anew := lines(in, plain, plain, model, 5); !strings.HasPrefix(anew, "pass 1: ") || !strings.HasSuffix(anew, last) {
		t.Errorf("training again printed\n%s", anew)
	}
	if again := lines(in, "", plain, model, 1); again != last {
		t.Errorf("the saved tagger printed\n%s", again)
	}
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var zip strings.Builder
	w := gzip.NewWriter(&zip)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal("cannot compress")
	}
	return zip.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRead: comments, ranges of words and empty nodes are left out. The last line may lack its end.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.conllu")
	line := func(id, form, tag string) string { return id + "\t" + form + "\t_\t" + tag + strings.Repeat("\t_", 6) }
	write(t, name, strings.Join([]string{"# text = dont go", line("1-2", "dont", "_"), line("1", "do", "AUX"),
		line("2", "nt", "PART"), line("2.1", "x", "VERB"), line("3", "go", "VERB"), "", "# a # sign", line("1", "#", "SYM")}, "\n"))
	set := read(name)
	write(t, name, "# windows\r\n"+line("1", "Go", "VERB")+"\r\n\r\n"+line("1", "on", "ADV")+"\r\n")
	if set := read(name); len(set) != 3 || !slices.Equal(set[0].forms, []string{"Go"}) || !slices.Equal(set[1].tags, []string{"ADV"}) {
		t.Errorf("of lines that end in CR LF, read %v", set)
	}
	if len(set) < 2 || !slices.Equal(set[0].forms, []string{"do", "nt", "go"}) ||
		!slices.Equal(set[0].tags, []string{"AUX", "PART", "VERB"}) || !slices.Equal(set[1].forms, []string{"#"}) {
		t.Errorf("read %v", set)
	}
}

// saved returns the binary form of m when it has learned rows with these labels.
func saved(t *testing.T, m interface {
	perceptron.Model
	MarshalBinary() ([]byte, error)
}, labels ...int) string {
	t.Helper()
	for i, y := range labels {
		x := perceptron.Sparse{Index: []uint32{uint32(i)}, Value: []float64{1}}
		if _, err := (perceptron.SparseModel{Model: m, Width: width}).Update(x, y); err != nil {
			t.Fatal(err)
		}
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestErrors: files without words or of another kind, and models that are not there, end the program
// with an error.
func TestErrors(t *testing.T) {
	few(t)
	if args := os.Getenv("TAGGER_ARGUMENTS"); args != "" {
		os.Args = append(os.Args[:1], strings.Split(args, " ")...)
		main()
		return
	}
	name := filepath.Join(t.TempDir(), "x")
	multi := func(labels ...int) string { return saved(t, &perceptron.Multiclass{}, labels...) }
	const two = `{"Tags": ["A", "B"]}`
	for i, c := range []struct{ text, tags, arguments, want string }{
		{"", "", "-train FILE", "untrained"},
		{"# only a comment\n\n", "", "-train FILE", "untrained"},
		{"Plain text. No columns.\n", "", "-train FILE", "line 1 is not CoNLL-U"},
		{"# text\n1\tGo\t_\tVERB" + strings.Repeat("\t_", 6) + "\n1\tGo\t_\tVERB\n", "", "-dev FILE", "line 3 is not CoNLL-U"},
		{"\tGo\n", "", "-dev FILE", "line 1 is not CoNLL-U"},
		{"1\tGo\t_\tVERB" + strings.Repeat("\t_", 7), "", "-train FILE", "line 1 is not CoNLL-U"},
		{"plain", "", "-train FILE.gz", "EOF"},
		{compressed(t, embedded)[:2000], "", "-train FILE.gz", "unexpected EOF"},
		{embedded, "", "-train FILE -model FILE.d/model", "no such file"},
		{"", "", "-model FILE.nothing", "no such file"},
		{"{}", two, "-model FILE", "perceptron"},
		{saved(t, &perceptron.Online{}, -1, 1), two, "-model FILE", "Online"},
		{multi(0, 1), "", "-model FILE", "FILE.json: no such file"},
		{multi(0, 1), "{", "-model FILE", "unexpected end of JSON"},
		{multi(0, 1), "{}", "-model FILE", "FILE has classes without a tag in FILE.json"},
		{multi(0, 1, 2), two, "-model FILE", "FILE has classes without a tag in FILE.json"},
		{multi(-1, 1), two, "-model FILE", "FILE has classes without a tag in FILE.json"},
	} {
		file := name + strconv.Itoa(i)
		arguments, want := strings.ReplaceAll(c.arguments, "FILE", file), strings.ReplaceAll(c.want, "FILE", file)
		write(t, file, c.text)
		write(t, file+".gz", c.text)
		if c.tags != "" {
			write(t, file+".json", c.tags)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestErrors$")
		cmd.Env = append(os.Environ(), "TAGGER_ARGUMENTS="+arguments)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "tagger: ") || !strings.Contains(string(out), want) || strings.Contains(string(out), "goroutine") {
			t.Errorf("%s %.30q: %v, printed\n%s", c.arguments, c.text, err, out)
		}
	}
}

// TestFeatures compares the indexes with hash/fnv and with those of another process, and which tags
// are before a word.
func TestFeatures(t *testing.T) {
	var got, want []uint32
	tg := tagger{Sure: map[string]string{"the": "A"}}
	gave := tg.tag([]string{"In", "the", "Uplands", "x"}, func(i int, x perceptron.Sparse) string {
		if i == 2 {
			got = slices.Clone(x.Index)
		}
		if !slices.Equal(x.Value, slices.Repeat([]float64{1}, len(x.Index))) {
			t.Errorf("values %v", x.Value)
		}
		return []string{"B", "", "C", "B"}[i]
	})
	for k, text := range []string{
		"U", "Upl", "s", "ds", "nds", "ands", "B", "A", "B A", "A Uplands",
		"In", "the", "the", "uplands", "x", "x", ">1",
	} {
		h := fnv.New64a()
		h.Write(append([]byte{byte(k)}, text...))
		want = append(want, uint32(h.Sum64()^h.Sum64()>>32)%uint32(width))
	}
	slices.Sort(want)
	if !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("features %v, want %v", got, want)
	}
	if saved := []uint32{22981, 33039, 51086, 60537, 72974, 93154, 101587, 110696, 121045, 125102, 138348, 147014, 150626, 151422, 155359, 160539, 183957}; !slices.Equal(got, saved) {
		t.Errorf("features %v; saved models have them at %v", got, saved)
	}
	if !slices.Equal(gave, []string{"B", "A", "C", "B"}) {
		t.Errorf("tags %v", gave)
	}
}

// TestExamples: the tags before a word are the right ones in the first pass, and the model's later.
func TestExamples(t *testing.T) {
	m := &perceptron.Multiclass{}
	tg := tagger{
		model: perceptron.SparseModel{Model: m, Width: width},
		Sure:  map[string]string{"a": "DET"}, Tags: []string{"VERB", "NOUN", "ADJ", "DET"},
	}
	set := []sentence{{[]string{"a", "bad", "dog"}, []string{"DET", "ADJ", "NOUN"}}, {[]string{"go"}, []string{"VERB"}}}
	for pass, want := range []string{"ADJ", "VERB"} {
		examples := func(yield func(perceptron.Sparse, int) bool) { tg.examples(set, pass > 0, yield) }
		var labels []int
		for x, y := range examples {
			if labels = append(labels, y); len(x.Index) == 0 {
				t.Error("no features")
			}
			if y == 1 && !slices.Equal(tg.tags[2:4], []string{"DET", want}) {
				t.Errorf("the tags before dog are %v, want DET and %s", tg.tags[2:4], want)
			}
		}
		if !slices.Equal(labels, []int{2, 1, 0}) {
			t.Errorf("labels %v", labels)
		}
		if _, err := m.Update(make([]float64, width), 0); err != nil {
			t.Fatal(err)
		}
		for range examples {
			break // like Learn after an error
		}
	}
	// Two words without features follow "go": the stream needs no tag of the model for it.
	tg.examples([]sentence{{[]string{"go", "a", "a", "go"}, []string{"ADJ", "DET", "DET", "ADJ"}}}, true, func(perceptron.Sparse, int) bool { return true })
	if !slices.Equal(tg.tags[2:], []string{"ADJ", "DET", "DET", "VERB"}) {
		t.Errorf("tags %v", tg.tags[2:])
	}
}

// TestTrain: a word is sure from 20 times on, if 97 of 100 have one tag.
func TestTrain(t *testing.T) {
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
	add("hardly", "C", 3) // .9697
	tg := tagger{Sure: map[string]string{}}
	tg.train(io.Discard, []sentence{s}, 0)
	if len(tg.Sure) != 2 || tg.Sure["often"] != "A" || tg.Sure["nearly"] != "B" {
		t.Errorf("sure %v", tg.Sure)
	}
	if !slices.Equal(tg.Tags, []string{"A", "B", "C"}) {
		t.Errorf("tags %v", tg.Tags)
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
	if len(shares) != 1 {
		t.Fatalf("printed\n%s", &out)
	}
	if share, err := strconv.ParseFloat(shares[0][1], 64); err != nil || share < .935 {
		t.Errorf("printed\n%s", &out)
	}
}
