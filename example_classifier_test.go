package perceptron_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// messages are short texts, and their labels.
var messages = [][2]string{
	{"win a free prize now", "spam"}, {"lunch at noon tomorrow", "ham"}, {"free money claim your prize", "spam"},
	{"are we still on for lunch", "ham"}, {"claim free tickets now", "spam"}, {"see you at the meeting", "ham"},
	{"urgent prize waiting claim now", "spam"}, {"the meeting moved to tomorrow", "ham"},
}

// A spam filter learns from texts, is corrected by feedback, is saved, and is loaded again.
func ExampleClassifier_spam() {
	const width = 1 << 18
	row := func(text string) perceptron.Sparse { return perceptron.HashWords(width, strings.Fields(text)...) }
	check := func(_ any, err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	var X []perceptron.Sparse
	var labels []string
	for _, m := range messages {
		X, labels = append(X, row(m[0])), append(labels, m[1])
	}
	c := perceptron.Classifier[perceptron.Sparse]{Width: width}
	res, err := c.Fit(X, labels)
	check(res, err)
	fmt.Println(res)

	label, err := c.Predict(row("claim your lunch now"))
	check(label, err)
	fmt.Println(label)
	for label != "ham" { // a person says that it is ham
		check(c.Update(row("claim your lunch now"), "ham"))
		label, err = c.Predict(row("claim your lunch now"))
		check(label, err)
	}
	path := filepath.Join(os.TempDir(), "spam.perceptron")
	check(nil, c.Save(path))
	var loaded perceptron.Classifier[perceptron.Sparse]
	check(nil, loaded.Load(path))
	label, err = loaded.Predict(row("claim your lunch now"))
	check(label, err)
	fmt.Println(label, loaded.Seen() > c.Seen()-1)
	// Output:
	// 3 epochs, 8 mistakes, Converged
	// spam
	// ham true
}

// The words that speak most for a label have the largest weights of its hyperplane.
func ExampleClassifier_Hyperplane() {
	vocabulary := map[string]uint32{}
	var words []string
	var X []perceptron.Sparse
	var labels []string
	for _, m := range messages {
		var x perceptron.Sparse
		for _, word := range strings.Fields(m[0]) {
			if _, known := vocabulary[word]; !known {
				vocabulary[word] = uint32(len(words))
				words = append(words, word)
			}
			x.Index, x.Value = append(x.Index, vocabulary[word]), append(x.Value, 1)
		}
		x.Sort()
		X, labels = append(X, x), append(labels, m[1])
	}
	var c perceptron.Classifier[perceptron.Sparse]
	if _, err := c.Fit(X, labels); err != nil {
		log.Fatal(err)
	}
	h, err := c.Hyperplane("spam")
	if err != nil {
		log.Fatal(err)
	}
	slices.SortFunc(words, func(a, b string) int {
		if h.Weights[vocabulary[a]] > h.Weights[vocabulary[b]] {
			return -1
		}
		return 1
	})
	fmt.Println(words[:3])
	// Output:
	// [prize now claim]
}

// Early stopping keeps the best epoch on rows that training does not see.
func ExampleClassifier_Epochs() {
	var X []perceptron.Sparse
	var labels []string
	for _, m := range messages {
		X = append(X, perceptron.HashWords(1<<18, strings.Fields(m[0])...))
		labels = append(labels, m[1])
	}
	c := perceptron.Classifier[perceptron.Sparse]{Width: 1 << 18}
	best, top := c.Clone(), -1.0
	for e, err := range c.Epochs(X[:4], labels[:4]) {
		if err != nil {
			log.Fatal(err)
		}
		if a, _ := perceptron.Accuracy(&c, X[4:], labels[4:]); a > top {
			best, top = c.Clone(), a
			fmt.Printf("%v; accuracy %.2f\n", e, a)
		}
	}
	fmt.Println(best.Seen(), "examples seen by the best,", c.Seen(), "by the last")
	// Output:
	// epoch 1: 4 examples, 3 mistakes, loss 0.5, Running; accuracy 1.00
	// 4 examples seen by the best, 12 by the last
}

// incomes returns rows of an income in euros and an age in years. The label depends on both.
func incomes(n int, seed uint64) (X [][]float64, labels []string) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		a, b, label := r.NormFloat64(), r.NormFloat64(), "no"
		if a+b+.25*r.NormFloat64() > 0 {
			label = "yes"
		}
		X, labels = append(X, []float64{40_000 + 16_384*a, 45 + 16*b}), append(labels, label)
	}
	return X, labels
}

// A stream from scratch is scaled by its first rows. Without scaling, the larger feature hides the other.
func ExampleClassifier_Learn() {
	X, labels := incomes(2000, 1)
	testX, test := incomes(2000, 2)
	for _, c := range []perceptron.Classifier[[]float64]{{}, {Raw: true}} {
		if _, err := c.Learn(perceptron.Examples(X, labels)); err != nil {
			log.Fatal(err)
		}
		accuracy, err := perceptron.Accuracy(&c, testX, test)
		fmt.Printf("Raw %v: accuracy %.2f, %v\n", c.Raw, accuracy, err)
	}
	// Output:
	// Raw false: accuracy 0.94, <nil>
	// Raw true: accuracy 0.51, <nil>
}

// Validate compares settings on rows that training does not see.
func ExampleClassifier_Validate() {
	X, labels := incomes(600, 1)
	for _, c := range []perceptron.Classifier[[]float64]{{}, {Raw: true}} {
		table, err := c.Validate(X, labels, 5)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("Raw %v: accuracy %.2f, macro F1 %.2f\n", c.Raw, table.Accuracy(), table.MacroF1())
	}
	// Output:
	// Raw false: accuracy 0.93, macro F1 0.92
	// Raw true: accuracy 0.50, macro F1 0.34
}

// Repeated rows make mistakes on a rare label cost more, and shifted scores move the decision. Both raise
// the recall of the rare label here.
func ExampleClassifier_rare() {
	var X [][]float64
	var labels []string
	for i := range 200 { // one row in ten is rare, and some common rows are as large
		x, label := float64(i*37%100), "common"
		if i%10 == 0 {
			x, label = x/2+60, "rare"
		}
		X, labels = append(X, []float64{x}), append(labels, label)
	}
	report := func(what string, Z [][]float64, names []string, shift float64) {
		var c perceptron.Classifier[[]float64]
		if _, err := c.Fit(Z, names); err != nil {
			log.Fatal(err)
		}
		var table perceptron.Confusion[string]
		for i, x := range X {
			scores, err := c.Scores(nil, x) // of common and rare
			if err != nil {
				log.Fatal(err)
			}
			found := perceptron.Confusion[string]{Classes: c.Labels(), Counts: [][]int{{0, 0}, {0, 0}}}
			of, as := slices.Index(c.Labels(), labels[i]), 0
			if scores[1] > scores[0]-shift {
				as = 1
			}
			found.Counts[of][as]++
			table = table.Add(found)
		}
		fmt.Printf("%s: precision %.2f, recall %.2f\n", what, table.Precision("rare"), table.Recall("rare"))
	}
	report("as it is", X, labels, 0)
	report("shifted", X, labels, 4)
	Z, names := slices.Clone(X), slices.Clone(labels)
	for i, x := range X {
		for range 4 {
			if labels[i] == "rare" {
				Z, names = append(Z, x), append(names, "rare")
			}
		}
	}
	report("repeated", Z, names, 0)
	// Output:
	// as it is: precision 0.00, recall 0.00
	// shifted: precision 0.21, recall 0.70
	// repeated: precision 0.21, recall 0.60
}

// bent prints whether a straight border separates the rows, and what waves make of them: the margin γ, and
// Online's mistakes with their bound. R² ≤ 2 + max‖z‖²/d gives the bound before any wave is drawn.
func bent(name string, w perceptron.Waves, X [][]float64, y []int) {
	scaling, _ := perceptron.Standardize(X)
	Z, err := scaling.ApplyAll(X)
	if err != nil {
		log.Fatal(err)
	}
	straight, _ := perceptron.Separate(Z, y, perceptron.Affine)
	longest, _ := perceptron.Radius(Z, perceptron.Linear)
	mapped, err := w.ApplyAll(Z)
	if err != nil {
		log.Fatal(err)
	}
	s, _ := perceptron.Separate(mapped, y, perceptron.Affine)
	var p perceptron.Online
	res, _ := p.Fit(mapped, y)
	R := math.Sqrt(2 + longest*longest/float64(len(X[0])))
	fmt.Printf("%s: straight, separable %v; bent, γ = %.4f, %d mistakes, at most %.0f\n",
		name, straight.Separable, s.Lower, res.Mistakes, perceptron.MistakeBound(R, s.Lower))
}

// No straight line separates these three sets. With waves each is separable, and Novikoff's theorem bounds
// the mistakes.
func ExampleWaves() {
	w := perceptron.Waves{Count: 300}
	bent("XOR", w, [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1})
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	var circles, spirals [][]float64
	var labels []int
	for i := range 100 {
		y := 1 - 2*(i%2)
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 100)
		r := 1.5 + .5*float64(y)
		circles = append(circles, []float64{round(r * cos), round(r * sin)})
		sin, cos = math.Sincos(3 * math.Pi * float64(i) / 100)
		r = float64(y) * (.5 + float64(i)/50)
		spirals = append(spirals, []float64{round(r * cos), round(r * sin)})
		labels = append(labels, y)
	}
	bent("circles", w, circles, labels)
	w.Width = .3 // the arms of the spirals are near each other
	bent("spirals", w, spirals, labels)
	// Output:
	// XOR: straight, separable false; bent, γ = 0.2204, 4 mistakes, at most 62
	// circles: straight, separable false; bent, γ = 0.1581, 58 mistakes, at most 144
	// spirals: straight, separable false; bent, γ = 0.0674, 232 mistakes, at most 970
}

// TestLetterWaves: no hyperplane separates the letter A from the others, and with waves one does. Then the
// mistakes are within the bound.
func TestLetterWaves(t *testing.T) {
	set := perceptron.Letter(t)
	for i, letter := range set.Y {
		set.Y[i] = -1
		if letter == 'A' {
			set.Y[i] = +1
		}
	}
	scaling, _ := perceptron.Standardize(set.X)
	Z, err := scaling.ApplyAll(set.X)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := perceptron.Separate(Z, set.Y, perceptron.Affine); s.Separable || err != nil {
		t.Errorf("straight: separable %v, %v", s.Separable, err)
	}
	mapped, err := perceptron.Waves{Count: 300, Width: 2}.ApplyAll(Z)
	if err != nil {
		t.Fatal(err)
	}
	s, err := perceptron.Separate(mapped, set.Y, perceptron.Affine)
	if err != nil || !s.Separable {
		t.Fatalf("bent: separable %v, %v", s.Separable, err)
	}
	var p perceptron.Online
	res, err := p.Fit(mapped, set.Y)
	longest, _ := perceptron.Radius(Z, perceptron.Linear)
	bound := perceptron.MistakeBound(math.Sqrt(2+longest*longest/16), s.Lower)
	got := fmt.Sprintf("γ = %.4f, %d mistakes, at most %.0f, %v", s.Lower, res.Mistakes, bound, err)
	perceptron.Diff(t, "bent", got, "γ = 0.0192, 1905 mistakes, at most 22454, <nil>")
	if float64(res.Mistakes) > bound {
		t.Errorf("%d mistakes, the bound is %v", res.Mistakes, bound)
	}
}

// TestWavesSeparate: enough waves separate distinct rows, whatever their labels are. If two equal rows
// have different labels, the rows stay inseparable.
func TestWavesSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 1))
	for range 20 {
		X, y := make([][]float64, 40), make([]int, 40)
		for i := range X {
			X[i], y[i] = []float64{r.Float64(), r.Float64()}, 1-2*r.IntN(2)
		}
		w := perceptron.Waves{Count: 400, Width: .1, Seed: r.Uint64()}
		if s := separateWaves(t, w, X, y); !s.Separable {
			t.Errorf("%+v: not separable", w)
		}
		X[7], y[7] = X[3], -y[3]
		if s := separateWaves(t, w, X, y); s.Separable {
			t.Errorf("%+v: a contradiction is separable", w)
		}
	}
}

func separateWaves(t *testing.T, w perceptron.Waves, X [][]float64, y []int) perceptron.Separation {
	t.Helper()
	mapped, err := w.ApplyAll(X)
	if err != nil {
		t.Fatal(err)
	}
	s, err := perceptron.Separate(mapped, y, perceptron.Affine)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
