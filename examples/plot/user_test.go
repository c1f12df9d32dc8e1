package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"perceptron"
)

const flowers = "../iris/iris.csv"

// create writes a file.
func create(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// compressed returns the text as gzip writes it.
func compressed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOwnData: a file of the user is drawn in two columns or in principal directions.
func TestOwnData(t *testing.T) {
	for _, c := range []struct {
		args  []string
		files int
		note  string
	}{
		{[]string{flowers}, 2, "iris has 4 features: the pictures show the first two principal directions of the standardised features, 96 % of their variance; -x and -y choose two columns instead\n"},
		{[]string{"-x", "petal length", "-y", "petal width", flowers}, 2, ""},
		{[]string{"-x", "b", "-y", "a", create(t, "dates.csv", "day,a,b,kind\n2024-01-02,0,0,no\n?,3,1,yes\n,1,0,no\n")}, 4, ""},
		{[]string{create(t, "two.csv.gz", compressed(t, "a,b,kind\n0,0,no\n3,1,yes\n"))}, 4, "/two-margins.png"},
		{[]string{create(t, "two.csv", "a,b,kind\n0,0,no\n3,1,yes\n1,0,no\n")}, 4, ""},
		{[]string{"-label", "kind", create(t, "semi.csv", "\ufeffkind;a;b\r\n\"n;o\";0;0\r\nyes;3;1\r\n")}, 4, ""},
		{[]string{create(t, "xor.csv", "0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n")}, 2, "xor-margins: not drawn: no line separates the two classes by a margin of more than 0; the classes overlap in this plane\n"},
	} {
		data, out := files(t, defaults(t, c.args...))
		if len(data) != c.files || !strings.Contains(out, c.note) {
			t.Errorf("%q: %d files, want %d; printed\n%s", c.args, len(data), c.files, out)
		}
	}
}

// TestOwnErrors: an error names the file and what to do.
func TestOwnErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,c\n1,x,y\n":        `:2: b is "x", want a number of at most 1e100; -label names the label's column`,
		"a,b,c\n1,,y\n":         `:2: b is "", want a number`,
		"a,b,c\n1,2,y\n1,2,y\n": ": the number of classes is 1, want 2 to 7; -label names the label's column",
		"a,c\n1,y\n2,x\n":       ": 2 rows of 1 features, want at least 2 of each",
		"":                      ": no rows: EOF",
		"a,b,c\n1,2\n":          ": record on line 2: wrong number of fields",
	} {
		file := create(t, "bad.csv", text)
		if err := run(io.Discard, defaults(t, file)); err == nil || !strings.HasPrefix(err.Error(), file+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for args, want := range map[string]string{
		"-x a -y petal " + flowers: flowers + `: -x: no column "a"; the features are ["sepal length"`,
		"-label a " + flowers:      flowers + `: -label: no column "a"; the columns are ["sepal length"`,
		"none.csv":                 "open none.csv: no such file or directory",
		"-model none " + flowers:   "open none: no such file or directory",
	} {
		if err := run(io.Discard, defaults(t, strings.Fields(args)...)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// TestCut: in the plane, a hyperplane gives the score that it gives in full space to the
// row at that position.
func TestCut(t *testing.T) {
	s, err := readSheet(flowers, "")
	if err != nil {
		t.Fatal(err)
	}
	h := perceptron.Hyperplane{Weights: []float64{1, -2, 3, 0.5}, Bias: 0.25}
	for _, columns := range [][2]string{{}, {"petal length", "sepal width"}} {
		p, err := newPlane(s, columns[0], columns[1])
		if err != nil {
			t.Fatal(err)
		}
		classes := []string{"setosa", "versicolor", "virginica"}
		in := p.set(s, classes, []int{0, 1, 2})
		for i, x := range in.X {
			row := append([]float64(nil), p.origin...)
			for j := range row {
				row[j] += x[0]*p.from[0][j] + x[1]*p.from[1][j]
			}
			got, err := p.cut(h).Score(x)
			want, err2 := h.Score(row)
			if err != nil || err2 != nil || math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v, row %d: score %v in the plane, %v of its row", columns, i, got, want)
			}
			if columns[0] != "" && math.Abs(in.at(x)[0]-s.X[i][2]) > 1e-9 {
				t.Fatalf("row %d is drawn at %v, want petal length %v", i, in.at(x), s.X[i])
			}
		}
	}
}

// TestPrincipal: the coordinates are uncorrelated, and the first varies more.
func TestPrincipal(t *testing.T) {
	s, err := readSheet(flowers, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlane(s, "", "")
	if err != nil {
		t.Fatal(err)
	}
	var xx, yy, xy float64
	for _, x := range p.set(s, []string{"setosa", "versicolor", "virginica"}, []int{0, 1, 2}).X {
		xx, yy, xy = xx+x[0]*x[0]/150, yy+x[1]*x[1]/150, xy+x[0]*x[1]/150
	}
	if math.Abs(xy) > 1e-9 || math.Abs(xx-2.918) > 0.01 || math.Abs(yy-0.914) > 0.01 { // of the correlation matrix
		t.Errorf("variances %v and %v, covariance %v", xx, yy, xy)
	}
}

// TestOwnModel: the picture of a model counts the rows that the model predicts rightly,
// from its file alone or with what is saved beside it.
func TestOwnModel(t *testing.T) {
	s, err := readSheet(flowers, "")
	if err != nil {
		t.Fatal(err)
	}
	y := make([]int, len(s.X))
	z := make([][]float64, len(s.X))
	mean, scale := []float64{5, 3, 4, 1}, []float64{1, 0.5, 2, 1}
	for i, x := range s.X {
		y[i] = map[string]int{"setosa": 0, "versicolor": 1, "virginica": 2}[s.class[i]]
		for j := range x {
			z[i] = append(z[i], (x[j]-mean[j])/scale[j])
		}
	}
	binary := &perceptron.Online{Keep: perceptron.Average, MaxEpochs: 50}
	for name, m := range map[string]interface {
		perceptron.Model
		Fit(X [][]float64, y []int) (perceptron.Result, error)
	}{"OneVsRest": &perceptron.OneVsRest{Binary: binary}, "Multiclass": &perceptron.Multiclass{Binary: binary}} {
		if _, err := m.Fit(z, y); err != nil {
			t.Fatal(err)
		}
		right, err := perceptron.Accuracy(m, z, y)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "m.bin")
		if err := perceptron.Save(file, m); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(bundle{Classes: []string{"setosa", "versicolor", "virginica"}, Labels: []int{0, 1, 2}, Names: s.features, Mean: mean, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file+".json", text, 0o600); err != nil {
			t.Fatal(err)
		}
		data, out := files(t, defaults(t, "-model", file, flowers))
		if want := fmt.Sprintf("What the %s predicts: iris, %.0f of 150 rows right\n", name, 150*right); len(data) != 2 || !strings.HasSuffix(out, want) {
			t.Errorf("%d files, printed\n%swant\n%s", len(data), out, want)
		}
		// The model's features may be in another order, beside columns that it does not use.
		shuffled := "day,petal width,species,petal length,sepal width,sepal length\n"
		for i, x := range s.X {
			shuffled += fmt.Sprintf("2024-01-02,%v,%s,%v,%v,%v\n", x[3], s.class[i], x[2], x[1], x[0])
		}
		_, out = files(t, defaults(t, "-model", file, "-label", "species", create(t, "shuffled.csv", shuffled)))
		if want := fmt.Sprintf("shuffled, %.0f of 150 rows right\n", 150*right); !strings.HasSuffix(out, want) {
			t.Errorf("printed\n%swant\n%s", out, want)
		}
	}
	two := create(t, "two.csv", "0,0,-1\n3,1,1\n1,0,-1\n4,0,1\n")
	b := new(perceptron.Margin)
	if _, err := b.Fit([][]float64{{0, 0}, {3, 1}, {1, 0}, {4, 0}}, []int{-1, 1, -1, 1}); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := perceptron.Save(plain, b); err != nil {
		t.Fatal(err)
	}
	gamma, err := perceptron.Gamma(b.Hyperplane(), [][]float64{{0, 0}, {3, 1}, {1, 0}, {4, 0}}, []int{-1, 1, -1, 1}, perceptron.Affine)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := files(t, defaults(t, "-model", plain, two))
	if want := fmt.Sprintf("|score| = γ‖(w, b)‖, γ = %.4g", gamma); !bytes.Contains(data["two-model.svg"], []byte(want)) {
		t.Errorf("no %q in the picture", want)
	}
	if err := os.WriteFile(plain+".json", []byte(`{"classes": ["-1", "1"], "labels": [-1, 1], "threshold": 0.125}`), 0o600); err != nil {
		t.Fatal(err)
	}
	data, _ = files(t, defaults(t, "-model", plain, two))
	if !bytes.Contains(data["two-model.svg"], []byte("score 0.125")) || !bytes.Contains(data["two-model.svg"], []byte("|score − 0.125| = γ‖(w, b)‖")) {
		t.Error("the picture does not state the threshold")
	}
	if err := os.Remove(plain + ".json"); err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]string{
		create(t, "names.csv", "0,0,no\n3,1,yes\n"): `row 1 has class "no", but the model has ["-1" "1"]`,
		flowers: "the model has 2 features, but " + flowers + " has 4",
	} {
		if err := run(io.Discard, defaults(t, "-model", plain, data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", data, err, want)
		}
	}
}

// TestEqualScales: in the pictures of margins, one unit is equally long on both axes.
func TestEqualScales(t *testing.T) {
	f, err := drawMargins(clouds(100, 0.4, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := draw.New(vgimg.NewWith(vgimg.UseWH(width, f.height), vgimg.UseDPI(dpi)))
	f.draw(c)
	c = draw.Crop(c, edge, -edge, edge, -edge)
	tiles := draw.Tiles{Cols: 3, Rows: 1, PadX: 12, PadY: 10}
	for i, p := range f.panels {
		size := p.DataCanvas(tiles.At(draw.Crop(c, 0, 0, f.drawKey(c)+6, -22), i, 0)).Size()
		x, y := float64(size.X)/(p.X.Max-p.X.Min), float64(size.Y)/(p.Y.Max-p.Y.Min)
		if math.Abs(x/y-1) > 0.01 {
			t.Errorf("panel %d: a unit takes %v and %v points", i, x, y)
		}
	}
}
