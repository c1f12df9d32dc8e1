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

// A plane is a form with three fields.
type plane struct {
	Weights []float64   `json:"weights"`
	Bias    float64     `json:"bias"`
	List    [][]float64 `json:"vectors,omitempty"`
}

func (p *plane) Vectors() *[][]float64 { return &p.List }

// A tree is a form with a field of every type that a form may have.
type tree struct {
	Kind Kind `json:"kind"`
	base
	Name  colour      `json:"name"`
	Count Word        `json:"count"`
	Root  *leaf       `json:"root,omitempty"`
	Top   leaf        `json:"top"`
	Even  bool        `json:"even"`
	Few   []float64   `json:"few"`
	Texts []string    `json:"texts"`
	List  [][]float64 `json:"vectors,omitempty"`
}

func (t *tree) Vectors() *[][]float64 { return &t.List }

type leaf struct {
	Sizes []int `json:"sizes"`
}

// bare is a form without vectors.
type bare struct {
	Size int `json:"size"`
}

func (*bare) Vectors() *[][]float64 { return nil }

// base is embedded, so its fields are fields of tree.
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
		return fmt.Errorf("%w: %q is none of red, blue", errColour, text)
	}
	return nil
}

// grown returns a tree with a value in every field.
func grown() *tree {
	return &tree{"tree/1", base{-7}, 1, math.MaxUint64, &leaf{[]int{3}}, leaf{[]int{}}, true, []float64{5e-324, -1}, []string{"é<"}, [][]float64{{3, 4}, nil, {-1}}}
}

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
	text, err := JSON(grown(), nil)
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"kind":"tree/1","size":-7,"name":"blue","count":"18446744073709551615","root":{"sizes":[3]},"top":{"sizes":[]},"even":true,"few":[5e-324,-1],"texts":["é\u003c"]`
	const want = head + `,"vectors":[[3,4],[],[-1]]}`
	if got := strings.Replace(string(text), "null", "[]", 1); got != want { // no form has an empty vector
		t.Errorf("written as\n%s, want\n%s", got, want)
	}
	spaced := strings.NewReplacer(",", "\t,\n", "{", " { ").Replace(want)
	frame, err := Binary(grown(), nil)
	if frameWant := framed(head+"}", u(2), u(2), 3.0, 4.0, u(0), u(0), u(1), u(1), -1.0); err != nil || !bytes.Equal(frame, frameWant) {
		t.Errorf("%v, %q, want %q", err, frame, frameWant)
	}
	done, wanted := errors.New("done"), grown()
	wanted.Top.Sizes = nil // an empty array is read as nil
	for name, read := range map[string]func(Form) error{
		"JSON":  func(form Form) error { return ReadJSON([]byte(spaced), form, func() error { return done }) },
		"frame": func(form Form) error { return ReadFrame(frame, form, func() error { return done }) },
		"file":  func(form Form) error { return readFile(bytes.NewReader(frame), form, func() error { return done }) },
	} {
		got := &tree{Kind: "tree/1"}
		err := read(got)
		if got.List[1] = nil; err != done || !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s: %v: read\n%+v, want\n%+v", name, err, got, wanted)
		}
	}
	if _, err := JSON(grown(), done); err != done {
		t.Error(err)
	}
	if got, err := Binary(new(plane), done); err != done || got != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, _, err := Split(&plane{Bias: math.NaN()}, nil); err == nil {
		t.Error("NaN is written")
	}
}

// TestFloats: any finite float64 is read back with the same bits, from either form. So does
// encoding/json, as another program.
func TestFloats(t *testing.T) {
	w := []float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e21, 1e-7, 123456789, 0.1}
	r := rand.New(rand.NewPCG(32, 0))
	for len(w) < 5000 {
		if v := math.Float64frombits(r.Uint64()); vec.IsFinite(v) {
			w = append(w, v)
		}
	}
	text, err := JSON(plane{w, w[1], [][]float64{w}}, nil)
	frame, errFrame := Binary(&plane{w, w[1], [][]float64{w}}, nil)
	if err := cmp.Or(err, errFrame); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(p *plane) error{
		"JSON":          func(p *plane) error { return ReadJSON(text, p, nothing) },
		"a frame":       func(p *plane) error { return ReadFrame(frame, p, nothing) },
		"encoding/json": func(p *plane) error { return json.Unmarshal(text, p) },
	} {
		var got plane
		if err := read(&got); err != nil || !slices.EqualFunc(slices.Concat(got.Weights, got.List[0], []float64{got.Bias}), slices.Concat(w, w, w[1:2]), naive.SameBits) {
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
	check(t, "no field", Index(".a", 3, Expect(false, "", "%d, want %d", 1, 2)), "a[3]: 1, want 2")
	for _, err := range []error{At(".a", nil), Index(".a", 1, nil), Expect(true, "a", "%d", 1)} {
		if err != nil {
			t.Error(err)
		}
	}
}
