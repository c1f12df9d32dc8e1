package perceptron

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// refuse reads what no receiver may accept.
func refuse(t *testing.T, what string, c coder, read func([]byte) error, data []byte, text string) {
	t.Helper()
	before := must(c.MarshalBinary())(t)
	err := read(data)
	if !errors.Is(err, ErrFormat) || text != "" && err.Error() != "perceptron: bad format: "+text {
		t.Errorf("%s: error %v, want %s", what, err, text)
	}
	if after := must(c.MarshalBinary())(t); !bytes.Equal(after, before) {
		t.Fatalf("%s: the receiver is\n%x, want\n%x", what, after, before)
	}
}

// receiver returns one for what data holds, which has learned something else.
func receiver(t *testing.T, data []byte) coder {
	switch k := kind(data[12]); k {
	case kindHyperplane:
		return &Hyperplane{[]float64{1, 2}, 3}
	case kindSeparation:
		return &Separation{Radius: 5, Multipliers: []float64{1}}
	default:
		return trainedOther(t, newModel(k)).(coder)
	}
}

// TestHostileBytes: no part of a file, no file with a byte changed and none with
// one more is read, nor one of another kind.
func TestHostileBytes(t *testing.T) {
	data, _ := seeds(t)
	for _, d := range data {
		c := receiver(t, d)
		must(0, receiver(t, d).UnmarshalBinary(d))(t)
		for i := range d {
			refuse(t, fmt.Sprint("cut at ", i), c, c.UnmarshalBinary, d[:i], "")
			for _, mask := range []byte{1, 0x80, 0xff} {
				e := slices.Clone(d)
				e[i] ^= mask
				refuse(t, fmt.Sprintf("byte %d ^ %x", i, mask), c, c.UnmarshalBinary, e, "")
			}
		}
		refuse(t, "longer", c, c.UnmarshalBinary, append(slices.Clone(d), 0), "")
		for _, other := range decoded(t) {
			if fmt.Sprintf("%T", other) != fmt.Sprintf("%T", c) {
				refuse(t, "other kind", other, other.UnmarshalBinary, d, "")
			}
		}
	}
}

// TestHostileWords puts words that mean mischief in the place of every word of
// every kind of payload, under a good checksum.
func TestHostileWords(t *testing.T) {
	data, _ := seeds(t)
	words := []uint64{0, 1, 2, 3, 5, 6, 1 << 31, 1 << 32, 1<<53 + 1, 1 << 62, 1 << 63, math.MaxUint64, math.MaxInt64}
	for _, v := range []float64{math.NaN(), inf, -inf, -1, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 0.5} {
		words = append(words, math.Float64bits(v))
	}
	for _, d := range data {
		for at := headerSize; at < len(d)-sumSize; at += wordSize {
			for _, w := range words {
				e := slices.Clone(d[headerSize : len(d)-sumSize])
				binary.LittleEndian.PutUint64(e[at-headerSize:], w)
				c := receiver(t, d)
				hold(t, c, func(c coder) error { return c.UnmarshalBinary(sealed(uint32(d[12]), e)) })
			}
		}
		short, long := d[headerSize:len(d)-sumSize-wordSize], append(d[headerSize:len(d)-sumSize:len(d)], make([]byte, wordSize)...)
		for _, payload := range [][]byte{short, long, d[headerSize : len(d)-sumSize-1]} {
			refuse(t, "another length", receiver(t, d), receiver(t, d).UnmarshalBinary, sealed(uint32(d[12]), payload), "")
		}
	}
}

// TestHostileHead: what is told of bytes that are no file.
func TestHostileHead(t *testing.T) {
	d := must(Hyperplane{[]float64{1, 2}, 3}.MarshalBinary())(t)
	with := func(at int, b ...byte) []byte {
		e := slices.Clone(d)
		copy(e[at:], b)
		return e
	}
	nan := binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
	payload := d[headerSize : len(d)-sumSize]
	for _, c := range []struct {
		data []byte
		text string
	}{
		{nil, "0 bytes, want a header of 24"},
		{d[:23], "23 bytes, want a header of 24"},
		{with(0, 'P'), `byte 0: it begins with "PPTRN\r\n\x1a", want "\x89PTRN\r\n\x1a"`},
		{with(8, 2), "byte 8: version 2, want 1"},
		{with(8, 0), "byte 8: version 0, want 1"},
		{with(12, 0), "byte 12: kind 0, want 1 to 6"},
		{with(12, 7), "byte 12: kind 7, want 1 to 6"},
		{with(12, 0, 0, 0, 1), "byte 12: kind 16777216, want 1 to 6"},
		{with(23, 0x80), "byte 16: a payload of 9223372036854775840 bytes in an encoding of 60, want 32"},
		{d[:24], "byte 16: a payload of 32 bytes in an encoding of 24, want -4"},
		{with(24, 3), "byte 56: checksum " + fmt.Sprintf("%08x", binary.LittleEndian.Uint32(d[56:])) + ", but the bytes before it have " + fmt.Sprintf("%08x", checksum(with(24, 3)[:56]))},
		{sealed(1, payload), "byte 12: it holds Online, want Hyperplane"},
		{sealed(5, with(24, 5)[24:56]), "weights: byte 24: length 5, want less than 4"},
		{sealed(5, with(24, 0, 0, 0, 0, 0, 0, 0, 0x80)[24:56]), "weights: byte 24: length 9223372036854775808, want less than 4"},
		{sealed(5, with(24, 3)[24:56]), "bias: byte 56: the payload ends here, want 8 bytes more"},
		{sealed(5, with(24, 1)[24:56]), "byte 48: the fields end here, but the payload has 8 bytes more"},
		{sealed(5, with(40, nan...)[24:56]), "weights[1]: byte 40: NaN, want a finite number"},
		{sealed(5, with(48, nan...)[24:56]), "bias: byte 48: NaN, want a finite number"},
		{sealed(5, nil), "weights: byte 24: the payload ends here, want 8 bytes more"},
	} {
		h := &Hyperplane{[]float64{7}, 7}
		refuse(t, c.text, h, h.UnmarshalBinary, c.data, c.text)
	}
	s := Separation{Multipliers: []float64{1, 2}}
	last := must(s.MarshalBinary())(t)
	last = last[headerSize : len(last)-sumSize]
	last[len(last)-3*wordSize] = 3 // of two multipliers
	refuse(t, "a length in the midst", &s, s.UnmarshalBinary, sealed(6, last), "multipliers: byte 80: length 3, want less than 3")
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// TestHostileState: states that no training comes to, in both forms by their text.
func TestHostileState(t *testing.T) {
	average, pocket := &Margin{Keep: Average, Threshold: 2}, &OneVsRest{Binary: &Online{Keep: Pocket, Order: Shuffled, Start: Hyperplane{[]float64{0, 0}, 0}}}
	linear, batch, empty := &Margin{Space: Linear}, new(Batch), new(Online)
	for _, m := range []model{average, pocket, linear, batch} {
		accept.of(t, m, xor.X[2:], xor.y[2:], "Fit")
	}
	must(empty.Learn(pairs(nil, nil)))(t)
	for _, c := range []struct {
		m             model
		old, new, err string
	}{
		{average, `"perceptron":1`, `"perceptron":2`, `perceptron: version 2, want 1`},
		{average, `"kind":"Margin"`, `"kind":"Online"`, `kind: Online, want Margin`},
		{average, `"rate":0`, `"rat":0`, `rate: the field is missing`},
		{average, `"rate":0`, `"rat":0,"rate":0`, `"rat": a field of this name is unknown`},
		{average, `"kind":"Margin"`, `"kind":""`, `kind: "\"\"", want the name of a kind`},
		{average, `"rate":0`, `"rate":-1`, `Rate is -1, want a positive finite number, or 0 for 1`},
		{average, `"gamma":0`, `"gamma":1`, `Gamma is 1 and Threshold is 2, want at most one of them set`},
		{average, `"maxEpochs":0`, `"maxEpochs":-4`, `MaxEpochs is -4, want at least 1, or 0 for 1000`},
		{pocket, `"binary":{"kind":"Online"`, `"binary":{"kind":"OneVsRest"`, `binary.kind: OneVsRest, want Online, Batch or Margin`},
		{pocket, `"binary":{"kind":"Online"`, `"binary":{"kind":"Batch"`, `binary.workers: the field is missing`},
		{pocket, `"binary":{"kind":"Online",`, `"binary":{`, `binary.kind: the field is missing`},
		{pocket, `"binary":{`, `"binary":7,"x":{`, `binary: "7", want an object`},
		{linear, `"bias":0}`, `"bias":1}`, `Start.Bias is 1 in Linear space, want 0`},
		{average, `"learned":{"rate":1`, `"learned":{"rate":0`, `learned.rate: 0, want more than 0`},
		{average, `"learned":{"rate":1`, `"learned":{"rate":-1`, `learned.rate: -1, want more than 0`},
		{linear, `"learned":{"rate":1,"space":"Linear","start":{"weights":[],"bias":0}`, `"learned":{"rate":1,"space":"Linear","start":{"weights":[],"bias":1}`, `learned.start: Start.Bias is 1 in Linear space, want 0`},
		{pocket, `"start":{"weights":[0,0],"bias":0},"order":"Shuffled","keep":"Pocket","rule"`, `"start":{"weights":[0],"bias":0},"order":"Shuffled","keep":"Pocket","rule"`, `learned.start: width 1, want 2`},
		{average, `"rule":"WithinTheta"`, `"rule":"OnMistake"`, `learned.rule: Online with the bound 2, Order Cyclic and Keep Average is none that Margin has`},
		{average, `"rule":"WithinTheta"`, `"rule":"WithinR"`, `learned.rule: Margin with the bound 2, Order Cyclic and Keep Average is none that Margin has`},
		{average, `"bound":2`, `"bound":0`, `learned.rule: Margin with Threshold with the bound 0, Order Cyclic and Keep Average is none that Margin has`},
		{average, `"bound":2`, `"bound":-2`, `learned.rule: Margin with Threshold with the bound -2, Order Cyclic and Keep Average is none that Margin has`},
		{linear, `"bound":0`, `"bound":-2`, `learned.rule: Margin with the bound -2, Order Cyclic and Keep Last is none that Margin has`},
		{linear, `"rule":"WithinR"`, `"rule":"OnMistake"`, `learned.rule: Online with the bound 0, Order Cyclic and Keep Last is none that Margin has`},
		{batch, `"rule":"OnGradient"`, `"rule":"OnMistake"`, `learned.rule: Online with the bound 0, Order Cyclic and Keep Last is none that Batch has`},
		{batch, `"order":"Cyclic"`, `"order":"Sampled"`, `learned.rule: Batch with the bound 0, Order Sampled and Keep Last is none that Batch has`},
		{batch, `"keep":"Last"`, `"keep":"Pocket"`, `learned.rule: Batch with the bound 0, Order Cyclic and Keep Pocket is none that Batch has`},
		{empty, `"rule":"OnMistake"`, `"rule":"OnGradient"`, `learned.rule: Batch with the bound 0, Order Cyclic and Keep Last is none that Online has`},
		{average, `"width":2`, `"width":-1`, `learned.width: -1, want at least 0`},
		{average, `"width":2`, `"width":3`, `learned.hyperplanes[0].weights: 2 of them, want 3`},
		{average, `"width":2`, `"width":1000000000`, `learned.hyperplanes[0].weights: 2 of them, want 1000000000`},
		{average, `"width":2`, `"width":0`, `learned.hyperplanes: 1 of them, want 0`},
		{empty, `"width":0`, `"width":1`, `learned.hyperplanes: 0 of them, want 1`},
		{pocket, `"width":2`, `"width":0`, `learned.width: 0 with 2 hyperplanes`},
		{average, `"passes":`, `"passes":-`, `learned.passes: -10, want at least 0`},
		{average, `"classes":[-1,1]`, `"classes":[1,-1]`, `learned.classes: 2 of them, want -1 and 1`},
		{pocket, `"classes":[-1,1]`, `"classes":[1,-1]`, `learned.classes[1]: -1 after 1, want them ascending`},
		{pocket, `"classes":[-1,1]`, `"classes":[1,1]`, `learned.classes[1]: 1 after 1, want them ascending`},
		{pocket, `"classes":[-1,1]`, `"classes":[1]`, `learned.hyperplanes: 2 of them, want 1`},
		{average, `"iterate":{`, `"iterated":{`, `learned.hyperplanes[0]."iterated": a field of this name is unknown`},
		{linear, `"r2":2`, `"r2":-2`, `learned.hyperplanes[0].r2: -2 does not go with the rule Margin`},
		{batch, `"r2":0`, `"r2":1`, `learned.hyperplanes[0].r2: 1 does not go with the rule Batch`},
		{linear, `"r2":2`, `"r2":2,"iterate":{"weights":[1,1],"bias":0}`, `learned.hyperplanes[0].iterate: it does not go with Keep Last`},
		{linear, `"r2":2`, `"r2":2,"average":{"sum":{"weights":[],"bias":0},"low":{"weights":[],"bias":0},"count":0,"since":0}`, `learned.hyperplanes[0].average: it does not go with Keep Last`},
		{linear, `"r2":2`, `"r2":2,"pocket":{"length":0,"right":0,"run":0,"tried":true}`, `learned.hyperplanes[0].pocket: it does not go with Keep Last`},
		{linear, `"bias":0,"r2"`, `"bias":1,"r2"`, `learned.hyperplanes[0].bias: 1 in Linear space, want 0`},
		{average, `"iterate":{"weights":[`, `"iterate":{"weights":[0,`, `learned.hyperplanes[0].iterate.weights: 3 of them, want 2`},
		{average, `"sum":{"weights":[`, `"sum":{"weights":[0,`, `learned.hyperplanes[0].average.sum.weights: 3 of them, want 2`},
		{average, `"low":{"weights":[`, `"low":{"weights":[0,`, `learned.hyperplanes[0].average.low.weights: 3 of them, want 2`},
		{average, `"count":`, `"count":-`, `learned.hyperplanes[0].average.count: -16, want 0 to 2⁵³`},
		{average, `"count":`, `"count":1e18,"coun":`, `learned.hyperplanes[0].average."coun": a field of this name is unknown`},
		{average, `"count":16`, `"count":1e16`, `learned.hyperplanes[0].average.count: 1e+16, want 0 to 2⁵³`},
		{average, `"since":4`, `"since":1.5`, `learned.hyperplanes[0].average.since: 1.5, want an integer from 0 to 2⁵³`},
		{average, `"since":4`, `"since":-1`, `learned.hyperplanes[0].average.since: -1, want an integer from 0 to 2⁵³`},
		{average, `"since":4`, `"since":1e16`, `learned.hyperplanes[0].average.since: 1e+16, want an integer from 0 to 2⁵³`},
		{pocket, `"length":`, `"length":-`, `learned.hyperplanes[0].pocket.length: -2, want 0 to 2⁵³`},
		{pocket, `"right":`, `"right":-`, `learned.hyperplanes[0].pocket.right: -2, want at least 0`},
		{pocket, `"run":`, `"run":9007199254740993,"x":`, `learned.hyperplanes[0].pocket."x": a field of this name is unknown`},
	} {
		text := string(must(c.m.(coder).MarshalJSON())(t))
		if !strings.Contains(text, c.old) {
			t.Errorf("%s has no %s", text, c.old)
		}
		changed := []byte(strings.Replace(text, c.old, c.new, 1))
		into := trainedOther(t, c.m).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, changed, c.err)
	}
}

// TestCountable: counts are good up to 2⁵³, and no further.
func TestCountable(t *testing.T) {
	for _, of := range []struct {
		state *savedUnit
		set   func(r *savedUnit, n int64)
	}{
		{&savedUnit{Average: &averageState{}}, func(r *savedUnit, n int64) { r.Average.Count = float64(n) }},
		{&savedUnit{Average: &averageState{}}, func(r *savedUnit, n int64) { r.Average.Since = float64(n) }},
		{&savedUnit{Pocket: &pocketState{}}, func(r *savedUnit, n int64) { r.Pocket.Length = n }},
		{&savedUnit{Pocket: &pocketState{}}, func(r *savedUnit, n int64) { r.Pocket.Run = n }},
	} {
		for n, good := range map[int64]bool{-1: false, 0: true, 1: true, 1 << 53: true, 1<<53 + 2: false} {
			of.set(of.state, n)
			s := config{keep: Average}
			if of.state.Pocket != nil {
				s.keep = Pocket
			}
			of.state.Iterate = new(Hyperplane)
			if _, err := of.state.unit(&s, Hyperplane{}, 0, 0); (err == nil) != good {
				t.Errorf("%d in %+v: %v", n, of.state, err)
			}
		}
	}
}

// TestHostileJSON: text that is no model's or is more than one's.
func TestHostileJSON(t *testing.T) {
	deep := strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6)
	for _, c := range []struct{ text, err string }{
		{``, "byte 0: unexpected end of JSON input"},
		{`{"weights":[1],"bias":2`, "byte 23: unexpected end of JSON input"},
		{`{"weights":[1],"bias":2}x`, "byte 25: invalid character 'x' after top-level value"},
		{`{"weights":[1],"bias":NaN}`, "byte 23: invalid character 'N' looking for beginning of value"},
		{`[]`, `"[]", want an object`},
		{`7`, `"7", want an object`},
		{` null`, `"null", want an object`},
		{`{}`, "weights: the field is missing"},
		{`{"weights":[1]}`, "bias: the field is missing"},
		{`{"weights":[1],"bias":2,"weights":[1]}`, `"weights": a field of this name is there twice`},
		{`{"weights":[1],"bias":2,"w\u0065ights":[1]}`, `"weights": a field of this name is there twice`},
		{`{"weights":[1],"Bias":2}`, "bias: the field is missing"},
		{`{"weights":[1],"bias":2,"Bias":2,"Aias":3}`, `"Aias": a field of this name is unknown`},
		{`{"weights":null,"bias":2}`, `weights: "null", want an array`},
		{`{"weights":[1,null],"bias":2}`, `weights[1]: "null", want a number of type float64`},
		{`{"weights":[1,[2]],"bias":2}`, `weights[1]: "[2]", want a number of type float64`},
		{`{"weights":["]"],"bias":2}`, `weights[0]: "\"]\"", want a number of type float64`},
		{`{"weights":[1],"bias":2,"\"":{"\\":"\\\"}"}}`, `"\"": a field of this name is unknown`},
		{`{"weights":{"0":1},"bias":2}`, `weights: "{\"0\":1}", want an array`},
		{`{"weights":[1],"bias":"2"}`, `bias: "\"2\"", want a number of type float64`},
		{`{"weights":[1e400],"bias":2}`, `weights[0]: "1e400", want a number of type float64`},
		{`{"weights":[1],"bias":true}`, `bias: "true", want a number of type float64`},
		{`{"weights":` + deep + `,"bias":2}`, "byte 10011: invalid character '[' exceeded max depth"},
		{`{"weights":[1],"bias":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, `bias: "` + strings.Repeat("[", 40) + `"…, want a number of type float64`},
		{`{"a` + strings.Repeat(`":1,"a`, 40) + `":1}`, `"a": a field of this name is there twice`},
		{manyFields(33), "more than 32 fields"},
		{manyFields(32), "weights: the field is missing"},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 39) + `":2}`, `"` + strings.Repeat("x", 39) + `": a field of this name is unknown`},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 40) + `":2}`, `"` + strings.Repeat("x", 40) + `": a field of this name is unknown`},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 41) + `":2}`, `"` + strings.Repeat("x", 40) + `"…: a field of this name is unknown`},
	} {
		h := &Hyperplane{[]float64{7}, 7}
		refuse(t, c.text[:min(len(c.text), 80)], h, h.UnmarshalJSON, []byte(c.text), c.err)
	}
	var h Hyperplane
	must(0, json.Unmarshal([]byte(" { \"bias\" : -0 ,\n\t\"w\\u0065ights\":[ 1 , 2e0 ]\r} "), &h))(t)
	if !samePlane(h, Hyperplane{[]float64{1, 2}, math.Copysign(0, -1)}) {
		t.Errorf("read %v", h)
	}
	for _, v := range []string{`"order":"cyclic"`, `"order":0`, `"order":null`, `"order":""`, `"seed":0`, `"seed":"-1"`, `"seed":"18446744073709551616"`, `"maxEpochs":1.5`, `"maxEpochs":1e3`, `"maxEpochs":9223372036854775808`, `"learned":null`, `"learned":[]`, `"learned":{}`} {
		key, _, _ := strings.Cut(v, ":")
		text := `{"perceptron":1,"kind":"Online","rate":0,"space":"Affine","start":{"weights":[],"bias":0},"maxEpochs":0,"order":"Cyclic","seed":"0","keep":"Last","learned":1}`
		for _, was := range []string{`"order":"Cyclic"`, `"seed":"0"`, `"maxEpochs":0`, `"learned":1`} {
			if strings.HasPrefix(was, key) {
				text = strings.Replace(text, was, v, 1)
			}
		}
		p := trainedOther(t, new(Online)).(coder)
		refuse(t, v, p, p.UnmarshalJSON, []byte(strings.Replace(text, `,"learned":1`, "", 1)), "")
	}
}

// TestNull: by encoding/json's convention null changes nothing.
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

// TestHostileMissing: of every kind of model, Hyperplane and Separation, no field
// but the optional ones may be missing, at any depth.
func TestHostileMissing(t *testing.T) {
	data, text := seeds(t)
	for i, j := range text {
		var tree any
		must(0, json.Unmarshal(j, &tree))(t)
		removed := 0
		prune(tree, func(key string) {
			c, cut := receiver(t, data[i]), must(json.Marshal(tree))(t)
			if key == "learned" || key == "binary" {
				must(0, c.UnmarshalJSON(cut))(t)
				return
			}
			removed++
			refuse(t, "without "+key, c, c.UnmarshalJSON, cut, "")
		})
		if removed < 2 {
			t.Errorf("%d fields of %s were missed", removed, j)
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

// TestHostileMemory: reading any input, good or bad, allocates in sum no more than
// a small multiple of its size.
func TestHostileMemory(t *testing.T) {
	many := func(keep Keep) *OneVsRest {
		m := &OneVsRest{Binary: &Online{Keep: keep}}
		for class := range 400 {
			must(m.Update([]float64{1}, class))(t)
		}
		return m
	}
	data, text := encoded(t, many(Average))
	lie := slices.Clone(data[headerSize : len(data)-sumSize])
	binary.LittleEndian.PutUint64(lie, 1<<62)
	fake := must(trainedOther(t, new(Online)).(coder).MarshalBinary())(t)
	fake = fake[headerSize : len(fake)-sumSize-9*wordSize] // up to the number of hyperplanes
	fake = binary.LittleEndian.AppendUint64(fake, 1e5)
	fake = append(fake, make([]byte, 8e5)...)
	zeros := `{"weights":[` + strings.Repeat("0,", 2e5) + `0],"bias":0}`
	commas := `{"weights":[` + strings.Repeat(`",",`, 6e4) + `0],"bias":0}`
	for _, c := range []struct {
		name string
		data []byte
		into coder
		most float64
	}{
		{"many classes", data, new(OneVsRest), 16},
		{"a length that is not there", sealed(4, lie), new(OneVsRest), 1},
		{"a list that is not there", sealed(1, fake), new(Online), 10},
		{"zeros", must(Hyperplane{Weights: make([]float64, 2e5)}.MarshalBinary())(t), new(Hyperplane), 1.1},
		{"many classes", text, new(OneVsRest), 40},
		{"many small classes", must(many(Last).MarshalBinary())(t), new(OneVsRest), 16},
		{"many small classes", must(many(Last).MarshalJSON())(t), new(OneVsRest), 40},
		{"many small classes", must(many(Pocket).MarshalJSON())(t), new(OneVsRest), 40},
		{"zeros", []byte(zeros), new(Hyperplane), 4.1},
		{"commas", []byte(commas), new(Hyperplane), 4.1},
		{"depth", []byte(strings.Repeat("[", 3e5)), new(Online), 2},
		{"fields", []byte(manyFields(3e4)), new(Margin), 2},
	} {
		read := c.into.UnmarshalJSON // where a class has much beside its weights, and text is short
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
