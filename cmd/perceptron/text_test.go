package main

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// messages writes a table with a column of text, a word and a number. The text decides.
func messages(t testing.TB, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 9))
	var text strings.Builder
	text.WriteString("n,channel,message,kind\n")
	for range n {
		kind, words := "ham", []string{}
		if r.IntN(2) == 0 {
			kind = "spam"
			words = append(words, "Prize", "ÉTÉ")
		}
		for range 1 + r.IntN(6) {
			words = append(words, fmt.Sprintf("word%d", r.IntN(3000)))
		}
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		fmt.Fprintf(&text, "%.3f,%s,\"%s!\",%s\n", r.NormFloat64(), []string{"web", "app"}[r.IntN(2)], strings.Join(words, []string{" ", ", ", "..."}[r.IntN(3)]), kind)
	}
	return create(t, "messages.csv", text.String())
}

// TestText: training, predict, evaluate, serve and a reader in Python of what export writes agree
// on every row. The text decides, so that nearly all rows are right.
func TestText(t *testing.T) {
	data := messages(t, 2000)
	for _, idf := range []string{"--idf", "--no-idf"} {
		agreeOnText(t, data, idf)
	}
}

func agreeOnText(t *testing.T, data, idf string) {
	model := trained(t, data, "--text", "message", "--hash", "12", "--holdout", "0.3", idf)
	if e := evaluated(t, model, data); e.Accuracy < 0.97 || e.Part != "heldOut" {
		t.Errorf("accuracy %v of the rows %s", e.Accuracy, e.Part)
	}
	predicted := runs(t, "predict", "-m", model, data)
	byName, inOrder, _ := rowsOf(t, data, "kind")
	_, url, _ := served(t, model)
	for name, rows := range map[string][]any{"by name": byName[:200], "in order": inOrder[:200]} {
		var answer struct{ Predictions []struct{ Class string } }
		if status, err := send(url+"/predict", map[string]any{"rows": rows}, &answer); status != 200 || err != nil {
			t.Fatal(status, err)
		}
		for i, p := range answer.Predictions {
			if want := strings.Split(predicted, "\n")[i]; p.Class != want {
				t.Errorf("%s: row %d is %s, want %s", name, i, p.Class, want)
			}
		}
	}
	if f := mustRead(t, trained(t, data, "--text", "message", "--hash", "12", "--columns", "message")); f.Scaling.Scale != nil {
		t.Error("text alone is scaled")
	}
	planes := filepath.Join(t.TempDir(), "planes.json")
	runs(t, "export", "-m", model, "-o", planes)
	// The mark of Excel's UTF-8, quotes, lines in a cell, and letters of many kinds.
	odd := create(t, "odd.csv", "\ufeffn,message,channel\r\n-1e-3,\"PRIZE\n\n\"\"été\"\" İ ẞ ΟΔΟΣ ǅ\",web\r\n2,,app\r\n"+
		"0,prize never seen words,app\r\n+.5,\" \u00a0\u2028;|\t🙂 ½ 10² e\u0301 x_y don't \", web \r\n1E0,\",,prize,,\r\nprize 好 很好\",app\r\n0,NA,app\r\n")
	for _, file := range []string{data, odd} {
		out, err := exec.Command("python3", "testdata/reader.py", planes, file).CombinedOutput()
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("this machine has no Python")
		}
		if want := runs(t, "predict", "-m", model, file); err != nil || string(out) != want {
			t.Errorf("%s: the reader differs: %v, %.200s, want %.200s", file, err, out, want)
		}
	}
}

// TestIDF: the weights are those of the rows to train on, in every pass and every command, and --holdout
// chooses them by these rows alone.
func TestIDF(t *testing.T) {
	r, text := rand.New(rand.NewPCG(4, 4)), "message,kind\n"
	for i := range 300 { // a rare word decides among frequent ones
		text += fmt.Sprintf("the of and a%d a%d the of b%d%d,%s\n", r.IntN(9), r.IntN(9), i%2, i/2%20, []string{"no", "yes"}[i%2])
	}
	data := create(t, "idf.csv", text)
	f := mustRead(t, trained(t, data, "--text", "message", "--ngrams", "1", "--idf", "--holdout", "0.5"))
	h := f.Schema.Columns[0].Text
	// The rows to train on, and how many of them have each feature, by another way.
	with, rows := map[int]int{}, 0
	d := dataset.Dataset{File: &modelfile.File{Details: f.Details}}
	d.Schema.Columns = slices.Clone(f.Schema.Columns)
	plain := *h
	plain.IDF = nil
	d.Schema.Columns[0].Text = &plain
	var err error
	if d.Src, err = table.Open(data, table.Options{}, true); err != nil {
		t.Fatal(err)
	}
	defer d.Src.Close()
	if err := d.Scan("", func(r *table.Row, _ int, part split.Part) error {
		if part == split.Training {
			rows++
			for k := range r.X.Value {
				if r.X.Value[k] != 0 {
					with[r.X.Feature(k)]++
				}
			}
		}
		return nil
	}); err != nil || rows != 150 {
		t.Fatal(rows, err)
	}
	for j := range len(h.Seen) + 1 {
		if want := 1 + math.Log(151/float64(1+with[j])); math.Abs(h.IDF[j]-want) > 1e-4 {
			t.Errorf("feature %d: weight %v, want %v", j, h.IDF[j], want)
		}
	}
	e := f.Schema.Encoder(false)
	var x table.Vector
	if _, err := e.Encode(&x, []any{"the the unseen"}); err != nil || len(x.Value) != 1 || math.Abs(x.Value[0]-2*h.IDF[x.Feature(0)]/math.Hypot(2*h.IDF[x.Feature(0)], h.IDF[len(h.Seen)])) > 1e-12 {
		t.Errorf("%v, %v", x, err)
	}
	for flag, want := range map[string]string{"": "text \"message\", rare words have more weight", "--no-idf": "text \"message\" classes"} {
		out := runs(t, append([]string{"train", data, "--text", "message", "--ngrams", "1", "--holdout", "0.3"}, strings.Fields(flag)...)...)
		if !strings.Contains(strings.Join(strings.Fields(out), " ")+"\n", want) || strings.Contains(out, "for the words of text") != (flag == "") {
			t.Errorf("%q: no %q in\n%s", flag, want, out)
		}
	}
	// A training that is continued, and its rows in a file, have the same weights.
	model := trained(t, data, "--text", "message", "--idf", "--epochs", "4", "--order", "cyclic")
	for _, memory := range []string{"1024", "0"} {
		half := trained(t, data, "--text", "message", "--idf", "--epochs", "2", "--order", "cyclic", "--memory", memory)
		runs(t, "train", data, "-m", half, "-o", half, "--epochs", "2", "--memory", memory)
		a, err := mustRead(t, model).Predictor()
		b, also := mustRead(t, half).Predictor()
		if err != nil || also != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("--memory %s: a training that is continued differs: %v, %v", memory, err, also)
		}
	}
}

// TestTextUpdates: a server learns a text as training does.
func TestTextUpdates(t *testing.T) {
	data := messages(t, 100)
	model := trained(t, data, "--text", "message", "--epochs", "2")
	f := mustRead(t, model)
	cmd, url, _ := served(t, model)
	for range 3 {
		row := []any{0.5, "web", "a new prize, and Été"}
		update(t, f, row, "ham")
		if status, err := send(url+"/update", map[string]any{"row": row, "class": "ham"}, new(any)); status != 200 || err != nil {
			t.Fatal(status, err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !equal(t, f, model) {
		t.Error("the server has learned something else", err)
	}
}

// TestHash: the features of a text, computed by another way.
func TestHash(t *testing.T) {
	schema := &table.Schema{Sparse: true, Columns: []table.Column{{Name: "n"}, {Name: "s", Text: &table.Hash{Ngrams: []int{1, 3}, Bits: 10}}, {Name: "m"}}}
	for text, words := range map[string][]string{
		"":                          nil,
		" ?! ":                      nil,
		"One":                       {"one"},
		"a-b_c d'É":                 {"a", "b_c", "d", "é"},
		"x x x x":                   {"x", "x", "x", "x"},
		"ΣΑΣ İI 12½ ٣":              {"σασ", "ii", "12½", "٣"},
		"naïve\u00a0co\u0301te 日本語": {"naïve", "co", "te", "日本語"},
	} {
		counts := map[uint32]float64{}
		for i := range words {
			counts[crc32.ChecksumIEEE([]byte(words[i]))%1024]++
			if i+3 <= len(words) {
				counts[crc32.ChecksumIEEE([]byte(strings.Join(words[i:i+3], " ")))%1024]++
			}
		}
		length := 0.0
		for _, n := range counts {
			length += n * n
		}
		want := make([]float64, 1026)
		want[0], want[1025] = 7, 8
		for j, n := range counts {
			want[1+j] = n / math.Sqrt(length)
		}
		var x table.Vector
		if _, err := schema.Encoder(false).Encode(&x, []any{7.0, text, 8.0}); err != nil || !slices.Equal(x.Full(1026), want) || !slices.IsSorted(x.Index) {
			t.Errorf("%q: %v, %v", text, x, err)
		}
		schema.Sparse = false
		if _, err := schema.Encoder(false).Encode(&x, []any{7.0, text, 8.0}); err != nil || !slices.Equal(x.Value, want) {
			t.Errorf("%q, dense: %v, %v", text, x, err)
		}
		schema.Sparse, x.Value = true, nil
	}
}

// TestScripts: marks belong to the word before them, texts are normalized, and characters of scripts without spaces are
// words. Models of older versions keep their words.
func TestScripts(t *testing.T) {
	for text, words := range map[string][2]string{ // of this version, and of older ones
		"दिन दान":               {"दिन|दान", "द|न|द|न"},
		"co\u0301te":            {"cóte", "co|te"},
		"x\u0323\u0307":         {"\u1e8b\u0323", "x"},
		"\u0301a ❤\ufe0fb":      {"a|b", "a|b"},
		"好iPhone很 人々":           {"好|iphone|很|人|々", "好iphone很|人々"},
		"กินข้าว":               {"กิ|น|ข้|า|ว", "ก|นข|าว"},
		"プライズ":                  {"プ|ラ|イ|ズ", "プライズ"},
		"한국어 a_1²":              {"한국어|a_1²", "한국어|a_1²"},
		"עִבְרִית العَرَبِيَّة": {"עִבְרִית|العَرَبِيَّة", "ע|ב|ר|ית|الع|ر|ب|ي|ة"},
		"x1 \u200dy İI ΣΑΣ ẞ_":  {"x1|y|ii|σασ|ß_", "x1|y|ii|σασ|ß_"},
	} {
		for k, want := range words {
			var grams, seen []string
			h := table.Hash{Ngrams: []int{1}, Bits: 24, Marks: k == 0}
			schema := &table.Schema{Sparse: true, Columns: []table.Column{{Name: "s", Text: &h}}}
			var x table.Vector
			if _, err := schema.Encoder(false).Encode(&x, []any{text}); err != nil {
				t.Fatal(err)
			}
			for _, j := range x.Index {
				grams = append(grams, fmt.Sprint(j))
			}
			for word := range strings.SplitSeq(want, "|") {
				seen = append(seen, fmt.Sprint(crc32.ChecksumIEEE([]byte(word))&(1<<24-1)))
			}
			slices.Sort(grams)
			slices.Sort(seen)
			if seen = slices.Compact(seen); !slices.Equal(grams, seen) {
				t.Errorf("%q, %v: %q, want %q", text, h.Marks, grams, seen)
			}
			phrases := map[int][]string{}
			h.Phrases(phrases, text)
			if len(phrases) != len(seen) {
				t.Errorf("%q: phrases %v", text, phrases)
			}
		}
	}
	for _, words := range [][2][]string{ // one word decides, alone or within a text without spaces
		{{"दिन", "तीर", "मेला"}, {"दान", "तारा", "मोल"}}, {{"จึงไปดี", "จึงรักดี"}, {"จึงเกลียด", "จึงร้าย"}}, {{"我很高兴", "我喜欢它"}, {"我很难过", "我讨厌它"}},
	} {
		r := rand.New(rand.NewPCG(4, 4))
		file := func(form string) string {
			text := "text,c\n"
			for i := range 300 {
				word := words[i%2][r.IntN(len(words[i%2]))]
				for range 8 {
					word = string(rune(0x4e00+r.IntN(60))) + word
				}
				text += word + " caf" + form + "," + []string{"no", "yes"}[i%2] + "\n"
			}
			return create(t, "t.csv", text)
		}
		model := trained(t, file("é"), "--text", "text")
		if e := evaluated(t, model, file("e\u0301")); e.Accuracy != 1 {
			t.Errorf("%q: accuracy %v on new rows", words, e.Accuracy)
		}
	}
}

// TestTextDefaults: text is learned by the margin rule in ten epochs, unless the flags say
// otherwise.
func TestTextDefaults(t *testing.T) {
	two := messages(t, 100)
	three := create(t, "three.csv", strings.Replace(read(t, two), ",ham\n", ",eggs\n", 5))
	for _, c := range []struct {
		data, flags, model string
		epochs             int
	}{
		{two, "", "margin, order Shuffled, keep Average", 10},
		{three, "", "multiclass of margin, order Shuffled, keep Average", 10},
		{two, "--rule online --epochs 7", "online, order Shuffled, keep Average", 7},
		{two, "--rule margin --theta 9", "multiclass of margin, order Shuffled, keep Average", 10},
		{two, "--algorithm online --epochs 20", "online, order Shuffled, keep Average", 20},
		{three, "--algorithm onevsrest", "onevsrest of margin, order Shuffled, keep Average", 10},
		{two, "--gamma 0.3", "margin, order Shuffled, keep Average", 10},
	} {
		f := mustRead(t, trained(t, append([]string{c.data, "--text", "message", "--hash", "12"}, strings.Fields(c.flags)...)...))
		if s := modelfile.SettingsOf(f.Model); s.Name != c.model || *s.Epochs != c.epochs {
			t.Errorf("%q: %s, %d epochs, want %s, %d", c.flags, s.Name, *s.Epochs, c.model, c.epochs)
		}
	}
	if got := fails(t, "train", two, "--text", "message", "--rule", "online", "--theta", "1"); got != "2 --theta cannot be used with the rule online" {
		t.Error(got)
	}
}

// TestMessages: with --comma none, each line is a message as it is, whatever it looks like, and gives a line at once.
func TestMessages(t *testing.T) {
	model := trained(t, "pipeline/testdata/messages.csv", "--text", "message")
	p := load(t, model)
	messages := []string{`claim your prize, now`, `say "hi", "you`, `"quoted" text`, "", "a\tb;c|d", "sep=;", "1 1:2 3:4", "<html> win", `{"a": 1}`, "@relation free", `""`, "   ", "NA", "see you \u00e9", `"`, ""}
	var want []string
	for _, message := range messages {
		class, err := p.Predict(map[string]string{"message": message})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, class)
	}
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.Join(messages, end) + end
		if got := runs(t, "predict", "-m", model, "--comma", "none", "--header", "no", create(t, "m.txt", text)); got != strings.Join(want, "\n")+"\n" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := runs(t, "predict", "-m", model, "--comma", "none", "--id", "message", create(t, "m.txt", "message\na, \"b\"\n")); got != "\"a, \"\"b\"\"\",spam\n" {
		t.Errorf("with a name: %q", got)
	}
	file := create(t, "m.txt", "a, b\nc\n")
	for _, args := range []string{"train", "separate", "train -m " + model, "evaluate -m " + model, "predict -m " + trained(t, iris)} {
		if got := fails(t, append(strings.Fields(args), "--comma", "none", file)...); !strings.HasPrefix(got, "1 "+file) || !strings.Contains(got, "with --comma none each line is one field, which leaves none for a label or a second feature") {
			t.Errorf("%s: %s", args, got)
		}
	}
	for _, text := range []string{"hello\na, b\n", "a\nb \"c\" d\n"} { // without the flag, the message names it
		if got := fails(t, "predict", "-m", model, create(t, "m.csv", text)); !strings.Contains(got, "--comma none") {
			t.Error(got)
		}
	}
}

// TestInspectWords: without texts, a note says what names such as message#17 are; with them, words are named.
func TestInspectWords(t *testing.T) {
	const data = "pipeline/testdata/messages.csv"
	model := trained(t, data, "--text", "message")
	if got := runs(t, "inspect", "-m", model); !strings.Contains(got, "a name such as text#17 is a hash: --words DATA names the words") || !strings.Contains(got, "message#44239") {
		t.Error(got)
	}
	got := runs(t, "inspect", "-m", model, "--words", data)
	if !regexp.MustCompile(`\n  message: now +3\.\d+\n`).MatchString(got) || strings.Contains(got, "#") {
		t.Error(got)
	}
	one := runs(t, "inspect", "-m", model, "--json", "--words", create(t, "w.csv", "message\nNow NOW free\n"))
	if !strings.Contains(one, `"message: now":3.`) || !strings.Contains(one, `"message: free":`) || !strings.Contains(one, `"message#93670":`) {
		t.Errorf("%.300s", one)
	}
	if got := runs(t, "inspect", "-m", trained(t, iris)); strings.Contains(got, "is a hash") {
		t.Error(got)
	}
}

// TestOldModels: a model of an older version keeps its bytes, and the bits of its scores, on texts in every script.
func TestOldModels(t *testing.T) {
	for _, name := range []string{"churn", "messages"} {
		file := "testdata/old/" + name
		if text, err := mustRead(t, file+".perceptron").Encode(); err != nil || string(text) != read(t, file+".perceptron") {
			t.Errorf("%s: other bytes, %v", name, err)
		}
		if got := runs(t, "predict", "-m", file+".perceptron", file+".csv", "--scores"); got != read(t, file+".scores") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
