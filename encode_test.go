package perceptron

import (
	"encoding"
	"encoding/json"
	"testing"
)

// A coder is what can be saved.
type coder interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	json.Marshaler
	json.Unmarshaler
}

var (
	_ coder = (*Online)(nil)
	_ coder = (*Batch)(nil)
	_ coder = (*Margin)(nil)
	_ coder = (*OneVsRest)(nil)
	_ coder = (*Hyperplane)(nil)
	_ coder = (*Separation)(nil)

	_ valueCoder = Online{}
	_ valueCoder = Batch{}
	_ valueCoder = Margin{}
	_ valueCoder = OneVsRest{}
	_ valueCoder = Hyperplane{}
	_ valueCoder = Separation{}
)

// A valueCoder can be saved from a copy.
type valueCoder interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	json.Marshaler
}

func TestQuick(t *testing.T) {
	for name, m := range zoo(t, 3) {
		c := m.(coder)
		b := must(c.MarshalBinary())(t)
		j := must(c.MarshalJSON())(t)
		t.Logf("%s %d %s", name, len(b), j)
		for i := range 2 {
			q := newModel(kindOf(m))
			if i == 0 {
				must(0, q.(coder).UnmarshalBinary(b))(t)
			} else {
				must(0, json.Unmarshal(j, q))(t)
			}
			if snapshot(q) != snapshot(m) {
				t.Fatalf("%s\n%s\n%s", name, snapshot(q), snapshot(m))
			}
			if b2 := must(q.(coder).MarshalBinary())(t); string(b2) != string(b) {
				t.Fatal(name)
			}
		}
	}
}
