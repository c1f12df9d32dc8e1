package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// cloud is a CSV file of n rows of classes a and b that no hyperplane separates.
func cloud(t *testing.T, n int) string {
	r := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	text.WriteString("x,y,z,kind\n")
	for range n {
		x, y, z := 5+r.NormFloat64(), 100*r.NormFloat64(), r.NormFloat64()/10
		kind := "a"
		if x-5+y/100+10*z+r.NormFloat64()/2 > 0 {
			kind = "b"
		}
		fmt.Fprintf(&text, "%v,%v,%v,%s\n", x, y, z, kind)
	}
	return create(t, "cloud.csv", text.String())
}

// state is a saved model's state, whatever its MaxEpochs.
func state(t *testing.T, file string) string {
	t.Helper()
	m, _, err := restore(file)
	if err != nil {
		t.Fatal(err)
	}
	*settingsOf(m).epochs = 1
	sum, err := digest(m)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// each is a training of each kind, from memory and from the file.
var each = map[string][]string{
	"online":          {"-model", "online"},
	"online average":  {"-model", "online", "-keep", "average", "-order", "sampled"},
	"margin pocket":   {"-model", "margin", "-keep", "pocket"},
	"gamma":           {"-model", "margin", "-gamma", "0.1"},
	"batch":           {"-model", "batch", "-rate", "0.25"},
	"onevsrest":       {"-model", "onevsrest", "-keep", "average"},
	"onevsrest batch": {"-model", "onevsrest", "-binary", "batch"},
	"stream online":   {"-model", "online", "-memory", "0", "-keep", "pocket"},
	"stream margin":   {"-model", "margin", "-memory", "0", "-keep", "average"},
	"stream rest":     {"-model", "onevsrest", "-memory", "0", "-threshold", "2"},
}

// TestResume: 3 epochs, saved and gone on with for 4, are 7.
func TestResume(t *testing.T) {
	file := cloud(t, 200)
	for name, args := range each {
		t.Run(name, func(t *testing.T) {
			whole, broken := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "broken")
			args = append([]string{"-data", file, "-standardise", "-holdout", "0.25", "-seed", "3"}, args...)
			runs(t, append(args, "-epochs", "7", "-save", whole)...)
			runs(t, append(args, "-epochs", "3", "-save", broken)...)
			if state(t, whole) == state(t, broken) {
				t.Fatal("3 epochs are 7")
			}
			memory := "1"
			if strings.HasPrefix(name, "stream") {
				memory = "0"
			}
			out := runs(t, "-data", file, "-load", broken, "-save", broken, "-epochs", "4", "-memory", memory)
			if state(t, whole) != state(t, broken) {
				t.Error("3 epochs and 4 more are not 7")
			}
			if !strings.Contains(out, "4, numbers 4 to 7 of the model's\n") {
				t.Errorf("printed\n%s", out)
			}
		})
	}
}

// TestStream: rows from the file make the model that rows in memory make, to the
// bit.
func TestStream(t *testing.T) {
	file := cloud(t, 300)
	for _, args := range [][]string{{"-model", "online"}, {"-keep", "average"}, {"-gamma", "0.01"}} {
		memory, stream := filepath.Join(t.TempDir(), "memory"), filepath.Join(t.TempDir(), "stream")
		args = append([]string{"-data", file, "-order", "cyclic", "-standardise", "-holdout", "0.3", "-epochs", "5"}, args...)
		out := runs(t, append(args, "-save", memory)...)
		streamed := runs(t, append(args, "-memory", "0", "-save", stream)...)
		if read(t, memory) != read(t, stream) || read(t, beside(memory)) != read(t, beside(stream)) {
			t.Errorf("%q: another model from the file", args)
		}
		_, want, _ := strings.Cut(out, "rows held out:")
		if _, got, _ := strings.Cut(streamed, "rows held out:"); got != want || want == "" {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

// TestStreamConverges: a pass that learns nothing ends the training.
func TestStreamConverges(t *testing.T) {
	args := []string{"-data", "../separable/pets.csv", "-model", "online", "-order", "cyclic", "-standardise", "-epochs", "1000"}
	line := func(out, name string) string {
		_, rest, _ := strings.Cut(out, name)
		text, _, _ := strings.Cut(rest, "\n")
		return text
	}
	memory, stream := runs(t, args...), runs(t, append(args, "-memory", "0")...)
	for _, name := range []string{"epochs", "stop", "mistakes"} {
		if got, want := line(stream, name), line(memory, name); got != want || want == "" {
			t.Errorf("%s %s, want %s", name, got, want)
		}
	}
	if !strings.Contains(stream, "Converged") {
		t.Errorf("printed\n%s", stream)
	}
}

// TestNoLeak: what is held out changes nothing of the model but its accuracy.
func TestNoLeak(t *testing.T) {
	file := cloud(t, 100)
	lines := strings.Split(strings.TrimSpace(read(t, file)), "\n")
	tab, _ := prepared(t, "-data", file, "-holdout", "0.3", "-seed", "5")
	var held []bool
	for r, err := range tab.scan() {
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, r.part == heldOut)
	}
	with := func(name string, change func(i int, line string) string) string {
		text := lines[0] + "\n"
		for i, line := range lines[1:] {
			text += change(i, line) + "\n"
		}
		var models string
		for _, more := range [][]string{{"-keep", "average"}, {"-order", "cyclic", "-memory", "0"}} {
			model := filepath.Join(t.TempDir(), "m")
			args := []string{"-data", create(t, name, text), "-holdout", "0.3", "-seed", "5", "-standardise", "-epochs", "3", "-save", model}
			runs(t, append(args, more...)...)
			models += read(t, model) + read(t, beside(model))
		}
		return models
	}
	far := func(line string) string { return "1e6,-1e6,1e6" + line[strings.LastIndex(line, ","):] }
	want := with("same.csv", func(_ int, line string) string { return line })
	if got := with("held.csv", func(i int, line string) string {
		if held[i] {
			return far(line)
		}
		return line
	}); got != want {
		t.Error("rows held out change the model")
	}
	if got := with("trained.csv", func(i int, line string) string {
		if i == slices.Index(held, false) {
			return far(line)
		}
		return line
	}); got == want {
		t.Error("a row to train on changes nothing")
	}
}

// TestSplit: a row's part follows from the seed, the share and its place alone.
func TestSplit(t *testing.T) {
	file := cloud(t, 4000)
	split := func(seed, share string) string {
		tab, _ := prepared(t, "-data", file, "-seed", seed, "-holdout", share)
		var parts strings.Builder
		for r, err := range tab.scan() {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(&parts, int(r.part))
		}
		return parts.String()
	}
	a := split("1", "0.25")
	if a != split("1", "0.25") || a == split("2", "0.25") {
		t.Error("the split does not follow the seed")
	}
	if n := strings.Count(a, "1"); math.Abs(float64(n)-1000) > 5*math.Sqrt(4000*0.25*0.75) {
		t.Errorf("%d of 4000 rows held out, want about 1000", n)
	}
	more := split("1", "0.5")
	for i := range a {
		if a[i] == '1' && more[i] != '1' {
			t.Fatalf("row %d is held out of a quarter, but not of a half", i)
		}
	}
	if strings.Contains(split("1", "0"), "1") {
		t.Error("rows are held out of none")
	}
}

// TestStandardise holds means and deviations against their definitions.
func TestStandardise(t *testing.T) {
	text := read(t, cloud(t, 500))
	file := create(t, "constant.csv", strings.ReplaceAll(strings.ReplaceAll(text, "x,", "k,x,"), "\n", "\n3,"))
	if i := strings.LastIndex(read(t, file), "\n3,"); i > 0 {
		file = create(t, "constant.csv", read(t, file)[:i+1])
	}
	plain, _ := prepared(t, "-data", file, "-holdout", "0.5")
	scaled, _ := prepared(t, "-data", file, "-holdout", "0.5", "-standardise")
	X := plain.X[training]
	n := float64(len(X))
	for j := range plain.Features {
		var mean, s float64
		for _, x := range X {
			mean += x[j] / n
		}
		for _, x := range X {
			s += (x[j] - mean) * (x[j] - mean) / n
		}
		sigma := math.Sqrt(s)
		if j == 0 {
			mean, sigma = 3, 1
		}
		if math.Abs(scaled.Mean[j]-mean) > 1e-12*(math.Abs(mean)+sigma) || math.Abs(scaled.Scale[j]-sigma) > 1e-12*sigma {
			t.Errorf("feature %d: mean %v, deviation %v; want %v, %v", j, scaled.Mean[j], scaled.Scale[j], mean, sigma)
		}
		for p := range parts {
			for i, x := range plain.X[p] {
				if got, want := scaled.X[p][i][j], (x[j]-scaled.Mean[j])/scaled.Scale[j]; got != want {
					t.Fatalf("part %d, row %d, feature %d: %v, want %v", p, i, j, got, want)
				}
			}
		}
	}
}

// TestPredict: a saved model labels new rows, with or without labels of their own,
// as the library's Load and the saved scales do.
func TestPredict(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-standardise", "-holdout", "0.2", "-save", model)
	m, err := perceptron.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	_, c, err := restore(model)
	if err != nil {
		t.Fatal(err)
	}
	tab, _ := prepared(t, "-data", iris, "-model", "onevsrest")
	folded := make([]perceptron.Hyperplane, 3) // as the README has it
	for k, h := range m.(*perceptron.OneVsRest).Hyperplanes() {
		for j, w := range h.Weights {
			folded[k].Weights = append(folded[k].Weights, w/c.Scale[j])
			h.Bias -= w * c.Mean[j] / c.Scale[j]
		}
		folded[k].Bias = h.Bias
	}
	var want strings.Builder
	right := 0
	for i, x := range tab.X[training] {
		z := make([]float64, len(x))
		for j := range x {
			z[j] = (x[j] - c.Mean[j]) / c.Scale[j]
		}
		label, err := m.Predict(z)
		if err != nil {
			t.Fatal(err)
		}
		if label == tab.y[training][i] {
			right++
		}
		for k, h := range folded {
			s, err := h.Score(x)
			if best, err2 := folded[label].Score(x); err != nil || err2 != nil || s > best {
				t.Errorf("row %d is of class %d, but the plane of %d on raw rows scores more", i, label, k)
			}
		}
		fmt.Fprintln(&want, []string{"setosa", "versicolor", "virginica"}[label])
	}
	var unlabelled strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(read(t, iris)), "\n") {
		fmt.Fprintln(&unlabelled, line[:strings.LastIndex(line, ",")])
	}
	told := fmt.Sprintf("accuracy %.4f on 150 rows with a label\n", float64(right)/150)
	for file, first := range map[string]string{
		iris:                                  told,
		create(t, "rows.data", read(t, iris)): told, // in the format that the model came from
		create(t, "unlabelled.csv", unlabelled.String()):                                    "",
		create(t, "other.csv", strings.ReplaceAll(read(t, iris), "setosa", "unknown kind")): "accuracy ",
	} {
		var stdout, stderr strings.Builder
		if err := run([]string{"-load", model, "-predict", "-data", file}, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		if stdout.String() != want.String() {
			t.Errorf("%s: another prediction than the model's", file)
		}
		if !strings.HasPrefix(stderr.String(), first) || first == "" && stderr.Len() > 0 {
			t.Errorf("%s: told %q, want %q", file, stderr.String(), first)
		}
	}
	bad := create(t, "bad.csv", "1,2,3,4\n1,2,x,4\n")
	if got, want := fails(t, "-load", model, "-predict", "-data", bad), bad+`:2:5: "x", want a finite number`; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	other := create(t, "new.csv", strings.Replace(read(t, iris), "setosa", "tulip", 1))
	if got, want := fails(t, "-load", model, "-data", other), other+`:2:17: class "tulip" is none of the model's ["setosa" "versicolor" "virginica"]`; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestFits: rows of just so many bytes are held.
func TestFits(t *testing.T) {
	file := create(t, "mib.svm", strings.Repeat("0 4:1\n1 1:1\n", 1<<13)) // 4·8 bytes a row, and 32
	for file, want := range map[string]bool{file: true, create(t, "more.svm", read(t, file)+"1 1:1\n"): false} {
		tab, _ := prepared(t, "-data", file, "-memory", "1", "-holdout", "0.5")
		if held := tab.X[training] != nil; held != want {
			t.Errorf("%v bytes are held: %v, want %v", tab.bytes(), held, want)
		}
	}
}

// TestManyClasses: a matrix too wide to be read is not printed.
func TestManyClasses(t *testing.T) {
	for n, want := range map[int]bool{40: true, 41: false} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%d,%d\n", i, i)
		}
		out := runs(t, "-data", create(t, "many.csv", text.String()), "-model", "onevsrest", "-epochs", "2")
		if got := strings.Contains(out, "true class by line"); got != want {
			t.Errorf("%d classes: printed\n%s", n, out)
		}
	}
}

// FuzzRead: no file makes the program panic; an error begins with the file's name;
// and rows that are read once are read again the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b,c\n1,2,x\n3,4,y\n", "1,2,x\n\n3,\"4\",y\n", "\ufeffx,1\ny,2\n", "1 1:2 3:4 # c\n-1 2:1\n", "x\n", "1,\"\n", "1,2\n1\n"} {
		for _, label := range []string{"first", "last", "c"} {
			f.Add(text, label)
		}
	}
	f.Fuzz(func(t *testing.T, text, label string) {
		for _, name := range []string{"f.csv", "f.svm"} {
			file := create(t, name, text)
			tab := &table{file: file, reading: unseen, columns: columns{layout: layout{Label: label}, Holdout: 0.3}}
			tab.Format, _ = formatOf(name)
			err := error(nil)
			if tab.Format == "libsvm" {
				if err = tab.count(); tab.Features > 1000 {
					continue
				}
			}
			if err == nil {
				err = tab.survey(false)
			}
			if err == nil {
				err = tab.number(false)
				if err != nil {
					continue
				}
				err = tab.load()
			}
			if err != nil && (!strings.HasPrefix(err.Error(), file+":") || strings.Contains(err.Error(), "not those that were there")) {
				t.Errorf("%v, want the file's name first", err)
			}
		}
	})
}

// TestHostileColumns: a damaged file beside the model's is told, not used.
func TestHostileColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-standardise", "-save", model)
	good := read(t, beside(model))
	for _, c := range [][3]string{
		{`"model": "`, `"model": "0`, "it belongs to another model than that in "},
		{`"features": 4`, `"features": 5`, "5 features with 4 names, 4 means and 4 scales"},
		{`"features": 4`, `"features": -4`, "-4 features with "},
		{`"csv"`, `"xml"`, `format "xml", want csv or libsvm`},
		{`"seed"`, `"seeds"`, `json: unknown field "seeds"`},
		{`"holdout": 0`, `"holdout": 1`, "holdout 1, want at least 0 and less than 1"},
		{`"scale": [`, `"scale": [0,`, "4 features with 4 names, 4 means and 5 scales"},
		{`"scale": [` + "\n\t\t0", `"scale": [` + "\n\t\t-0", "scale -0."},
		{`"scale": [` + "\n\t\t0.8", `"scale": [` + "\n\t\t0e", "scale 0, want positive numbers"},
		{`"mean": [` + "\n\t\t5.", `"mean": [` + "\n\t\t1e999", "json: cannot unmarshal number 1e999"},
		{"\t\t2\n", "\t\t1\n", "labels [0 1 1] for 3 classes, want one for each, ascending"},
		{"\t\t2\n", "\t\t3\n", "labels [0 1 3], but the model has [0 1 2]"},
		{`"setosa",`, ``, "labels [0 1 2] for 2 classes, want one for each, ascending"},
		{"}", "", "unexpected EOF"},
	} {
		text := strings.Replace(good, c[0], c[1], 1)
		if text == good {
			t.Fatalf("no %q in\n%s", c[0], good)
		}
		if err := write(beside(model), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, want := fails(t, "-data", iris, "-load", model), beside(model)+": "+c[2]; !strings.HasPrefix(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	runs(t, "-data", iris, "-model", "onevsrest", "-save", model)
	m, c, err := restore(model)
	if err != nil {
		t.Fatal(err)
	}
	c.Features, c.Names = 5, nil
	if err := save(model, m, c); err != nil {
		t.Fatal(err)
	}
	if got, want := fails(t, "-data", iris, "-load", model), beside(model)+": perceptron: dimension mismatch: width 5, want 4"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
