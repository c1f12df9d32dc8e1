//go:build plot

package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"perceptron/cmd/perceptron/internal/chart"
)

const clouds = "testdata/clouds.csv"

// docs are the pictures of the documentation, with the arguments that draw them.
var docs = map[string][]string{
	"../../docs/updates.png": {"updates", clouds},
	"../../docs/margins.png": {"margins", clouds},
	"../../docs/regions.png": {"regions", iris, "-m", "MODEL"},
	"../../docs/waves.png":   {"regions", "testdata/rings.csv", "--waves", "300"},
}

// TestPlotDocs: the pictures in the documentation are those that the command draws. The
// rounding of other processors may shift the edge of a line a little.
func TestPlotDocs(t *testing.T) {
	model := trained(t, iris, "--columns", "petal length,petal width", "--epochs", "100")
	for file, args := range docs {
		args[len(args)-1] = strings.Replace(args[len(args)-1], "MODEL", model, 1)
		out := filepath.Join(t.TempDir(), "x.png")
		runs(t, append([]string{"plot", "-o", out}, args...)...)
		got, want := decode(t, out), decode(t, file)
		if got.Bounds() != want.Bounds() {
			t.Errorf("%s has the size %v, want %v: draw it again", file, want.Bounds(), got.Bounds())
			continue
		}
		differ := 0
		for y := range want.Bounds().Max.Y {
			for x := range want.Bounds().Max.X {
				r, g, b, _ := got.At(x, y).RGBA()
				r2, g2, b2, _ := want.At(x, y).RGBA()
				if max(r, r2)-min(r, r2) > 1<<13 || max(g, g2)-min(g, g2) > 1<<13 || max(b, b2)-min(b, b2) > 1<<13 {
					differ++
				}
			}
		}
		if most := want.Bounds().Max.X / 4; differ > most {
			t.Errorf("%s: %d pixels differ, want at most %d: draw it again", file, differ, most)
		}
	}
}

func decode(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return img
}

// TestPlot: each kind prints its file and title, writes the form that the name asks for,
// and replaces its own pictures.
func TestPlot(t *testing.T) {
	model := trained(t, iris, "--holdout", "0.2")
	two := trained(t, clouds, "--threshold", "0.5")
	sure := trained(t, iris, "--holdout", "0.2", "--calibrate")
	dir := t.TempDir()
	var report, notes strings.Builder
	if err := run([]string{"evaluate", "--all", "--json", "-m", model, iris}, &report, &notes); err != nil {
		t.Fatal(err)
	}
	var measured struct{ Accuracy float64 }
	if err := json.Unmarshal([]byte(report.String()), &measured); err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(math.Round(150 * measured.Accuracy))
	for _, c := range []struct {
		args, want string
	}{
		{"regions " + iris, "What multiclass predicts: iris.csv, 147 of 150 training rows right"},
		{"regions -m " + model + " " + iris, "What multiclass predicts: iris.csv, 29 of 30 rows held out right"},
		{"regions --all -m " + model + " " + iris, "What multiclass predicts: iris.csv, " + all + " of 150 rows right"},
		{"regions --raw " + clouds, "What online predicts: clouds.csv, 98 of 100 training rows right"},
		{"regions --waves 300 testdata/rings.csv", "What straight borders and 300 waves predict: rings.csv"},
		{"regions -m " + trained(t, "testdata/rings.csv", "--waves", "100") + " testdata/rings.csv", "What margin with 100 waves predicts: rings.csv, 200 of 200 training rows right"},
		{"roc -m " + trained(t, "testdata/rings.csv", "--waves", "100") + " testdata/rings.csv", "Scores of margin: rings.csv, 200 training rows"},
		{"regions -m " + two + " " + clouds, "What online predicts: clouds.csv, 99 of 100 training rows right"},
		{"roc " + clouds, "Scores of online: clouds.csv, 100 training rows"},
		{"roc -m " + model + " " + iris, "Scores of multiclass: iris.csv, 30 rows held out"},
		{"confusion -m " + model + " " + iris, "What multiclass predicts: iris.csv, 29 of 30 rows held out right"},
		{"calibration -m " + sure + " " + iris, "Probabilities of multiclass: iris.csv, 30 rows held out"},
		{"bound " + clouds, "Novikoff’s theorem: clouds.csv"},
		{"bound --positive versicolor " + iris, "Freund and Schapire’s theorem, 10 epochs: iris.csv"},
		{"margins --positive setosa " + iris, "The largest γ = min y·score/‖(w, b)‖, and what two perceptrons find: iris.csv"},
		{"updates " + clouds, "How mistakes move the line, the first 6 of 19: clouds.csv"},
		{"updates --positive setosa " + iris, "How mistakes move the line, all 5: iris.csv"},
		{"updates ../../examples/stream/iris.svm --positive 2", "How mistakes move the line, the first 6: iris.svm"},
	} {
		for _, end := range []string{".png", ".svg"} {
			out := filepath.Join(dir, "picture"+end)
			got := runs(t, append(strings.Fields("plot -o "+out), strings.Fields(c.args)...)...)
			if want := fmt.Sprintf("%s: %s\n", out, c.want); got != want {
				t.Errorf("%q prints %q, want %q", c.args, got, want)
			}
			if begins := map[string]string{".png": chart.BeginsPNG, ".svg": chart.BeginsSVG}[end]; !strings.HasPrefix(read(t, out), begins) {
				t.Errorf("%q does not write %s", c.args, end)
			}
		}
	}
}

// TestPlotPicture: what is drawn for a model: the axes that were chosen, the threshold of
// the model, and for several classes the lead of one.
func TestPlotPicture(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.svg")
	gaps := create(t, "gaps.csv", "id,a,b,y\n70,1,2,p\n90,?,5,q\n20,7,3,p\n10,2,9,q\n")
	noisy := create(t, "noisy.csv", "a,y\n"+strings.Repeat("1,no\n1,yes\n", 100)) // a number says nothing
	mean := trained(t, gaps, "--drop", "id", "--missing", "mean")
	for _, c := range []struct{ args, want string }{
		{"regions " + gaps + " --drop id --missing mean", ">a< >b< of.4.training.rows"},
		{"regions " + gaps + " --drop id --missing drop", ">a< >b< of.3.training.rows"},
		{"regions " + gaps + " -m " + mean, ">a< >b< of.4.training.rows"},
		{"margins " + gaps + " --columns b,id --missing mean --raw", ">b< >id<"},
		{"regions " + gaps + " --drop id --missing drop --category a", "first.principal.direction"},
		{"updates " + gaps + " --drop id --missing drop --label y --x b --y a", ">a< >b<"},
		{"bound " + gaps + " --columns b --label a --missing drop --positive 2", "2.against.the.others"},
		{"bound ../../examples/stream/iris.svm --positive 1 --features 9", "1.against.the.others"},
		{"regions " + iris + " --x petal_length --y sepal_width", "petal_length sepal_width setosa versicolor virginica slice"},
		{"regions " + iris, "first.principal.direction,.73.% slice"},
		{"roc " + clouds + " -m " + trained(t, clouds, "--threshold", "0.25"), "+1:.AUC.1.0000,.average.precision.1.0000 from.score.0.25.on"},
		{"roc " + iris, "setosa:.AUC.1.0000 versicolor:.AUC.0.9990 virginica:.AUC.0.9990 from.score.0.on lead.over.the.best.other"},
		{"confusion " + create(t, "c.csv", "a,y\n1,no\n2,no\n3,no\n3,yes\n4,yes\n4,yes\n1,yes\n9,yes\n9,yes\n9,yes\n9,yes\n9,yes\n9,yes\n"), ">no< >yes< >1< >2< >9< true.class predicted.class"},
		{"calibration " + noisy + " -m " + trained(t, noisy, "--holdout", "0.5", "--calibrate"), "log.loss.0.6 Brier mean.probability >100<"},
		{"bound " + clouds, "+1.against.-1:.19.mistakes.of.at.most (R/γ)²,"},
		{"bound " + clouds + " --positive -1", "-1.against.the.others:"},
		{"margins " + clouds, "need.not.be.the.one.farthest.from.the.rows 100 Separate:.γ.=.0.1413"},
		{"margins " + clouds + " --raw", "Separate:.γ.=.0.159"},
		{"updates " + clouds, "update.6 line.before tinted:.+1"},
	} {
		args := strings.Fields("plot -o " + out + " " + c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		runs(t, args...)
		text := strings.ReplaceAll(read(t, out), "&#43;", "+")
		for _, want := range strings.Fields(c.want) {
			if want = strings.NewReplacer("_", " ", ".", " ").Replace(want); !strings.Contains(strings.ReplaceAll(text, ".", " "), want) {
				t.Errorf("%q: the picture does not have %q", c.args, want)
			}
		}
	}
}

// TestPlotUnknown: a new word is none of the known ones, or an error with --strict.
func TestPlotUnknown(t *testing.T) {
	model := trained(t, create(t, "words.csv", "a,b,y\n1,red,p\n3,blue,q\n5,red,q\n"))
	file, out := create(t, "new.csv", "a,b,y\n1,green,p\n2,red,q\n"), filepath.Join(t.TempDir(), "x.png")
	if got := fails(t, "plot", "regions", file, "-m", model, "-o", out, "--strict"); !strings.Contains(got, `"green" does not occur in the training file`) {
		t.Error(got)
	}
	runs(t, "plot", "regions", file, "-m", model, "-o", out)
}

// TestPlotPair: the positive class is the second of two, and all others are the first.
func TestPlotPair(t *testing.T) {
	for _, c := range []struct {
		classes  []string
		positive string
		want     chart.Data
	}{
		{[]string{"p", "q"}, "", chart.Data{Classes: []string{"p", "q"}, Class: []int{0, 1, 1}}},
		{[]string{"p", "q"}, "p", chart.Data{Classes: []string{"the others", "p"}, Class: []int{1, 0, 0}}},
		{[]string{"p", "q", "r"}, "q", chart.Data{Classes: []string{"the others", "q"}, Class: []int{0, 1, 1}}},
	} {
		got := chart.Data{Classes: c.classes, Class: []int{0, 1, 1}}
		if err := pair(&got, c.positive); err != nil || !cmp.Equal(got, c.want) {
			t.Errorf("pair(%q, %q): %v: %v", c.classes, c.positive, cmp.Diff(c.want, got), err)
		}
	}
}

// TestPlotROC: the figures in the picture are those of evaluate.
func TestPlotROC(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,y\n")
	for i := range 200 {
		fmt.Fprintf(&text, "%d,%d,%s\n", i*37%101, i*53%89, map[bool]string{true: "up", false: "down"}[i*37%101+i*53%89+i*71%67 > 120])
	}
	file := create(t, "mixed.csv", text.String())
	model := trained(t, file, "--holdout", "0.5", "--epochs", "2")
	report := runs(t, "evaluate", "-m", model, file)
	out := filepath.Join(t.TempDir(), "roc.svg")
	runs(t, "plot", "roc", "-m", model, file, "-o", out)
	_, rest, _ := strings.Cut(report, "AUC ")
	auc, rest, _ := strings.Cut(rest, ", average precision ")
	precision, _, _ := strings.Cut(rest, ";") // then the baseline
	if want := fmt.Sprintf("up: AUC %s, average precision %s", auc, precision); auc == "1.0000" || !strings.Contains(read(t, out), want) {
		t.Errorf("the picture does not have %q", want)
	}
}

// TestPlotRefused: wrong flags, and outputs that would destroy something, are refused,
// and nothing is changed.
func TestPlotRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const rows = "a,b,y\n1,2,p\n3,5,q\n4,1,p\n"
	files := map[string]string{
		"rows.csv": rows, "rows.png": rows, "rows.svg": "<svg/>", "one.csv": "a,b,y\n1,2,p\n", "three.csv": rows + "5,5,r\n", "xor.csv": "a,b,y\n0,0,p\n0,1,q\n1,0,q\n1,1,p\n",
		"huge.csv": "a,b,y\n1e120,2,p\n-1e120,5,q\n", "single.csv": "a,y\n1,p\n2,q\n", "eight.csv": "a,b,y\n1,2,1\n1,3,2\n1,4,3\n1,5,4\n1,6,5\n1,7,6\n1,8,7\n1,9,8\n",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runs(t, "train", "rows.csv", "-o", "m.perceptron")
	files["m.perceptron"] = read(t, "m.perceptron")
	for _, c := range []struct{ args, want string }{
		{"regions rows.csv", "2 missing flags: --output=FILE"},
		{"portrait rows.csv -o x.png", `2 <kind> must be one of "regions","roc","confusion","calibration","bound","margins","updates" but got "portrait"`},
		{"regions rows.csv -o x.gif", "2 -o is x.gif, want a name that ends with .png or .svg"},
		{"regions rows.csv -o rows.png", "2 -o: rows.png exists and was not written by this program"},
		{"regions rows.csv -o rows.svg", "2 -o: rows.svg exists and was not written by this program"},
		{"regions rows.png --format csv -o rows.png", "2 -o rows.png is the input"},
		{"regions rows.csv -o none/x.png", "2 -o: open none"},
		{"regions rows.csv -o x.png --x a", `2 --x is "a", --y ""`},
		{"regions rows.csv -o x.png --features -1", `2 --x is "", --y "", --features -1`},
		{"regions rows.csv -o x.png --features 3", "1 rows.csv: --features applies to LIBSVM files only"},
		{"regions rows.csv -o x.png --positive p", "2 --positive cannot be used with regions"},
		{"regions rows.csv -o x.png --waves -1", "2 --waves is -1, want at least 0"},
		{"roc rows.csv -o x.png --waves 9", "2 --waves cannot be used with roc"},
		{"regions rows.csv -o x.png -m m.perceptron --waves 9", "2 --waves cannot be used with -m"},
		{"regions rows.csv -o x.png --all", "2 --all and --strict require -m"},
		{"regions rows.csv -o x.png --strict", "2 --all and --strict require -m"},
		{"regions rows.csv -o x.png -m m.perceptron --raw", "2 --raw cannot be used with -m"},
		{"roc rows.csv -o x.png --x a --y b", "2 --x cannot be used with roc"},
		{"bound rows.csv -o x.png --x a --y b", "2 --x cannot be used with bound"},
		{"confusion rows.csv -o x.png --x a --y b", "2 --x cannot be used with confusion"},
		{"calibration rows.csv -o x.png", "2 calibration requires -m, a model that train --calibrate has written"},
		{"calibration rows.csv -o x.png -m m.perceptron", "1 the model has no probabilities: train it with --calibrate"},
		{"margins rows.csv -o x.png -m m.perceptron", "2 --model cannot be used with margins"},
		{"regions rows.csv -o x.png --comma ab", "2 --comma"},
		{"regions none.csv -o x.png", "1 open none.csv"},
		{"regions rows.csv -o x.png -m rows.svg", "1 rows.svg: not a model of this program"},
		{"regions three.csv -o x.png -m m.perceptron", `1 three.csv:5:5: class "r" is not among the model's "p", "q"`},
		{"regions rows.csv -o x.png --x a --y c", `1 rows.csv: no feature "c"`},
		{"regions one.csv -o x.png", `1 one.csv: column "y": every row has class "p"`},
		{"updates one.csv -o x.png", `1 one.csv: column "y": every row has class "p"`},
		{"updates three.csv -o x.png", `1 three.csv: set --positive to one of the 3 classes "p", "q", "r"`},
		{"bound three.csv -o x.png --positive z", `1 three.csv: set --positive to one of the 3 classes "p", "q", "r"`},
		{"margins xor.csv -o x.png", "1 xor.csv: no line in the plane of the picture separates the classes"},
		{"regions huge.csv -o x.png", "1 huge.csv: a row is at (1e+120, 2), want numbers of at most 1e+100"},
		{"regions single.csv -o x.png", "1 single.csv: the picture needs two features; bound and roc need one"},
		{"regions eight.csv -o x.png", "1 eight.csv: the number of classes is 8, want at most 7"},
		{"roc eight.csv -o x.png", "1 eight.csv: the number of classes is 8, want at most 7"},
	} {
		if got := fails(t, append([]string{"plot"}, strings.Fields(c.args)...)...); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
	for name, text := range files {
		if read(t, name) != text {
			t.Errorf("%s has changed", name)
		}
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) != len(files) {
		t.Errorf("the folder has %q: %v", left, err)
	}
}

// TestPlotMissing: every kind takes the rules for missing values.
func TestPlotMissing(t *testing.T) {
	data, out := create(t, "t.csv", "a,b,y\n1,2,no\n2,?,no\n3,4,yes\n4,6,yes\n?,5,yes\n0,1,no\n"), filepath.Join(t.TempDir(), "x.svg")
	for _, kind := range []string{"regions", "roc", "confusion", "bound", "margins", "updates"} {
		for _, rule := range []string{"mean", "drop"} {
			runs(t, "plot", kind, data, "--missing", rule, "-o", out)
		}
		if got := fails(t, "plot", kind, data, "-o", out); !strings.Contains(got, "the value is missing") {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
