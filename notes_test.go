package perceptron_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"iter"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// notes is docs/notes.md with what its rows may name: calls of the package, and tests and
// examples that run.
type notes struct {
	calls, runs map[string]bool
	required    []string // the examples of the notes, which the page must name
}

// readNotes collects the names. An example without an output is compiled, but does not run.
func readNotes(t *testing.T) (n notes) {
	t.Helper()
	n.calls, n.runs = map[string]bool{}, map[string]bool{}
	for _, m := range exportedName.FindAllStringSubmatch(page(t, apiFile), -1) {
		n.calls[strings.TrimPrefix(m[1]+m[2]+"."+m[3], ".")] = true
	}
	for _, file := range filesOf(t, "*_test.go") {
		parsed := must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments))(t)
		for _, e := range doc.Examples(parsed) {
			n.runs["Example"+e.Name] = e.Output != "" || e.EmptyOutput
			if strings.HasPrefix(file, "example_notes") {
				n.required = append(n.required, "Example"+e.Name)
			}
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") && len(f.Type.Params.List) == 1 {
				n.runs[f.Name.Name] = true
			}
		}
	}
	return n
}

var (
	// exportedName finds the type and the name of a line of docs/api.txt.
	exportedName = regexp.MustCompile(`(?m)^(?:method \(\*?(\w+)\)|type (\w+) struct,|func|const|var|type) (\w+)`)
	quotedName   = regexp.MustCompile("`([^`]+)`")
	rowsOfNote   = regexp.MustCompile(`(?m)^(\d+) rows, (\d+) of them slips\.`)
	rowsOfPage   = regexp.MustCompile(`There are (\d+) rows\.`)
)

// faults returns what is wrong with the page: with its rows, with a note that has another number of
// rows than it says, or an example that no row names.
func (n notes) faults(page string) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	sections := strings.Split(page, "\n## ")
	total := 0
	for _, section := range sections[1:] {
		title, body, _ := strings.Cut(section, "\n")
		rows, slips := 0, strings.Count(body, "| **Slip.**")
		for line := range strings.Lines(body) {
			if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "| where |") && !strings.HasPrefix(line, "|---") {
				rows++
				faults = append(faults, n.rowFaults(strings.TrimSpace(line))...)
			}
		}
		if says := rowsOfNote.FindStringSubmatch(body); says == nil || says[1] != strconv.Itoa(rows) || says[2] != strconv.Itoa(slips) {
			add("%s has %d rows and %d slips, and says %q", title, rows, slips, says)
		}
		total += rows
	}
	if says := rowsOfPage.FindStringSubmatch(sections[0]); len(sections) != 6 || says == nil || says[1] != strconv.Itoa(total) {
		add("%d notes with %d rows, and the page says %q", len(sections)-1, total, says)
	}
	for _, name := range n.required {
		if !strings.Contains(page, "`"+name+"`") {
			add("no row names %s", name)
		}
	}
	return faults
}

// rowFaults returns what is wrong with a row: it needs four cells, with calls that exist in the
// third, and examples or tests that run in the fourth.
func (n notes) rowFaults(row string) (faults []string) {
	cells := strings.Split(strings.Trim(row, "|"), " | ")
	if len(cells) != 4 {
		return []string{"not four cells: " + row}
	}
	for i, exist := range []map[string]bool{n.calls, n.runs} {
		names := quotedName.FindAllStringSubmatch(cells[2+i], -1)
		if len(names) == 0 {
			faults = append(faults, "an empty cell: "+row)
		}
		for _, name := range names {
			if !exist[name[1]] {
				faults = append(faults, name[1]+" does not exist or does not run: "+row)
			}
		}
	}
	return faults
}

// TestNotes checks docs/notes.md. Any changed name in a row is a fault, and so is a missing row.
func TestNotes(t *testing.T) {
	t.Parallel()
	n, text := readNotes(t), page(t, "docs/notes.md")
	for _, fault := range n.faults(text) {
		t.Error(fault)
	}
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") || !strings.Contains(line, "`") {
			continue
		}
		rows++
		mutations := []string{""}
		for _, name := range quotedName.FindAllString(line, -1) {
			mutations = append(mutations, strings.Replace(line, name, strings.TrimSuffix(name, "`")+"X`", 1))
		}
		for _, mutation := range mutations {
			if len(n.faults(strings.Replace(text, line, mutation, 1))) == 0 {
				t.Errorf("no fault: %q for %s", mutation, line)
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows", rows)
	}
}

// integerSets yields 1,000 sets of small integers, so that scores of 0 are frequent. Four of five
// are labelled by a hyperplane.
func integerSets() iter.Seq2[[][]float64, []int] {
	return func(yield func([][]float64, []int) bool) {
		r := rand.New(rand.NewPCG(54, 0))
		row := func(d int) (x []float64) {
			for range d {
				x = append(x, float64(r.IntN(7)-3))
			}
			return x
		}
		for i := range 1000 {
			d := 1 + r.IntN(4)
			h := perceptron.Hyperplane{Weights: row(d), Bias: 0.5}
			X, y := make([][]float64, 2+r.IntN(8)), []int{}
			for j := range X {
				X[j] = row(d)
				score, _ := h.Score(X[j])
				if i%5 == 0 {
					score = float64(r.IntN(2)) - 0.5
				}
				label := +1
				if score < 0 {
					label = -1
				}
				y = append(y, label)
			}
			if !yield(X, y) {
				return
			}
		}
	}
}

// TestNotesSignOfZero compares every convention of sign(0), by hand, with Online and its Start: in
// the updates of each pass and in the weights.
func TestNotesSignOfZero(t *testing.T) {
	t.Parallel()
	differ, all := 0, 0
	for X, y := range integerSets() {
		var totals [3]int
		for i, zero := range []int{+1, -1, 0} {
			w, updates := byHand(X, y, whereSign(zero, -1))
			p := &perceptron.Online{Start: perceptron.Hyperplane{Bias: float64(zero) / (1 << 30)}}
			for pass, want := range updates {
				e, err := p.Learn(perceptron.Examples(X, y))
				if err != nil || e.Mistakes != want {
					t.Fatalf("%v %v, sign(0) = %d, pass %d: %d mistakes, %v, want %d", X, y, zero, pass, e.Mistakes, err, want)
				}
				totals[i] += want
			}
			h := p.Hyperplane()
			if got := append(h.Weights, h.Bias-p.Start.Bias); !slices.Equal(got, w) {
				t.Fatalf("%v %v, sign(0) = %d: %v, want %v", X, y, zero, got, w)
			}
		}
		if all++; totals[0] != totals[1] && totals[1] != totals[2] {
			differ++
		}
	}
	if all != 1000 || differ < 200 {
		t.Errorf("%d sets; the conventions differ on %d", all, differ)
	}
}

// TestNotesConstantFeature compares Affine with Linear on (x, 1) and (1, x), after each update.
func TestNotesConstantFeature(t *testing.T) {
	for X, y := range integerSets() {
		var affine perceptron.Online
		last, first := &perceptron.Online{Space: perceptron.Linear}, &perceptron.Online{Space: perceptron.Linear}
		for i := range 5 * len(X) {
			x, label := X[i%len(X)], y[i%len(X)]
			a := must(affine.Update(x, label))(t)
			b := must(last.Update(append(slices.Clone(x), 1), label))(t)
			c := must(first.Update(append([]float64{1}, x...), label))(t)
			h := affine.Hyperplane()
			w := append(slices.Clone(h.Weights), h.Bias)
			v := first.Hyperplane().Weights
			if a != b || a != c || !slices.Equal(w, last.Hyperplane().Weights) || !slices.Equal(w, append(v[1:], v[0])) {
				t.Fatalf("%v %v, example %d: %v, %v and %v", X, y, i, h, last, first)
			}
		}
	}
}

// TestNotesSquares checks the equations and inequalities of Snapp's proof at each update, from random
// starts. All numbers are multiples of 1/16, so that they are exact.
func TestNotesSquares(t *testing.T) {
	const eta = 0.5
	r, updates := rand.New(rand.NewPCG(55, 0)), 0
	for X, y := range integerSets() {
		var start []float64
		for range len(X[0]) + 1 {
			start = append(start, float64(r.IntN(64)-32)/16)
		}
		M, mu := 0.0, math.Inf(1)
		var Z [][]float64 // x̂′
		for i, x := range X {
			z := []float64{float64(y[i])}
			for _, v := range x {
				z = append(z, float64(y[i])*v)
			}
			Z = append(Z, z)
			M, mu = max(M, inner(z, z)), min(mu, 2*inner(start, z))
		}
		p := &perceptron.Online{Space: perceptron.Linear, Rate: eta, Start: perceptron.Hyperplane{Weights: start}}
		moved, sum := make([]float64, len(start)), make([]float64, len(start))
		k, squares, along := 0.0, 0.0, 0.0
		for i := range 20 * len(Z) {
			z := Z[i%len(Z)]
			if !must(p.Update(z, +1))(t) {
				continue
			}
			k++
			updates++
			w := p.Hyperplane().Weights
			now := slices.Clone(w)
			for j := range now {
				now[j] -= start[j]
				sum[j] += eta * z[j]
			}
			square, before := inner(now, now), inner(moved, moved)
			step := eta * eta * inner(z, z)
			squares += step
			if k > 1 {
				along += 2 * eta * inner(start, z)
			}
			switch {
			case !slices.Equal(now, sum):
				t.Fatalf("moved by %v, want %v", now, sum)
			case square != before+2*eta*inner(moved, z)+step || k == 1 && square != step:
				t.Fatalf("‖w(k) − w(0)‖² = %v", square)
			case k > 1 && square > before-2*eta*inner(start, z)+step:
				t.Fatalf("‖w(k) − w(0)‖² = %v, want at most %v", square, before-2*eta*inner(start, z)+step)
			case square > squares-along || square > (eta*eta*M-eta*mu)*k:
				t.Fatalf("‖w(k) − w(0)‖² = %v, want at most %v and %v", square, squares-along, (eta*eta*M-eta*mu)*k)
			}
			moved = now
		}
	}
	if updates < 5000 {
		t.Errorf("%d updates", updates)
	}
}
