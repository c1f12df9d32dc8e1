package saved

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// A plane is a form with two fields.
type plane struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

func (p *plane) Exchange(f func(v Vector, last ...float64) Vector) {
	v, bias := f(Whole(p.Weights), p.Bias).Cut()
	p.Weights, p.Bias = v.Dense(), bias
}

// A tree is a form with a field of every type that a form may have.
type tree struct {
	base
	Name   colour  `json:"name"`
	Count  Word    `json:"count"`
	Planes []plane `json:"planes"`
	Root   *plane  `json:"root,omitempty"`
	Top    plane   `json:"top"`
	Even   bool    `json:"even"`
	Few    Vector  `json:"few"`
}

func (t *tree) Exchange(f func(v Vector, last ...float64) Vector) {
	for i := range t.Planes {
		t.Planes[i].Exchange(f)
	}
	if t.Root != nil {
		t.Root.Exchange(f)
	}
	t.Top.Exchange(f)
	t.Few = f(t.Few)
}

// base is embedded: its fields are tree's.
type base struct {
	Size int64 `json:"size"`
}

// A colour is red or blue, written as text.
type colour uint8

var errColour = errors.New("bad colour")

func (c colour) MarshalText() ([]byte, error) {
	if names := []string{"red", "blue"}; int(c) < len(names) {
		return []byte(names[c]), nil
	}
	return nil, errColour
}

func (c *colour) UnmarshalText(text []byte) error {
	switch strings.ToLower(string(text)) {
	case "red":
		*c = 0
	case "blue":
		*c = 1
	default:
		return fmt.Errorf("%w: %q", errColour, text)
	}
	return nil
}

var planted = tree{base{-7}, 1, math.MaxUint64, []plane{{nil, 1}, {[]float64{5e-324, -1}, 0.1}}, &plane{[]float64{3}, 4}, plane{nil, -2}, true, Vector{N: 1 << 20, Index: []uint32{3, 1<<20 - 1}, Value: []float64{7, -1}}}

// check fails unless err is an ErrFormat with this text.
func check(t *testing.T, what string, err error, text string) {
	t.Helper()
	if !errors.Is(err, ErrFormat) || err.Error() != "perceptron: bad format: "+text {
		t.Errorf("%s: %v, want %s", what, err, text)
	}
}

// reject reads what is not a form of the type, and checks the error.
func reject[F any, P interface {
	*F
	Form
}](t *testing.T, read Reader, data []byte, text string) {
	t.Helper()
	var form F
	err := read(data, P(&form), func() error { t.Errorf("%.80q is accepted", data); return nil })
	check(t, fmt.Sprintf("%.80q", data), err, text)
}

// TestRead reads both forms, and returns the error of done.
func TestRead(t *testing.T) {
	text, err := JSON(planted, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"size":-7,"name":"blue","count":"18446744073709551615","planes":[{"weights":null,"bias":1},{"weights":[5e-324,-1],"bias":0.1}],` +
		`"root":{"weights":[3],"bias":4},"top":{"weights":null,"bias":-2},"even":true,"few":{"length":1048576,"index":[3,1048575],"value":[7,-1]}}`
	if string(text) != want {
		t.Errorf("written as\n%s, want\n%s", text, want)
	}
	spaced := strings.NewReplacer("null", " [ ] ", ",", "\t,\n", "{", " { ").Replace(want) // a form holds no null
	done, changed, root := errors.New("done"), planted, *planted.Root
	changed.Planes, changed.Root = slices.Clone(planted.Planes), &root
	frame, err := Binary(&changed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(Form) error{
		func(form Form) error { return ReadJSON([]byte(spaced), form, func() error { return done }) },
		func(form Form) error { return ReadFrame(frame, form, func() error { return done }) },
		func(form Form) error { return ReadFile(opened(t, string(frame)), form, func() error { return done }) },
	} {
		var got tree
		if err := read(&got); err != done || !reflect.DeepEqual(got, planted) {
			t.Errorf("%v: read\n%+v, want\n%+v", err, got, planted)
		}
	}
	if _, err := JSON(planted, done); err != done {
		t.Error(err)
	}
	if got, err := Binary(new(plane), done); err != done || got != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Binary(&plane{Bias: 1, Weights: []float64{2}}, nil); err != nil || !bytes.Equal(got, framed(head, u(2), u(2), 2.0, 1.0)) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFloats: any finite float64 is read back with the same bits, from either form. So does
// encoding/json, as another program.
func TestFloats(t *testing.T) {
	want := plane{[]float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e21, 1e-7, 123456789, 0.1}, math.Copysign(0, -1)}
	r := rand.New(rand.NewPCG(32, 0))
	for len(want.Weights) < 5000 {
		if v := math.Float64frombits(r.Uint64()); vec.IsFinite(v) {
			want.Weights = append(want.Weights, v)
		}
	}
	text, err := JSON(want, nil)
	frame, errFrame := Binary(&plane{want.Weights, want.Bias}, nil)
	if err := cmp.Or(err, errFrame); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(p *plane) error{
		"JSON":          func(p *plane) error { return ReadJSON(text, p, nothing) },
		"a frame":       func(p *plane) error { return ReadFrame(frame, p, nothing) },
		"encoding/json": func(p *plane) error { return json.Unmarshal(text, p) },
	} {
		var got plane
		if err := read(&got); err != nil || !slices.EqualFunc(append(got.Weights, got.Bias), append(want.Weights, want.Bias), naive.SameBits) {
			t.Errorf("%s has other floats, %v", name, err)
		}
	}
}

// TestErrors checks the path and the text of errors.
func TestErrors(t *testing.T) {
	inner := Errorf("found %d", 7)
	check(t, "no path", inner, "found 7")
	check(t, "a path", At(".a", At("[3]", At(".b", inner))), "a[3].b: found 7")
	check(t, "no part", At("", inner), "found 7")
	check(t, "another error", At(".a", errors.New("broken: in two")), "a: broken: in two")
	check(t, "a kind", At(".a", fmt.Errorf("%w: -1", errColour)), "a: -1")
	check(t, "a kind at the end", At("", fmt.Errorf("-1: %w", errColour)), "-1: bad colour")
	check(t, "not expected", Expect(false, "a", "%d, want %d", 1, 2), "a: 1, want 2")
	for _, err := range []error{At(".a", nil), Expect(true, "a", "%d", 1)} {
		if err != nil {
			t.Error(err)
		}
	}
}
