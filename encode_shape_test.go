package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestHostileJSON reads text that is not a saved form.
func TestHostileJSON(t *testing.T) {
	deep := strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6)
	for _, c := range []struct{ text, err string }{
		{``, "byte 0: want {"},
		{`{"weights":[1],"bias":2`, "byte 23: want }"},
		{`{"weights":[1],"bias":2}x`, "byte 24: trailing data"},
		{`{"weights":[1],"bias":2}{}`, "byte 25: trailing data"},
		{`{"weights":[1],"bias":NaN}`, "bias: byte 22: invalid character 'N' looking for beginning of value"},
		{`{"weights":[1] "bias":2}`, "byte 15: invalid character '\"' after object key:value pair"},
		{`{"weights":[1],"bias" 2}`, "bias: byte 22: expected colon after object key"},
		{`{"weights":[1],"bias":2,}`, "byte 24: invalid character '}' looking for beginning of object key string"},
		{`{"weights":[1,],"bias":2}`, "weights: byte 11: invalid character ']' looking for beginning of value"},
		{`{,"weights":[1],"bias":2}`, "byte 1: invalid character ','"},
		{`{1:2}`, "byte 1: invalid character '1'"},
		{`[]`, `byte 1: want {`},
		{`7`, `byte 1: want {`},
		{` null`, `byte 5: want {`},
		{`{}`, `byte 2: missing field "weights"`},
		{`{"weights":[1]}`, `byte 15: missing field "bias"`},
		{`{"weights":[1],"bias":2,"weights":[1]}`, `byte 33: unknown or duplicate field "weights"`},
		{`{"weights":[1],"bias":2,"w\u0065ights":[1]}`, `byte 38: unknown or duplicate field "weights"`},
		{`{"weights":[1],"Bias":2}`, `byte 21: unknown or duplicate field "Bias"`},
		{`{"weights":[1],"bias":2,"Bias":2}`, `byte 30: unknown or duplicate field "Bias"`},
		{`{"weights":null,"bias":2}`, `weights: byte 15: found null`},
		{`{"weights":[1,null],"bias":2}`, `weights: byte 19: found null`},
		{`{"weights":[1,[2]],"bias":2}`, `weights: byte 18: cannot unmarshal array into Go value of type float64`},
		{`{"weights":["]"],"bias":2}`, `weights: byte 16: cannot unmarshal string into Go value of type float64`},
		{`{"weights":[1],"bias":2,"\"":{"\\":"\\\"}"}}`, `byte 28: unknown or duplicate field "\""`},
		{`{"weights":{"0":1},"bias":2}`, `weights: byte 18: cannot unmarshal object into Go value of type []float64`},
		{`{"weights":[1],"bias":"2"}`, `bias: byte 25: cannot unmarshal string into Go value of type float64`},
		{`{"weights":[1],"bias":null}`, `bias: byte 26: found null`},
		{`{"weights":[1e400],"bias":2}`, `weights: byte 18: cannot unmarshal number 1e400 into Go value of type float64`},
		{`{"weights":[1],"bias":true}`, `bias: byte 26: cannot unmarshal bool into Go value of type float64`},
		{`{"weights":` + deep + `,"bias":2}`, "weights: byte 11: invalid character '[' exceeded max depth"},
		{strings.Repeat(`{"weights":`, 1e5), `weights: byte 11: invalid character '{' exceeded max depth`},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 40) + `":2}`, `byte 66: unknown or duplicate field "` + strings.Repeat("x", 40) + `"`},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 41) + `":2}`, `byte 67: unknown or duplicate field "` + strings.Repeat("x", 40) + `"`},
	} {
		h := &Hyperplane{[]float64{7}, 7}
		refuse(t, c.text[:min(len(c.text), 80)], h, h.UnmarshalJSON, []byte(c.text), c.err)
	}
	var h Hyperplane
	must(0, json.Unmarshal([]byte(" { \"bias\" : -0 ,\n\t\"w\\u0065ights\":[ 1 , 2e0 ]\r} "), &h))(t)
	if !samePlane(h, Hyperplane{[]float64{1, 2}, math.Copysign(0, -1)}) {
		t.Errorf("read %v", h)
	}
	for _, v := range []string{`"order":"cyclic"`, `"order":0`, `"order":null`, `"order":""`, `"seed":0`, `"seed":"-1"`, `"seed":"18446744073709551616"`, `"maxEpochs":1.5`, `"maxEpochs":1e3`, `"maxEpochs":9223372036854775808`, `"learned":null`, `"learned":[]`, `"learned":{}`, `"seed":"07"`, `"seed":"+7"`, `"seed":"null"`, `"seed":"\u0030"`, `"order":"\u0043yclic"`, `"keep":"last"`, `"space":["Affine"]`} {
		key, _, _ := strings.Cut(v, ":")
		const valid = `{"perceptron":1,"binary":{"kind":"Online","rate":0,"space":"Affine","start":{"weights":[],"bias":0},"order":"Cyclic","keep":"Last","gamma":0,"threshold":0,"maxEpochs":0,"seed":"0","workers":0}}`
		text := strings.TrimSuffix(valid, "}") + `,"learned":1}`
		for _, was := range []string{`"order":"Cyclic"`, `"seed":"0"`, `"maxEpochs":0`, `"learned":1`, `"keep":"Last"`, `"space":"Affine"`} {
			if strings.HasPrefix(was, key) {
				text = strings.Replace(text, was, v, 1)
			}
		}
		p := trainedOther(t, new(Online)).(coder)
		must(0, new(Online).UnmarshalJSON([]byte(valid)))(t)
		text = strings.Replace(text, `,"learned":1`, "", 1)
		refuse(t, v, p, p.UnmarshalJSON, []byte(text), "")
	}
}

// TestNull checks that null changes nothing, by encoding/json's convention.
func TestNull(t *testing.T) {
	for _, c := range decoded(t) {
		before := must(c.MarshalBinary())(t)
		must(0, c.UnmarshalJSON([]byte("null")))(t)
		if after := must(c.MarshalBinary())(t); !bytes.Equal(after, before) {
			t.Errorf("%T is %x, want %x", c, after, before)
		}
	}
}

func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	return "{" + b.String()[1:] + "}"
}

// TestHostileMissing checks that no field may be missing, at any depth of any type,
// except those that are optional.
func TestHostileMissing(t *testing.T) {
	for _, s := range seeds(t) {
		var tree any
		must(0, json.Unmarshal(s.text, &tree))(t)
		removed := 0
		prune(tree, func(key string) {
			cut := must(json.Marshal(tree))(t)
			_, many := s.into.(manyModel)
			if key == "learned" || key == "binary" && many {
				must(0, s.into.UnmarshalJSON(cut))(t)
				return
			}
			removed++
			refuse(t, "without "+key, s.into, s.into.UnmarshalJSON, cut, "")
		})
		if removed < 2 {
			t.Errorf("%d fields of %s were missed", removed, s.text)
		}
	}
}

// prune calls try with each field in turn removed.
func prune(tree any, try func(key string)) {
	switch v := tree.(type) {
	case []any:
		for _, e := range v {
			prune(e, try)
		}
	case map[string]any:
		for key, e := range v {
			delete(v, key)
			try(key)
			v[key] = e
			prune(e, try)
		}
	}
}

// TestHostileMemory checks that reading any input, good or bad, allocates in sum at most
// a small multiple of its size. Most of that is garbage at once.
func TestHostileMemory(t *testing.T) {
	grow := func(m manyModel) manyModel {
		for class := range 400 {
			must(m.Update([]float64{1}, class))(t)
		}
		return m
	}
	many := func(keep Keep) coder { return grow(&OneVsRest{Binary: &Online{Keep: keep}}).(coder) }
	kesler := func(keep Keep) coder { return grow(&Multiclass{Binary: &Online{Keep: keep}}).(coder) }
	floats := func(n string) []byte { return []byte(`{"weights":[` + strings.Repeat(n+",", 2e5) + `0],"bias":0}`) }
	data, text := encoded(t, many(Average))
	units := `{"perceptron":1,"learned":{"hyperplanes":[` + strings.Repeat(`{},`, 1e5) + `{}]}}`
	_, wide := encoded(t, Hyperplane{Weights: uniformRows(1, 1, 2e5, 2).X[0]})
	for _, c := range []struct {
		name string
		data []byte
		into coder
		most float64
	}{
		{"many classes", data, new(OneVsRest), 50},
		{"many classes", text, new(OneVsRest), 50},
		{"many small classes", must(many(Last).MarshalBinary())(t), new(OneVsRest), 50},
		{"many small classes", must(many(Last).MarshalJSON())(t), new(OneVsRest), 50},
		{"many small classes", must(many(Pocket).MarshalJSON())(t), new(OneVsRest), 50},
		{"many classes together", must(kesler(Average).MarshalBinary())(t), new(Multiclass), 50},
		{"many small classes together", must(kesler(Last).MarshalJSON())(t), new(Multiclass), 50},
		{"many small classes together", must(kesler(Pocket).MarshalBinary())(t), new(Multiclass), 50},
		{"empty classes", []byte(units), new(OneVsRest), 2},
		{"many features", sealed(wide), new(Hyperplane), 6},
		{"many features", wide, new(Hyperplane), 6},
		{"zeros", floats("0"), new(Hyperplane), 30},
		{"zeros", sealed(floats("0")), new(Hyperplane), 30},
		{"commas", floats(`","`), new(Hyperplane), 50},
		{"empty strings", floats(`""`), new(Hyperplane), 50},
		{"empty arrays", floats(`[]`), new(Hyperplane), 50},
		{"only commas", floats(""), new(Hyperplane), 9},
		{"depth", []byte(strings.Repeat("[", 3e5)), new(Online), 2},
		{"depth", []byte(`{"perceptron":` + strings.Repeat("[", 3e5)), new(Online), 5},
		{"depth", []byte(`{"perceptron":1,"learned":{"start":` + strings.Repeat(`{"weights":`, 3e5)), new(Online), 5},
		{"fields", []byte(manyFields(3e4)), new(Margin), 2},
		{"a long name", []byte(`{"` + strings.Repeat("x", 3e5)), new(Margin), 5},
	} {
		read := c.into.UnmarshalJSON
		if c.data[0] == magic[0] {
			read = c.into.UnmarshalBinary
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read(c.data)
		runtime.ReadMemStats(&after)
		ratio := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(c.data))
		if t.Logf("%s: %d bytes, %.1f times as much memory allocated, %v", c.name, len(c.data), ratio, err); ratio > c.most {
			t.Errorf("%s: %.1f times the memory", c.name, ratio)
		}
	}
	sparse := filepath.Join(t.TempDir(), "sparse")
	f := must(os.Create(sparse))(t)
	must(0, f.Truncate(1<<40))(t)
	must(0, f.Close())(t)
	if _, err := Load(sparse); !errors.Is(err, ErrFormat) {
		t.Errorf("a terabyte of nothing: %v", err)
	}
}
