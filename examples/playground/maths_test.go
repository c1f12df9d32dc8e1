package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// A point is an example of the page: whole sixteenths, and the label +1 or −1.
type point struct {
	X     int `json:"x"`
	Y     int `json:"y"`
	Label int `json:"label"`
}

// A set is what page/maths.js learns.
type set struct {
	Points []point `json:"points"`
	Bias   bool    `json:"bias"`
}

// A learned is what page/maths.js says of a set. Without a separating line the fields from Num on
// are zero.
type learned struct {
	Tips                []float64 // w after each mistake, three coordinates each, in sixteenths
	Rows, Ends, Against []int
	Stop                string
	Since               int
	R2, Num, Den        float64
	Arc, Places         []float64
	U                   []float64
	Bound, Plane        float64
}

// An answer is what testdata/maths.mjs prints for one source.
type answer struct {
	Sets  []learned
	Rules []played
}

// askNode runs sources of page/maths.js under Node.js.
func askNode(t *testing.T, sources []string, sets []set, rules []game) []*answer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not installed; it runs the page's mathematics")
	}
	in, err := json.Marshal(map[string]any{"sources": sources, "sets": sets, "rules": rules})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, "testdata/maths.mjs")
	command.Stdin, command.Stderr = bytes.NewReader(in), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []*answer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

func source(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("page/maths.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// randomSets returns sets of 1 to 9 points. A third has a line with a margin, and a third has small
// coordinates, so that points coincide, oppose each other and lie on lines with the centre.
func randomSets(n int) []set {
	r := rand.New(rand.NewPCG(84, 1))
	sets := make([]set, n)
	for i := range sets {
		s := set{Bias: i%2 == 1}
		reach, a, b := []int{30, 30, 2}[i%3], r.Float64()-0.5, r.Float64()-0.5
		for range 1 + r.IntN(9) {
			p := point{r.IntN(2*reach+1) - reach, r.IntN(2*reach+1) - reach, 1 - 2*r.IntN(2)}
			if score := a*float64(p.X) + b*float64(p.Y); i%3 == 0 && score*float64(p.Label) < 0 {
				p.Label = -p.Label
			}
			s.Points = append(s.Points, p)
		}
		sets[i] = s
	}
	return sets
}

// TestMaths compares page/maths.js with the library on 2,000 random sets of points.
func TestMaths(t *testing.T) {
	sets := randomSets(2000)
	got := askNode(t, []string{source(t)}, sets, nil)[0]
	seen := map[string]int{}
	for i, s := range sets {
		if wrong := s.differs(t, got.Sets[i]); wrong != "" {
			t.Errorf("%+v: %s", s, wrong)
		}
		seen[got.Sets[i].Stop]++
		seen[strings.Repeat("×", len(got.Sets[i].Against))]++
	}
	t.Log(seen)
	for kind, least := range map[string]int{"right": 1000, "loop": 500, "": 1000, "×": 20, "××": 100, "×××": 200, "××××": 100} {
		if seen[kind] < least {
			t.Errorf("only %d sets with %q", seen[kind], kind)
		}
	}
}

// differs says how the answer got differs from the library's, or returns "".
func (s set) differs(t *testing.T, got learned) string {
	t.Helper()
	X, y, space := s.rows()
	rows, tips, ends := replay(t, X, y, space, len(got.Ends)-1)
	model := &perceptron.Online{Space: space}
	result, err := model.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	stop, rounds, since := "right", len(ends)-1, 0
	if result.Stop != perceptron.Converged {
		stop, rounds, since = firstLoop(tips, ends)
	}
	loop := max(rounds-slices.Index(ends, since), slices.Index(ends, since)+1)
	sep, err := perceptron.Separate(X, y, space)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case !slices.Equal(got.Rows, rows) || !slices.Equal(got.Ends, ends) || !slices.Equal(got.Tips, tips):
		return "the mistakes are others"
	case got.Stop != stop || got.Since != since || len(got.Ends)-1 != rounds:
		return "the run ends in another way: " + got.Stop
	case stop == "right" && (result.Mistakes != len(got.Rows) || result.Epochs != rounds):
		return "Fit makes another number of mistakes"
	case stop == "loop" && result.Stop != perceptron.Cycled && 3*loop <= 1000: // see the library's search for cycles
		return "Fit finds no cycle"
	case !near(math.Sqrt(got.R2)/16, sep.Radius):
		return "R differs"
	case sep.Separable != (len(got.Against) == 0):
		return "the verdict differs"
	case sep.Separable:
		return s.differsSeparable(got, sep)
	}
	return s.differsAgainst(t, got.Against)
}

func (s set) differsSeparable(got learned, sep perceptron.Separation) string {
	gamma := math.Sqrt(got.Num/got.Den) / 16
	switch {
	case !near(gamma, sep.Lower) || !near(gamma, sep.Upper):
		return "γ differs"
	case got.Bound != math.Floor(sep.MistakeBound()):
		return "the bound differs"
	case got.Plane != math.Floor(got.Bound/2)+1:
		return "the plane's bound differs"
	case len(got.Rows) > int(got.Bound) || !s.Bias && len(got.Rows) > int(got.Plane):
		return "a theorem is broken"
	case !s.Bias && !s.inArc(got.Arc):
		return "the arc differs"
	}
	long := math.Sqrt(got.U[0]*got.U[0] + got.U[1]*got.U[1] + got.U[2]*got.U[2])
	for k := range len(got.Rows) + 1 {
		w, at := got.Tips[3*k:3*k+3], got.Places[2*k:2*k+2]
		height := (w[0]*got.U[0] + w[1]*got.U[1] + w[2]*got.U[2]) / long
		square := w[0]*w[0] + w[1]*w[1] + w[2]*w[2]
		side := (got.U[0]*w[1] - got.U[1]*w[0]) / long // across, to the left of u is negative
		if !near(at[1], height) || !near(at[0]*at[0]+at[1]*at[1], square) || at[0] < 0 && s.Bias || !s.Bias && !near(at[0], -side) {
			return "a place in the bubble differs"
		}
		if height < float64(k)*gamma*16-1e-6 || square > got.R2/(16*gamma)*height+1e-6 {
			return "w leaves the bubble"
		}
	}
	return ""
}

// inArc reports whether the arc has the directions in which w has all points right, and no others.
func (s set) inArc(arc []float64) bool {
	for degree := range 720 {
		angle := math.Pi / 360 * (float64(degree) + 0.01)
		all := true
		for _, p := range s.Points {
			all = all && float64(p.Label)*(math.Cos(angle)*float64(p.X)+math.Sin(angle)*float64(p.Y)) > 0
		}
		within := math.Mod(angle-arc[0]+4*math.Pi, 2*math.Pi)
		if size := arc[1] - arc[0]; math.Abs(within-size) > 1e-9 && within > 1e-9 && (within < size) != all {
			return false
		}
	}
	return true
}

// differsAgainst checks that the points contradict each other, and that no fewer do.
func (s set) differsAgainst(t *testing.T, against []int) string {
	t.Helper()
	separable := func(rows ...int) bool {
		some := set{Bias: s.Bias}
		for _, i := range rows {
			some.Points = append(some.Points, s.Points[i])
		}
		X, y, space := some.rows()
		sep, err := perceptron.Separate(X, y, space)
		if err != nil {
			t.Fatal(err)
		}
		return sep.Separable
	}
	if separable(against...) {
		return "these points do not contradict each other"
	}
	for i := range against {
		if rest := slices.Delete(slices.Clone(against), i, i+1); len(rest) > 0 && !separable(rest...) {
			return "fewer of these points contradict each other"
		}
	}
	for i := range s.Points {
		for j := range i {
			if len(against) > 2 && !separable(j, i) || len(against) > 1 && !separable(i) {
				return "a smaller set contradicts itself"
			}
			for k := range j {
				if len(against) > 3 && !separable(k, j, i) {
					return "a smaller set contradicts itself"
				}
			}
		}
	}
	return ""
}

func (s set) rows() (X [][]float64, y []int, space perceptron.Space) {
	for _, p := range s.Points {
		X, y = append(X, []float64{float64(p.X) / 16, float64(p.Y) / 16}), append(y, p.Label)
	}
	if !s.Bias {
		space = perceptron.Linear
	}
	return X, y, space
}

// replay trains with Update for a number of rounds. It returns the rows of the mistakes, w after each
// mistake in sixteenths, and the number of mistakes after each round.
func replay(t *testing.T, X [][]float64, y []int, space perceptron.Space, rounds int) (rows []int, tips []float64, ends []int) {
	t.Helper()
	model := &perceptron.Online{Space: space}
	rows, tips, ends = []int{}, []float64{0, 0, 0}, []int{0}
	for range rounds {
		for i, x := range X {
			updated, err := model.Update(x, y[i])
			if err != nil {
				t.Fatal(err)
			} else if updated {
				h := model.Hyperplane()
				rows, tips = append(rows, i), append(tips, 16*h.Weights[0], 16*h.Weights[1], 16*h.Bias)
			}
		}
		ends = append(ends, len(rows))
	}
	return rows, tips, ends
}

// firstLoop finds the first round after which w is what it was after an earlier round.
func firstLoop(tips []float64, ends []int) (stop string, rounds, since int) {
	for j := range ends {
		for i := range j {
			if slices.Equal(tips[3*ends[i]:3*ends[i]+3], tips[3*ends[j]:3*ends[j]+3]) {
				return "loop", j, ends[i]
			}
		}
	}
	return "limit", 1000, 0
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1e-3, math.Abs(a), math.Abs(b)) }

// signs are places in page/maths.js whose sign can be turned.
var signs = regexp.MustCompile(` (\+|-|<|>|<=|>=|===|!==|&&) |[([]-|=> -|, -`)

var turned = map[string]string{" + ": " - ", " - ": " + ", " < ": " > ", " > ": " < ", " <= ": " > ", " >= ": " < ",
	" === ": " !== ", " !== ": " === ", " && ": " || ", "(-": "(", "[-": "[", "=> -": "=> ", ", -": ", "}

// harmless are the turned signs that change nothing that the page promises.
var harmless = []string{
	"const flat = z.every((v) => v[2] !== 0);", // then sides are tried too, and have the margin 0
	"const flat = tips.every((w) => w[2] !== 0);",
}

// TestMathsMutants turns each sign in page/maths.js, one at a time, and wants each wrong source to
// fail the comparisons of TestMaths and TestGame.
func TestMathsMutants(t *testing.T) {
	text := source(t)
	var sources, places []string
	for _, at := range signs.FindAllStringIndex(text, -1) {
		first, end := strings.LastIndex(text[:at[0]+1], "\n")+1, at[1]+strings.Index(text[at[1]:], "\n")
		if comment := strings.Index(text[first:end], "//"); comment >= 0 && first+comment < at[1] {
			continue
		}
		wrong := text[:at[0]] + turned[text[at[0]:at[1]]] + text[at[1]:]
		line := strings.TrimSpace(wrong[first : end+len(wrong)-len(text)])
		if !slices.Contains(harmless, line) {
			sources, places = append(sources, wrong), append(places, line)
		}
	}
	if len(sources) < 80 {
		t.Fatalf("only %d signs", len(sources))
	}
	sets, rules := randomSets(300), games()[:60]
	for i, got := range askNode(t, sources, sets, rules) {
		if !got.fails(t, sets, rules) {
			t.Errorf("no comparison fails with %s", places[i])
		}
	}
	t.Logf("%d wrong signs", len(sources))
}

// fails reports whether a comparison fails.
func (a *answer) fails(t *testing.T, sets []set, rules []game) bool {
	if a == nil {
		return true
	}
	for i, g := range rules {
		if g.differs(a.Rules[i]) != "" {
			return true
		}
	}
	for i, s := range sets {
		if s.differs(t, a.Sets[i]) != "" {
			return true
		}
	}
	return false
}
