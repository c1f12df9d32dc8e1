package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/split"
)

// TestTwins: rows held out that equal a row trained on are counted, and the accuracy without them is shown,
// by train and by evaluate, for dense and sparse rows.
func TestTwins(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 1))
	text, pairs := "u,v,side\n", ""
	for i := range 200 {
		u, v, class := g.IntN(4), g.IntN(4), g.IntN(2)
		if i%3 == 0 { // no other row is as this one
			u += 10 * i
		}
		text += fmt.Sprintf("%d,%d,%d\n", u, v, class)
		pairs += fmt.Sprintf("%d %d:1 %d:2\n", class, u+1, 3000+v)
	}
	for _, data := range []string{create(t, "t.csv", text), create(t, "t.svm", pairs)} {
		model := trained(t, data, "--holdout", "0.3", "--rule", "online")
		e := evaluated(t, model, data)
		want, right, others := slowTwins(t, model, data)
		if want == 0 || others == 0 || e.Twins != want || e.WithoutTwins == nil || *e.WithoutTwins != float64(right)/float64(others) {
			t.Errorf("%+v, want %d twins, and %d of %d others right", e.Quality, want, right, others)
		}
		if line, out := fmt.Sprintf("\n%d of them equal rows trained on; accuracy without them %.4f\n", want, *e.WithoutTwins), runs(t, "evaluate", "-m", model, data); !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if out := runs(t, "train", create(t, "t.csv", text)); strings.Contains(out, "of them equal") {
		t.Errorf("without --holdout:\n%s", out)
	}
}

// slowTwins counts twins by comparing each row held out with each row trained on.
func slowTwins(t *testing.T, model, data string) (all, right, others int) {
	t.Helper()
	f := mustRead(t, model)
	lines := strings.Split(strings.TrimSpace(read(t, data)), "\n")
	if strings.HasSuffix(data, ".csv") {
		lines = lines[1:]
	}
	predicted := strings.Split(runs(t, "predict", "-m", model, data), "\n")
	learned, divider := map[string]bool{}, split.Division{Share: f.Data.Holdout, Seed: f.Data.Seed}.Divider()
	var heldOut []int
	for i, line := range lines {
		class, _, _ := strings.Cut(line, " ")
		if strings.HasSuffix(data, ".csv") {
			class = line[strings.LastIndexByte(line, ',')+1:]
		}
		if divider.Part(class, "") == split.Training {
			learned[line] = true
		} else {
			heldOut = append(heldOut, i)
		}
	}
	for _, i := range heldOut {
		class := strings.HasPrefix(lines[i], predicted[i]+" ") || strings.HasSuffix(lines[i], ","+predicted[i])
		if learned[lines[i]] {
			all++
			continue
		}
		if others++; class {
			right++
		}
	}
	return all, right, others
}

// TestRepeats: rows that repeat others in all columns that are used are evidence of nothing, nor are texts
// that were sent twice. A text that is a code is.
func TestRepeats(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 1))
	var noise, texts, codes strings.Builder
	for _, out := range []*strings.Builder{&noise, &texts, &codes} {
		out.WriteString("day,a,b,y\n")
	}
	for i := range 150 {
		class, other := g.IntN(2), g.IntN(2)
		for k := range 1 + 2*(i%2) {
			fmt.Fprintf(&noise, "%d.5,%d.25,%.3f,%d\n", 7*i+k, 3*i, g.Float64()+float64(9*i), class)
			fmt.Fprintf(&texts, "%d.5,%d.25,word%d is sent to word%d,%d\n", 7*i+k, g.IntN(999), i, 7*i, class)
			fmt.Fprintf(&codes, "%d.5,%d.25,case %d of %d,%d\n", 7*i+k, g.IntN(999), other, class, class)
		}
	}
	for name, c := range map[string]struct{ args, warns, not string }{
		"all columns":    {create(t, "n.csv", noise.String()), `column "a" alone decides`, "repeat earlier"},
		"without b, day": {create(t, "n.csv", noise.String()) + " --drop day,b", "150 of 300 rows repeat earlier rows", "alone decides"},
		"texts":          {create(t, "t.csv", texts.String()) + " --text b", "", "alone decides"},
		"codes":          {create(t, "c.csv", codes.String()) + " --text b", `column "b" alone decides`, "repeat earlier"},
	} {
		args := strings.Fields(c.args)
		if got := warnings(t, args[0], args[1:]...); !strings.Contains(got, c.warns) || strings.Contains(got, c.not) {
			t.Errorf("%s: warns %q", name, got)
		}
	}
}
