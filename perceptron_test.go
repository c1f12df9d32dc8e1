package perceptron

import (
	"fmt"
	"slices"
	"testing"
)

// TestNames: every constant's name survives the round trip, in any case.
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
