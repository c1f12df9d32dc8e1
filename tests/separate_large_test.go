package tests_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// sizedRows draws rows whose features have sizes from 10⁻³ to 10⁴. Unless the labels are noise,
// they are those of a random hyperplane. All rows had a distance of at least gap from it before
// their features were scaled to these sizes.
func sizedRows(seed uint64, n, d int, gap float64, noise bool) naive.Set {
	set := naive.Separable(seed, n, d, gap)
	if noise {
		set = naive.Noisy(seed, n, d)
	}
	naive.Size(set.X)
	set.Name = fmt.Sprintf("%d features of many sizes", d)
	return set
}

func turned(s naive.Set) naive.Set {
	return naive.Set{Name: s.Name + ", turned", X: naive.Turned(s.X), Y: s.Y}
}

// TestSeparateSizes: with R/γ near 10⁸ the bracket is narrow, and contradictions are found.
func TestSeparateSizes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			set := sizedRows(seed, 400, 30, 0.01, false)
			for _, set := range []naive.Set{set, turned(set)} {
				sep := bracketed(t, set, s, 1e-8)
				if K := sep.Radius / sep.Lower; K < 1e7 || K > 1e9 {
					t.Errorf("%s: R/γ = %v, want about 10⁸", set.Name, K)
				}
			}
			set = sizedRows(seed, 400, 30, 0, true)
			contradictory(t, set, s)
			contradictory(t, turned(set), s)
		}
	}
	bracketed(t, sizedRows(9, 1000, 40, 0.1, false), perceptron.Affine, 1e-9)
	contradictory(t, sizedRows(9, 1000, 40, 0, true), perceptron.Affine)
}

// TestSeparateScaled: rows twice as long have twice γ and the same multipliers, bit for bit.
func TestSeparateScaled(t *testing.T) {
	for seed := range uint64(6) {
		set := naive.Separable(seed, 120, 6, 0.1)
		if seed >= 4 {
			set = naive.Noisy(seed, 120, 6)
		}
		sep := separate(t, set, perceptron.Linear)
		for _, power := range []float64{2, 0x1p-300, 0x1p500} {
			longer := naive.Set{Name: "longer", Y: set.Y}
			for _, x := range set.X {
				z := make([]float64, len(x))
				vec.Axpy(z, z, power, x)
				longer.X = append(longer.X, z)
			}
			got := separate(t, longer, perceptron.Linear)
			if got.Lower != power*sep.Lower || got.Upper != power*sep.Upper || !slices.Equal(got.Multipliers, sep.Multipliers) || !samePlane(got.Hyperplane, sep.Hyperplane) {
				t.Fatalf("times %v: γ in [%v, %v], was [%v, %v]", power, got.Lower, got.Upper, sep.Lower, sep.Upper)
			}
		}
	}
}

// TestSeparateMemory: for many rows, all that Separate ever allocates is a small part
// of the data's memory.
func TestSeparateMemory(t *testing.T) {
	const n, d = 20000, 30
	set := naive.Separable(5, n, d, 0.1)
	used, _ := naive.Allocated(func() { must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t) })
	data := uint64(8 * n * d)
	if used > data/2 {
		t.Errorf("%d bytes allocated for %d bytes of data", used, data)
	}
}

func TestSeparateMushroom(t *testing.T) {
	set := naive.Mushroom(t)
	sep := bracketed(t, set, perceptron.Affine, 1e-13)
	if math.Abs(sep.Lower-0.2747548378) > 1e-9*0.2747548378 || sep.MistakeBound() < 304.6 || sep.MistakeBound() > 304.8 {
		t.Errorf("γ in [%v, %v], at most %v mistakes", sep.Lower, sep.Upper, sep.MistakeBound())
	}
	set.X, set.Y = append(set.X, set.X[77]), append(set.Y, -set.Y[77])
	contradictory(t, set, perceptron.Affine)
}

// TestSeparateDigit: 0 against the rest of 10,000 digits.
func TestSeparateDigit(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("takes minutes on an emulated machine; TestGolden has its bits")
	}
	set := naive.Digits(t)
	set.Y = naive.Against(set.Y, 0)
	sep := bracketed(t, set, perceptron.Affine, 1e-13)
	if math.Abs(sep.Lower-0.0842517623) > 1e-10 {
		t.Errorf("γ in [%v, %v]", sep.Lower, sep.Upper)
	}
}

// TestSeparateEuclidean: in Affine space γ is measured with ‖(w, b)‖, so the hyperplane is
// not the one with the widest Euclidean margin. On iris petals, setosa against the rest, it
// has .596. On petals times 10⁻⁴ it has .652, and is turned by 24°.
func TestSeparateEuclidean(t *testing.T) {
	iris := naive.Iris(t)
	find := func(c float64) (margin, angle float64) {
		var set naive.Set
		for i, x := range iris.X {
			set.X, set.Y = append(set.X, []float64{c * x[2], c * x[3]}), append(set.Y, 1-2*min(1, iris.Y[i]))
		}
		h := must(perceptron.Separate(set.X, set.Y, perceptron.Affine))(t).Hyperplane
		margin = math.Inf(1)
		for i, x := range set.X {
			margin = min(margin, float64(set.Y[i])*must(h.Distance(x))(t)/c)
		}
		return margin, math.Atan2(h.Weights[1], h.Weights[0]) * 180 / math.Pi
	}
	margin, angle := find(1)
	wide, turned := find(1e-4)
	diff(t, "margins and angle", fmt.Sprintf("%.3f %.3f %.0f", margin, wide, angle-turned), "0.596 0.652 24")
}

// TestSeparateSupport: with hundreds of support vectors the bracket is as narrow as with few.
func TestSeparateSupport(t *testing.T) {
	t.Parallel()
	for _, set := range []naive.Set{naive.OneHot(200), naive.Noisy(1, 150, 300), turned(sizedRows(3, 150, 200, 0.1, false))} {
		for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			most := 1e-14
			if set.Name != "one-hot" {
				most = 1e-12
			}
			if sep := bracketed(t, set, s, most); supporting(sep) < 70 {
				t.Errorf("%s, %v: %d support vectors, want many", set.Name, s, supporting(sep))
			}
		}
	}
}

var large = flag.Bool("large", false, "benchmark Separate with thousands of support vectors too, which takes minutes")

// BenchmarkSeparate: mushroom is skipped without PERCEPTRON_DATA. The largest rows need -large.
func BenchmarkSeparate(b *testing.B) {
	sets := []naive.Set{
		naive.OneHot(500), naive.Noisy(1, 400, 1000), naive.Separable(1, 3000, 100, 0.1), naive.Noisy(1, 3000, 100), sizedRows(1, 400, 30, 0.01, false),
	}
	if *large {
		sets = append(sets, naive.OneHot(3100), naive.Noisy(1, 2000, 5000), naive.Noisy(1, 4000, 6500))
	}
	for _, set := range sets {
		b.Run(fmt.Sprintf("%s/%dx%d", set.Name, len(set.X), len(set.X[0])), func(b *testing.B) { benchmarkSeparate(b, set) })
	}
	b.Run("mushroom", func(b *testing.B) { benchmarkSeparate(b, naive.Mushroom(b)) })
}

func benchmarkSeparate(b *testing.B, set naive.Set) {
	var sep perceptron.Separation
	for b.Loop() {
		sep = must(perceptron.Separate(set.X, set.Y, perceptron.Affine))(b)
	}
	b.ReportMetric(float64(supporting(sep)), "support")
}

// TestSeparateContradiction: for rows that no hyperplane separates, Upper is below 10⁻¹⁶R. It is
// rarely 0.
func TestSeparateContradiction(t *testing.T) {
	sets, zeros := 0, 0
	for seed := range uint64(300) {
		for _, space := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			r := rand.New(rand.NewPCG(seed, 36))
			d := 1 + r.IntN(8)
			set := naive.Uniform(seed, 20+6*d, d, 1)
			for i := range set.Y {
				set.Y[i] = 2*r.IntN(2) - 1
			}
			s := must(perceptron.Separate(set.X, set.Y, space))(t)
			if s.Separable {
				continue
			}
			if sets++; s.Upper == 0 {
				zeros++
			}
			if !(s.Upper <= 1e-16*s.Radius) {
				t.Errorf("seed %d, %v: Upper is %v, R %v", seed, space, s.Upper, s.Radius)
			}
		}
	}
	if t.Logf("%d sets, %d with Upper = 0", sets, zeros); sets < 500 || zeros > sets/10 {
		t.Errorf("%d sets are not separable, %d have Upper = 0", sets, zeros)
	}
}

// tampered returns a changed deep copy of sep.
func tampered(sep perceptron.Separation, change func(*perceptron.Separation)) perceptron.Separation {
	sep.Hyperplane = planeOf(vector(sep.Hyperplane), len(sep.Hyperplane.Weights))
	sep.Multipliers = slices.Clone(sep.Multipliers)
	change(&sep)
	return sep
}

func above(v float64) float64 { return math.Nextafter(v, inf) }
func below(v float64) float64 { return math.Nextafter(v, -inf) }

// up moves v up by some units.
func up(v float64, units int) float64 {
	for range units {
		v = above(v)
	}
	return v
}

// certified has a certificate that float64 holds: γ = 1, R = 5.
var certified = naive.Set{Name: "certified", X: [][]float64{{3, 1}, {-3, 1}, {-4, -3}}, Y: []int{+1, +1, -1}}

const smaller = ", but the hyperplane has a smaller margin on the row"

// TestVerifyFalse changes one field at a time. Most changes are the least ones that make the claim
// false; others make it a claim about other rows. The error names the claim.
func TestVerifyFalse(t *testing.T) {
	sep := bracketed(t, certified, perceptron.Linear, 0)
	diff(t, "γ and R", []float64{sep.Lower, sep.Upper, sep.Radius}, []float64{1, 1, 5})
	nan := math.NaN()
	for _, c := range []struct {
		change func(*perceptron.Separation)
		want
	}{
		{func(s *perceptron.Separation) { s.Radius = below(5) }, want{perceptron.ErrCertificate, 2, "false certificate: Radius is 4.999999999999999, but the row is longer"}},
		{func(s *perceptron.Separation) { s.Radius = up(5, 5) }, want{perceptron.ErrCertificate, -1, "false certificate: Radius is 5.000000000000004, but every row is shorter"}},
		{func(s *perceptron.Separation) { s.Radius = -5 }, want{perceptron.ErrCertificate, 0, "false certificate: Radius is -5, but the row is longer"}},
		{func(s *perceptron.Separation) { s.Lower = above(1) }, want{perceptron.ErrCertificate, 0, "false certificate: Lower is 1.0000000000000002" + smaller}},
		{func(s *perceptron.Separation) { s.Hyperplane.Weights[0] = -0x1p-30 }, want{perceptron.ErrCertificate, 0, "false certificate: Lower is 1" + smaller}},
		{func(s *perceptron.Separation) { s.Hyperplane.Weights[0] = 0x1p-30 }, want{perceptron.ErrCertificate, 1, "false certificate: Lower is 1" + smaller}},
		{func(s *perceptron.Separation) { s.Hyperplane.Weights[1] *= -1 }, want{perceptron.ErrCertificate, 0, "false certificate: Lower is 1" + smaller}},
		{func(s *perceptron.Separation) { s.Upper = below(1) }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is 0.9999999999999999, but the Multipliers prove only a larger bound"}},
		{func(s *perceptron.Separation) { s.Upper = -1 }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is -1, but…"}},
		{func(s *perceptron.Separation) { s.Multipliers[0] += 0x1p-30 }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is 1, but…"}},
		{func(s *perceptron.Separation) { s.Multipliers[1] = 0 }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is 1, but…"}},
		{func(s *perceptron.Separation) { s.Multipliers[2] = 0x1p-30 }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is 1, but…"}},
		{func(s *perceptron.Separation) { clear(s.Multipliers) }, want{perceptron.ErrCertificate, -1, "false certificate: Upper is 1, but all Multipliers are 0"}},
		{func(s *perceptron.Separation) { s.Separable = false }, want{perceptron.ErrCertificate, -1, "false certificate: Separable is false, but Lower is 1"}},
		{func(s *perceptron.Separation) { s.Space = perceptron.Affine }, want{perceptron.ErrCertificate, 2, "false certificate: Radius is 5, but the row is longer"}},
		{func(s *perceptron.Separation) { s.Lower, s.Upper = 2, 0 }, want{perceptron.ErrCertificate, 0, "false certificate: Lower is 2" + smaller}},

		// Fields that cannot be about such rows.
		{func(s *perceptron.Separation) { *s = perceptron.Separation{} }, want{perceptron.ErrUntrained, -1, "untrained model: the hyperplane has no weights"}},
		{func(s *perceptron.Separation) { s.Space = 2 }, want{perceptron.ErrConfig, -1, "bad configuration: Space is 2, want one of Affine, Linear"}},
		{func(s *perceptron.Separation) { s.Hyperplane.Bias = 1 }, want{perceptron.ErrConfig, -1, "bad configuration: the bias is 1 in Linear space, want 0"}},
		{func(s *perceptron.Separation) { s.Hyperplane.Bias = -1 }, want{perceptron.ErrConfig, -1, "bad configuration: the bias is -1 in Linear space, want 0"}},
		{func(s *perceptron.Separation) { s.Hyperplane.Weights[1] = nan }, want{perceptron.ErrNotFinite, -1, "not finite: weight 1 is NaN"}},
		{func(s *perceptron.Separation) { clear(s.Hyperplane.Weights) }, want{perceptron.ErrNotFinite, -1, "not finite: the hyperplane is all zero and has no margin"}},
		{func(s *perceptron.Separation) { s.Hyperplane.Weights = []float64{1} }, want{perceptron.ErrDimension, -1, "dimension mismatch: Hyperplane has width 1, but the rows have 2"}},
		{func(s *perceptron.Separation) { s.Multipliers = nil }, want{perceptron.ErrDimension, -1, "dimension mismatch: len(Multipliers) is 0, want 3"}},
		{func(s *perceptron.Separation) { s.Multipliers = append(s.Multipliers, 0) }, want{perceptron.ErrDimension, -1, "dimension mismatch: len(Multipliers) is 4, want 3"}},
		{func(s *perceptron.Separation) { s.Multipliers[2] = inf }, want{perceptron.ErrNotFinite, -1, "not finite: multiplier 2 is +Inf"}},
		{func(s *perceptron.Separation) { s.Multipliers[2] = -5e-324 }, want{perceptron.ErrConfig, -1, "bad configuration: multiplier 2 is -5e-324, want at least 0"}},
		{func(s *perceptron.Separation) { s.Radius = inf }, want{perceptron.ErrNotFinite, -1, "not finite: Radius is +Inf"}},
		{func(s *perceptron.Separation) { s.Lower = nan }, want{perceptron.ErrNotFinite, -1, "not finite: Lower is NaN"}},
		{func(s *perceptron.Separation) { s.Upper = inf }, want{perceptron.ErrNotFinite, -1, "not finite: Upper is +Inf"}},
	} {
		c.check(t, perceptron.Verify(tampered(sep, c.change), certified.X, certified.Y))
	}
	// The same certificate for other data.
	X := [][]float64{{3, 1}, {-3, 0.5}, {-4, -3}}
	want{perceptron.ErrCertificate, 1, "false certificate: Lower is 1" + smaller}.check(t, perceptron.Verify(sep, X, certified.Y))
	want{perceptron.ErrCertificate, 2, "false certificate: Lower is 1" + smaller}.check(t, perceptron.Verify(sep, certified.X, []int{+1, +1, +1}))
}

// TestVerifyTrue: other claims that are true too, or weaker.
func TestVerifyTrue(t *testing.T) {
	sep := bracketed(t, certified, perceptron.Linear, 0)
	for name, change := range map[string]func(*perceptron.Separation){
		"a smaller Lower":       func(s *perceptron.Separation) { s.Lower = 0.5 },
		"a larger Upper":        func(s *perceptron.Separation) { s.Upper = 3 },
		"R up by four units":    func(s *perceptron.Separation) { s.Radius = up(5, 4) },
		"a longer normal":       func(s *perceptron.Separation) { s.Hyperplane.Weights[1] *= 3 },
		"multipliers times 2":   func(s *perceptron.Separation) { s.Multipliers[0] *= 2; s.Multipliers[1] *= 2 },
		"no claim to separable": func(s *perceptron.Separation) { s.Lower, s.Separable = -1, false },
	} {
		diff(t, name, perceptron.Verify(tampered(sep, change), certified.X, certified.Y), nil)
	}
	// Not separable: Lower is negative.
	sep = contradictory(t, naive.XOR, perceptron.Affine)
	want{perceptron.ErrCertificate, -1, "false certificate: Separable is true, but Lower is -…"}.check(t,
		perceptron.Verify(tampered(sep, func(s *perceptron.Separation) { s.Separable = true }), naive.XOR.X, naive.XOR.Y))
	want{perceptron.ErrCertificate, -1, "false certificate: Upper is 0, but…"}.check(t,
		perceptron.Verify(tampered(sep, func(s *perceptron.Separation) { s.Multipliers[0] = above(s.Multipliers[0]) }), naive.XOR.X, naive.XOR.Y))
	want{perceptron.ErrCertificate, 2, "false certificate: Lower is -0.707106781186547" + smaller}.check(t,
		perceptron.Verify(tampered(sep, func(s *perceptron.Separation) { s.Lower *= 1 - 1e-15 }), naive.XOR.X, naive.XOR.Y))
}

// TestSeparationJSON: a Separation keeps every bit in JSON, and a file of an earlier version is read.
func TestSeparationJSON(t *testing.T) {
	want, got := must(perceptron.Separate(naive.XOR.X, naive.XOR.Y, perceptron.Affine))(t), perceptron.Separation{}
	must(0, json.Unmarshal(must(json.Marshal(want))(t), &got))(t)
	diff(t, "from JSON", got, want)
	must(0, json.Unmarshal(must(os.ReadFile("testdata/saved/Separation.json"))(t), &got))(t)
	diff(t, "from a file", got, perceptron.Separation{
		Space: perceptron.Linear, Separable: true, Hyperplane: perceptron.Hyperplane{Weights: []float64{3, -4}}, Lower: 0.3, Upper: math.Nextafter(0.3, 1), Radius: 5,
		Multipliers: []float64{0, 0.25, 1e-300},
	})
}

// TestSeparations: each Separation is a proof, none is worse than the one before, and the last is
// Separate's. Some rows take an active set or a descent long.
func TestSeparations(t *testing.T) {
	t.Parallel()
	sets := []naive.Set{naive.XOR, naive.FourPoints, certified, naive.Separable(1, 400, 20, 0.1), naive.Noisy(1, 400, 20)}
	wide := naive.Separable(3, 150, 1000, 0.01) // with few non-zeros
	for i, x := range wide.X {
		for j := range x {
			if (7*i+j)%50 > 0 {
				x[j] = 0
			}
		}
	}
	against := wide
	against.X, against.Y = append(slices.Clone(wide.X), wide.X[3]), append(slices.Clone(wide.Y), -wide.Y[3])
	steps := 0
	for k, set := range append(sets, wide, against) {
		for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
			X := sparse(set.X)
			want := must(perceptron.Separate(X, set.Y, s))(t)
			var list []perceptron.Separation
			for sep, err := range perceptron.Separations(X, set.Y, s) {
				if err := cmp.Or(err, perceptron.Verify(sep, X, set.Y)); err != nil {
					t.Fatalf("set %d, %v: %v", k, s, err)
				}
				list = append(list, sep)
			}
			last := list[len(list)-1]
			if steps += len(list); !reflect.DeepEqual(last, want) {
				t.Errorf("set %d, %v: %+v, Separate %+v", k, s, last, want)
			}
			for i, sep := range list[1:] {
				if sep.Lower < list[i].Lower || sep.Upper > list[i].Upper || sep.Separable != (sep.Lower > 0) {
					t.Errorf("set %d, %v: γ in [%v, %v] after [%v, %v]", k, s, sep.Lower, sep.Upper, list[i].Lower, list[i].Upper)
				}
			}
			for sep := range perceptron.Separations(X, set.Y, s) { // the first alone
				diff(t, "first", sep, list[0])
				break
			}
		}
	}
	if steps < 40 {
		t.Errorf("%d Separations of all sets", steps)
	}
	n := 0
	for sep, err := range perceptron.Separations([][]float64{{1}, {2, 3}}, []int{1, 1}, perceptron.Linear) {
		diff(t, "after an error", sep, perceptron.Separation{})
		want{perceptron.ErrDimension, 1, "dimension mismatch: width 2, want 1"}.check(t, err)
		n++
	}
	for sep, err := range perceptron.Separations([]perceptron.Sparse{{}, {}}, []int{1, -1}, perceptron.Linear) {
		if n++; err != nil || sep.Lower != 0 || sep.Upper != 0 || perceptron.Verify(sep, []perceptron.Sparse{{}, {}}, []int{1, -1}) != nil {
			t.Errorf("rows of zeros: %+v, %v", sep, err)
		}
	}
	if n != 2 {
		t.Errorf("%d Separations, want 2", n)
	}
}
