package perceptron_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestOnTheWay runs Online, update by update, over data with a planted margin, in
// both spaces, at many rates, from zero and elsewhere. It checks every iterate, and
// the counts against StartBound, which is MistakeBound from zero.
func TestOnTheWay(t *testing.T) {
	for seed := range uint64(24) {
		set, u := planted(seed, 40, 4, 0.2)
		s := perceptron.Space(seed % 2)
		for _, eta := range []float64{1, 0.1, 0.25, 7} {
			for _, far := range []float64{0, 0.3, 5} {
				start := perceptron.Hyperplane{Weights: make([]float64, 4)}
				for j := range start.Weights {
					start.Weights[j] = far * math.Sin(float64(seed)+float64(j))
				}
				p := &perceptron.Online{Rate: eta, Space: s, Start: start}
				walkOnline(t, p, set, u)
			}
		}
	}
}

// lowest returns μ = min(0, 2 min y⟨w(0), x⟩).
func lowest(t *testing.T, start perceptron.Hyperplane, set naive.Set) (mu float64) {
	t.Helper()
	for i, x := range set.X {
		mu = min(mu, 2*float64(set.Y[i])*must(start.Score(x))(t))
	}
	return mu
}

// walkOnline checks each iterate, with some slack for rounding: Ak² ≤ ‖w(k) − w(0)‖² ≤ Bk, and from
// zero ηkγ ≤ ‖w(k)‖ ≤ η√k R.
func walkOnline(t *testing.T, p *perceptron.Online, set naive.Set, u perceptron.Hyperplane) {
	t.Helper()
	k := 0
	const slack = 1 + 1e-12
	R, gamma := radiusOf(t, set, p.Space), gammaOf(t, set, u, p.Space)
	mu, length := lowest(t, p.Start, set), norm(p.Start.Weights)
	A, B := perceptron.StartEnvelope(R, gamma, p.Rate, mu)
	for clean := 0; clean < len(set.X); {
		for i, x := range set.X {
			if clean++; !must(p.Update(x, set.Y[i]))(t) {
				continue
			}
			clean = 0
			k++
			w, n := perceptron.Vector(p.Hyperplane()), float64(k)
			if now := norm(w); length == 0 && (now*slack < p.Rate*n*gamma || now > p.Rate*math.Sqrt(n)*R*slack) {
				t.Fatalf("update %d: ‖w‖ = %v is outside [%v, %v]", k, now, p.Rate*n*gamma, p.Rate*math.Sqrt(n)*R)
			}
			for j, from := range p.Start.Weights {
				w[j] -= from
			}
			if moved := vec.Dot(w, w); moved*slack < A*n*n || moved > B*n*slack {
				t.Fatalf("update %d: ‖w(k)−w(0)‖² = %v is outside [%v, %v]", k, moved, A*n*n, B*n)
			}
		}
	}
	if bound := perceptron.StartBound(R, gamma, p.Rate, length, mu); float64(k) > bound {
		t.Fatalf("%d mistakes, bound %v (R %v, γ %v, η %v, ‖w(0)‖ %v, μ %v)", k, bound, R, gamma, p.Rate, length, mu)
	}
}

// TestOtherStarts: from w(0) the bounds grow by 2‖w(0)‖/(ηγ), MarginBound by
// 2‖w(0)‖/(η(γ − γ′/2)), in any order and at any rate.
func TestOtherStarts(t *testing.T) {
	for seed := range uint64(15) {
		set, u := planted(seed, 40, 3, 0.2)
		R, gamma := radiusOf(t, set, perceptron.Linear), gammaOf(t, set, u, perceptron.Linear)
		start := perceptron.Hyperplane{Weights: []float64{-float64(seed), 3, math.Cos(float64(seed))}}
		length, order := norm(start.Weights), perceptron.Order(seed%3)
		for _, eta := range []float64{1, 0.1, 6} {
			k, _ := perceptron.ThresholdBound(R, gamma, eta, R)
			more := 2 * length / (eta * gamma)
			margin := perceptron.Margin{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}
			theta, half := margin, margin
			theta.Threshold, half.Gamma = R, gamma
			for _, c := range []struct {
				p     perceptron.Model
				bound float64
			}{
				{&perceptron.Online{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.StartBound(R, gamma, eta, length, lowest(t, start, set))},
				{&perceptron.Batch{Space: perceptron.Linear, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.BatchBound(len(set.X), R, gamma) + more},
				{&theta, k + more},
				{&margin, 3*perceptron.MistakeBound(R, gamma) + more},
				{&half, perceptron.MarginBound(R, gamma, gamma) + 2*more},
			} {
				if res := fit(t, set, c.p); float64(res.Mistakes) > c.bound || res.Stop != perceptron.Converged || res.Upper != inf {
					t.Fatalf("%T, η = %v: %+v, bound %v", c.p, eta, res, c.bound)
				}
			}
		}
	}
}

// TestBatchBound: Batch keeps its bound, at many rates.
func TestBatchBound(t *testing.T) {
	for seed := range uint64(20) {
		set, u := planted(seed, 60, 3, 0.2)
		s := perceptron.Space(seed % 2)
		R, gamma := radiusOf(t, set, s), gammaOf(t, set, u, s)
		for _, eta := range []float64{1, 0.1, 6} {
			p := &perceptron.Batch{Space: s, Rate: eta, MaxEpochs: 1e6}
			res := fit(t, set, p)
			if bound := perceptron.BatchBound(len(set.X), R, gamma); res.Stop != perceptron.Converged || float64(res.Mistakes) > bound || float64(res.Epochs-1) > bound {
				t.Fatalf("%+v, bound %v", res, bound)
			}
		}
	}
}

// TestInseparable: runs on noisy data keep the bound for many u and γ, with D and L
// over the updates, and over all examples presented.
func TestInseparable(t *testing.T) {
	for seed := range uint64(12) {
		set := naive.Noisy(seed, 40, 3)
		s := perceptron.Space(seed % 2)
		R := radiusOf(t, set, s)
		const epochs = 6
		p := &perceptron.Online{Space: s, Rate: []float64{1, 0.1, 9}[seed%3]}
		updates := naive.Set{}
		r := rand.New(rand.NewPCG(seed, 7))
		for range epochs {
			for _, i := range r.Perm(len(set.X)) {
				if must(p.Update(set.X[i], set.Y[i]))(t) {
					updates.Add(set.X[i], set.Y[i])
				}
			}
		}
		checkInseparable(t, r, updates, s, R, func(u perceptron.Hyperplane, gamma, over float64) {
			D, L := deviationsOf(t, set, u, s, gamma)
			if all := perceptron.InseparableBound(R, gamma, math.Sqrt(epochs)*D, epochs*L); over > all*(1+1e-12) {
				t.Fatalf("over the updates %v, over all examples %v", over, all)
			}
		})
	}
}

// checkInseparable fails unless the updates keep the bound, for random u and γ. It calls more with
// the bound.
func checkInseparable(t *testing.T, r *rand.Rand, updates naive.Set, s perceptron.Space, R float64, more func(u perceptron.Hyperplane, gamma, bound float64)) {
	t.Helper()
	for range 30 {
		u := perceptron.Hyperplane{Weights: naive.Gaussian(r, len(updates.X[0]))}
		gamma := math.Exp(r.NormFloat64())
		D, L := deviationsOf(t, updates, u, s, gamma)
		bound := perceptron.InseparableBound(R, gamma, D, L)
		if k := len(updates.X); float64(k) > bound {
			t.Fatalf("%d updates, bound %v", k, bound)
		}
		more(u, gamma, bound)
	}
}

// TestGammaGrows: under Gamma a run on data that is not separable need not cycle. Each
// epoch adds 1 to the weight.
func TestGammaGrows(t *testing.T) {
	p := &perceptron.Margin{Space: perceptron.Linear, Gamma: 2, MaxEpochs: 50}
	res := must(p.Fit([][]float64{{1}, {1}, {-1}}, []int{1, 1, 1}))(t)
	perceptron.Diff(t, "Stop", res.Stop, perceptron.EpochLimit)
	perceptron.Diff(t, "updates", res.Mistakes, 150)
	perceptron.Diff(t, "w", p.Hyperplane().Weights[0], 50)
}

// TestRounding checks the theorem float_bound on runs with features of very different
// size: the errors of scores and updates are at most ε and δ, each update happens where
// the exact score is at most ε, and k is within the bound.
func TestRounding(t *testing.T) {
	t.Parallel()
	const (
		unit      = 0x1p-53
		underflow = 0x1p-1074 // τ = 2⁻¹⁰⁷⁵ is no float64
	)
	r := rand.New(rand.NewPCG(1, 30))
	var updates, rounded, bounded int
	for i := range perceptron.Share(24) {
		step := i * 24 / perceptron.Share(24)
		d, eta := 1+r.IntN(40), []float64{1, 0.1, 3}[r.IntN(3)]
		scale, u := make([]float64, d), make([]float64, d)
		for j := range scale {
			scale[j] = math.Ldexp(1+r.Float64(), r.IntN(10+3*step)-5-step)
			u[j] = r.NormFloat64() / scale[j]
		}
		var set naive.Set
		for len(set.X) < 20 {
			x, s, most := make([]float64, d), 0.0, 0.0
			for j := range x {
				x[j] = scale[j] * r.NormFloat64()
				s += u[j] * x[j]
				most += math.Abs(u[j] * x[j])
			}
			if math.Abs(s) >= 0.3*most {
				set.Add(x, int(math.Copysign(1, s)))
			}
		}
		sep := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t)
		p := &perceptron.Online{Rate: eta, Space: perceptron.Linear}
		w := make([]float64, d)
		var k, W, largest float64
		var met []float64 // scores where it updated
		for range 30 {
			for i, x := range set.X {
				if !must(p.Update(x, set.Y[i]))(t) {
					continue
				}
				k++
				y := float64(set.Y[i])
				score, _ := perceptron.RatDot(w, x).Float64()
				met = append(met, y*score)
				next := p.Hyperplane().Weights
				for j := range w {
					off, _ := perceptron.RatDot([]float64{w[j], eta * y, -1}, []float64{1, x[j], next[j]}).Float64()
					most := unit*(math.Abs(w[j])+eta*math.Abs(x[j])) + (1+unit)*(unit*eta*math.Abs(x[j])+underflow)
					if math.Abs(off) > most {
						t.Fatalf("weight %d: error %v of at most %v", j, off, most)
					}
					if off != 0 {
						rounded++
					}
					W, largest = max(W, math.Abs(next[j])), max(largest, math.Abs(x[j]))
				}
				w = next
			}
		}
		updates += int(k)
		// The theorem's numbers, with one more rounding each.
		grow := math.Pow(1+unit, float64(d/32+11))
		epsilon := (grow-1)*float64(d)*W*largest + grow*float64(d)*underflow
		delta := unit*(W+eta*largest) + (1+unit)*(unit*eta*largest+underflow)
		if most := slices.Max(met); most > epsilon {
			t.Errorf("an update at the score %v, want at most ε = %v", most, epsilon)
		}
		progress := eta*sep.Lower - 2*math.Sqrt(float64(d))*delta
		if progress > 0 {
			bounded++
			bound := (eta*eta*sep.Radius*sep.Radius + 2*eta*epsilon) / (progress * progress)
			if k > bound*(1+1e-9) {
				t.Errorf("%v mistakes of at most %v", k, bound)
			}
		}
	}
	if updates < perceptron.Share(500) || rounded < perceptron.Share(500) || bounded < perceptron.Share(10) {
		t.Errorf("%d updates, %d of their coordinates rounded, %d bounds: too easy", updates, rounded, bounded)
	}
}

// filesOf returns the files of each pattern, which must match some.
func filesOf(t *testing.T, patterns ...string) (all []string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		all = append(all, files...)
	}
	return all
}

func page(t *testing.T, file string) string { return string(must(os.ReadFile(file))(t)) }

// theorems returns the file of each theorem in proofs.
func theorems(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, file := range filesOf(t, "proofs/*/*.v", "proofs/*.v") {
		for _, m := range regexp.MustCompile(`(?m)^Theorem (\w+)`).FindAllStringSubmatch(page(t, file), -1) {
			if other, twice := found[m[1]]; twice {
				t.Errorf("%s: %s is a theorem of %s too", file, m[1], other)
			}
			found[m[1]] = filepath.ToSlash(file)
		}
	}
	return found
}

// backticked returns the words of text between backticks.
func backticked(text string) (words []string) {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	return words
}

// TestTheorems checks docs/theorems.md. Each theorem has a proof, and names what states it in Go,
// its theorems in Coq and its tests. All of these exist. The page names every function of
// bound.go and every theorem in Coq.
func TestTheorems(t *testing.T) {
	t.Parallel()
	names, bounds := declared(t, "*.go", "internal/*/*.go"), declared(t, "bound.go")
	proved, named := theorems(t), map[string]bool{}
	for _, section := range strings.Split(page(t, "docs/theorems.md"), "\n## ")[2:] { // after the notation
		title, body, _ := strings.Cut(section, "\n")
		body = strings.Join(strings.Fields(body), " ")
		m := regexp.MustCompile(` \*Proof\.\* .* ∎ .*Go: (.*)\. Coq: (.*)\. Tests: (.*)\.$`).FindStringSubmatch(body)
		if m == nil {
			t.Errorf("%s: no proof with Go, Coq and tests", title)
			continue
		}
		quoted := func(list string) (words []string) {
			words = backticked(list)
			for _, w := range words {
				named[w] = true
			}
			return words
		}
		for _, name := range append(quoted(m[1]), quoted(m[3])...) {
			if !names[name] {
				t.Errorf("%s: %s does not exist", title, name)
			}
		}
		for _, in := range regexp.MustCompile(`([^.]*?) in ([\w/]+\.v)`).FindAllStringSubmatch(m[2], -1) {
			for _, name := range quoted(in[1]) {
				if proved[name] != "proofs/"+in[2] {
					t.Errorf("%s: %s is in %q, not in %s", title, name, proved[name], in[2])
				}
			}
		}
	}
	for name, file := range proved {
		if !named[name] {
			t.Errorf("docs/theorems.md does not name %s of %s", name, file)
		}
	}
	for name := range bounds {
		if token.IsExported(name) && !named[name] {
			t.Errorf("no theorem names %s", name)
		}
	}
}

// declared returns the names declared in Go files: functions, types and constants, and
// methods and fields as Type.Name.
func declared(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range filesOf(t, patterns...) {
		for _, d := range must(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t).Decls {
			declare(names, d)
		}
	}
	return names
}

// declare adds the names that d declares.
func declare(names map[string]bool, d ast.Decl) {
	if d, ok := d.(*ast.FuncDecl); ok {
		name := d.Name.Name
		if d.Recv != nil {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
		}
		names[name] = true
		return
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range s.Names {
				names[name.Name] = true
			}
		case *ast.TypeSpec:
			names[s.Name.Name] = true
			if fields, ok := s.Type.(*ast.StructType); ok {
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						names[s.Name.Name+"."+name.Name] = true
					}
				}
			}
		}
	}
}
