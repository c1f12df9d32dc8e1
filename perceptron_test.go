package perceptron

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNames: every constant survives a round trip through its name, in any case.
func TestNames(t *testing.T) {
	checkNames(t, new(Stop), Running, Converged, Cycled, EpochLimit)
	checkNames(t, new(Order), Cyclic, Shuffled, Sampled)
	checkNames(t, new(Keep), Last, Average, Pocket)
	checkNames(t, new(Space), Affine, Linear)
	if got := fmt.Sprint(Converged, Sampled, Average, Linear, Stop(9), Order(3)); got != "Converged Sampled Average Linear Stop(9) Order(3)" {
		t.Error(got)
	}
}

type named interface {
	comparable
	MarshalText() ([]byte, error)
}

func checkNames[E named](t *testing.T, zero interface{ UnmarshalText([]byte) error }, constants ...E) {
	t.Helper()
	for _, c := range constants {
		text := must(c.MarshalText())(t)
		if err := zero.UnmarshalText(text); err != nil || *any(zero).(*E) != c || string(text) != fmt.Sprint(c) {
			t.Errorf("%s: %v, %v", text, zero, err)
		}
		lower := slices.Clone(text)
		for i := range lower {
			lower[i] |= 0x20
		}
		if err := zero.UnmarshalText(lower); err != nil || *any(zero).(*E) != c {
			t.Errorf("%s: %v, %v", lower, zero, err)
		}
	}
}

// text is a type of constants with names.
type text interface {
	MarshalText() ([]byte, error)
	UnmarshalText([]byte) error
}

// TestErrorNames: an unknown name, and a value that is no constant, are rejected. The
// value stays as it was.
func TestErrorNames(t *testing.T) {
	stop, order, keep, space := Stop(4), Order(3), Keep(3), Space(2)
	for _, c := range []struct {
		v           text
		kind, names string
	}{
		{&stop, "Stop(4)", "Running, Converged, Cycled, EpochLimit"}, {&order, "Order(3)", "Cyclic, Shuffled, Sampled"},
		{&keep, "Keep(3)", "Last, Average, Pocket"}, {&space, "Space(2)", "Affine, Linear"},
	} {
		name, _, _ := strings.Cut(c.kind, "(")
		err := c.v.UnmarshalText([]byte("left"))
		checkErrors(t, ErrFormat, -1, "bad format: "+name+` "left" is none of `+c.names, err)
		checkErrors(t, ErrFormat, -1, "bad format: "+c.kind+" is none of "+c.names, only(c.v.MarshalText()))
		if got := fmt.Sprint(c.v); got != c.kind {
			t.Errorf("%s, want %s", got, c.kind)
		}
	}
}
