package perceptron

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
)

// sealed puts a payload in a frame, by the table of docs/format.md.
func sealed(payload []byte) []byte {
	frame := []byte("\x89PTRN\r\n\x1a\x01\x00\x00\x00")
	frame = binary.LittleEndian.AppendUint64(frame, uint64(len(payload)))
	frame = append(frame, payload...)
	return binary.LittleEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
}

// apart finds the vectors of a saved form in its JSON.
var apart = regexp.MustCompile(`,"vectors":(\[\[.*\]\])`)

// framed returns the binary form of a JSON form, by docs/format.md: a reference. What are no vectors
// stays in the head.
func framed(text []byte) []byte {
	head := slices.Clone(text)
	var vectors [][]float64
	if at := apart.FindSubmatchIndex(text); at != nil && json.Unmarshal(text[at[2]:at[3]], &vectors) == nil {
		head = slices.Concat(text[:at[0]], text[at[1]:])
	} else {
		vectors = nil
	}
	payload := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	for _, v := range vectors {
		var index, value []byte
		for j, x := range v {
			if math.Float64bits(x) != 0 {
				index, value = binary.LittleEndian.AppendUint32(index, uint32(j)), append(value, raw(x)...)
			}
		}
		if len(v) < 64 || len(index)/4 > len(v)/4 {
			index, value = nil, raw(v...)
		}
		payload = binary.LittleEndian.AppendUint64(payload, uint64(len(v)))
		payload = binary.LittleEndian.AppendUint64(payload, uint64(len(value)/8))
		payload = append(append(payload, index...), value...)
	}
	return sealed(payload)
}

// refuse reads what every receiver must reject with ErrFormat, and with this text
// unless it is empty. The receiver must stay as it was.
func refuse(t *testing.T, what string, c coder, read func([]byte) error, data []byte, text string) {
	t.Helper()
	before := must(c.MarshalBinary())(t)
	err := read(data)
	if !errors.Is(err, ErrFormat) || text != "" && err.Error() != "perceptron: bad format: "+text {
		t.Errorf("%s: error %v, want %s", what, err, text)
	}
	if after := must(c.MarshalBinary())(t); !bytes.Equal(after, before) {
		t.Fatalf("%s: the receiver is\n%s, want\n%s", what, after, before)
	}
}

// TestFrame checks that the binary form is a frame around the head of the JSON form and its vectors.
func TestFrame(t *testing.T) {
	for _, s := range seeds(t) {
		if want := framed(s.text); !bytes.Equal(s.data, want) {
			t.Errorf("the binary form of %s is\n%q, want\n%q", s.text, s.data, want)
		}
	}
}

// TestHostileBytes checks that no receiver accepts a frame that is cut short, has a
// changed byte or one more, or is of another type.
func TestHostileBytes(t *testing.T) {
	t.Parallel()
	for n, s := range seeds(t) {
		c, d := s.into, s.data
		for i := range d {
			if !full && i >= 28 && (i+n)%5 > 0 { // the frame's own bytes are before 28
				continue
			}
			refuse(t, fmt.Sprint("cut at ", i), c, c.UnmarshalBinary, d[:i], "")
			masks := []byte{1, 0x80, 0xff}
			if !full {
				masks = masks[i%3:][:1]
			}
			for _, mask := range masks {
				e := slices.Clone(d)
				e[i] ^= mask
				refuse(t, fmt.Sprintf("byte %d ^ %x", i, mask), c, c.UnmarshalBinary, e, "")
			}
		}
		refuse(t, "longer", c, c.UnmarshalBinary, append(slices.Clone(d), 0), "")
		for _, other := range decoded(t) {
			if fmt.Sprintf("%T", other) != fmt.Sprintf("%T", c) {
				refuse(t, "another type", other, other.UnmarshalBinary, d, "")
				refuse(t, "another type", other, other.UnmarshalJSON, s.text, "")
			}
		}
		must(0, c.UnmarshalBinary(d))(t)
	}
}

// TestHostileJSON reads fields of values that no model writes. Package saved tests the shape of
// JSON.
func TestHostileJSON(t *testing.T) {
	m := trainedOther(t, new(Online)).(coder)
	reloaded(t, new(Online))
	for old, hostile := range map[string][]string{
		`"order":"Cyclic"`: {`"order":"cyclic"`, `"order":0`, `"order":null`, `"order":""`, `"order":"\u0043yclic"`},
		`"seed":"0"`:       {`"seed":0`, `"seed":"-1"`, `"seed":"18446744073709551616"`, `"seed":"07"`, `"seed":"+7"`, `"seed":"null"`, `"seed":"\u0030"`},
		`"maxEpochs":0`:    {`"maxEpochs":1.5`, `"maxEpochs":1e3`, `"maxEpochs":9223372036854775808`},
		`"workers":0}}`:    {`"workers":0},"learned":null}`, `"workers":0},"learned":[]}`, `"workers":0},"learned":{}}`},
		`"keep":"Last"`:    {`"keep":"last"`},
		`"space":"Affine"`: {`"space":["Affine"]`},
	} {
		for _, v := range hostile {
			refuse(t, v, m, m.UnmarshalJSON, replacement{new(Online), old, v, ""}.text(t), "")
		}
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
	t.Parallel()
	for _, s := range seeds(t) {
		var tree any
		must(0, json.Unmarshal(s.text, &tree))(t)
		removed := 0
		prune(tree, func(key string) {
			cut := must(json.Marshal(tree))(t)
			_, many := s.into.(manyModel)
			_, whole := s.into.(trainedClassifier) // its labels need what is learned
			if !whole && key == "learned" || (whole || many) && key == "binary" {
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

// TestHostileMemory checks that reading any input, good or bad, allocates in sum at most 30 times its size and
// 64 MiB, and far less if it is bad at once. Most of that is garbage at once.
func TestHostileMemory(t *testing.T) {
	grown := func(m manyModel) coder {
		for class := range 400 {
			must(m.Update([]float64{1}, class))(t)
		}
		return m.(coder)
	}
	many := func(keep Keep) coder { return grown(&OneVsRest{Binary: &Online{Keep: keep}}) }
	kesler := func(keep Keep) coder { return grown(&Multiclass{Binary: &Online{Keep: keep}}) }
	labels := func(label string) []byte {
		return []byte(`{"kind":"perceptron.Classifier[[]float64]/1","raw":false,"chosen":false,"given":false,"width":0,"mean":[],"scale":[],"labels":[` + strings.Repeat(label+",", 1e6) + label + `]}`)
	}
	unknown := bytes.Replace(labels(`""`), []byte(`"mean"`), []byte(`"since":0,"model":{"multiclass":{}},"least":[],"most":[],"mean"`), 1)
	named := &Classifier[[]float64]{Raw: true}
	for class := range 400 {
		must(named.Update([]float64{1}, fmt.Sprint("<", class)))(t)
	}
	data, text := encoded(t, many(Average))
	_, one := encoded(t, trainedOther(t, new(Online)).(coder))
	head, _, _ := bytes.Cut(one, []byte(`,"vectors":`))
	vectors := func(list string) []byte { return slices.Concat(head, []byte(`,"vectors":[`+list+`]}}`)) }
	floats := func(n string) []byte { return vectors("[" + strings.Repeat(n+",", 2e5) + "0]") }
	rows := func(v string) []byte { return vectors(strings.Repeat(v+",", 1e5) + v) }
	zeros := sealed(slices.Concat(raw(math.Float64frombits(uint64(len(head)+2))), head, []byte("}}"),
		bytes.Repeat(raw(math.Float64frombits(2e5)), 2), make([]byte, 8*2e5)))
	wide := &Online{Start: Hyperplane{Weights: Uniform(1, 1, 2e5, 2).X[0]}}
	for _, c := range []struct {
		name string
		data []byte
		into coder
		most float64
	}{
		{"many classes", data, new(OneVsRest), 30},
		{"many classes", text, new(OneVsRest), 30},
		{"many small classes", must(many(Last).MarshalBinary())(t), new(OneVsRest), 30},
		{"many small classes", must(many(Last).MarshalJSON())(t), new(OneVsRest), 30},
		{"many small classes", must(many(Pocket).MarshalJSON())(t), new(OneVsRest), 30},
		{"many classes together", must(kesler(Average).MarshalBinary())(t), new(Multiclass), 30},
		{"many small classes together", must(kesler(Last).MarshalJSON())(t), new(Multiclass), 30},
		{"many small classes together", must(kesler(Pocket).MarshalBinary())(t), new(Multiclass), 30},
		{"many features", must(wide.MarshalBinary())(t), new(Online), 30},
		{"many features", must(wide.MarshalJSON())(t), new(Online), 30},
		{"zeros", floats("0"), new(Online), 30},
		{"zeros", zeros, new(Online), 30},
		{"vectors without numbers", rows("[]"), new(Online), 30},
		{"vectors of one number", rows("[0]"), new(Online), 30},
		{"one vector, and commas", vectors("[1,1,1]" + strings.Repeat(",", 3e5)), new(Online), 2},
		{"one vector, and numbers", vectors("[1,1,1]" + strings.Repeat(",0", 3e5)), new(Online), 2},
		{"vectors, and ends", vectors("[1,1,1],[1]" + strings.Repeat("],", 3e5)), new(Online), 30},
		{"commas", floats(`","`), new(Online), 2},
		{"empty strings", floats(`""`), new(Online), 2},
		{"empty arrays", floats(`[]`), new(Online), 2},
		{"only commas", floats(""), new(Online), 2},
		{"depth", []byte(strings.Repeat("[", 3e5)), new(Online), 2},
		{"depth", []byte(`{"kind":` + strings.Repeat("[", 3e5)), new(Online), 2},
		{"depth", []byte(`{"learned":{"start":` + strings.Repeat(`{"weights":`, 3e5)), new(Online), 2},
		{"fields", []byte(manyFields(3e4)), new(Margin), 2},
		{"many labels", must(named.MarshalBinary())(t), new(Classifier[[]float64]), 30},
		{"many labels without a model", labels(`"a"`), new(Classifier[[]float64]), 30},
		{"empty labels", labels(`""`), new(Classifier[[]float64]), 30},
		{"empty labels", framed(labels(`""`)), new(Classifier[[]float64]), 30},
		{"labels that the model has not learned", unknown, new(Classifier[[]float64]), 30},
		{"labels with an escape", labels(`"\n"`), new(Classifier[[]float64]), 30},
		{"labels with an escape", labels(`"\u003c"`), new(Classifier[[]float64]), 30},
		{"labels of é", labels(`"é"`), new(Classifier[[]float64]), 30},
		{"labels of zeros", labels(`0`), new(Classifier[[]float64]), 2},
		{"labels of empty lists", labels(`[]`), new(Classifier[[]float64]), 2},
		{"one long label", []byte(`{"labels":["` + strings.Repeat("x", 3e5) + `"`), new(Classifier[[]float64]), 30},
		{"one long label of commas", []byte(`{"labels":["","` + strings.Repeat(",", 3e5) + `"`), new(Classifier[[]float64]), 30},
		{"a long label of commas", []byte(`{"labels":["a","b","` + strings.Repeat(",", 1e6) + `"]`), new(Classifier[[]float64]), 5},
		{"one long label of quotes", []byte(`{"labels":["` + strings.Repeat(`\"`, 2e5)), new(Classifier[[]float64]), 30},
		{"a long kind", []byte(`{"binary":{"kind":"` + strings.Repeat("\u2028", 1e5) + `"`), new(Margin), 30},
		{"a long name", []byte(`{"` + strings.Repeat("x", 3e5)), new(Margin), 2},
	} {
		read := c.into.UnmarshalJSON
		if c.data[0] == sealed(nil)[0] {
			read = c.into.UnmarshalBinary
		}
		var err error
		ratio := float64(Allocated(func() { err = read(c.data) })) / float64(len(c.data))
		if t.Logf("%s: %d bytes, %.1f times as much memory allocated, %.200v", c.name, len(c.data), ratio, err); ratio > c.most && (c.most < 30 || ratio*float64(len(c.data)) > 30*float64(len(c.data))+64<<20) {
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

// TestHostileBias: a saved Linear model whose biases are −0 learns as one with 0 does, in every
// method.
func TestHostileBias(t *testing.T) {
	set := naive.Noisy(1, 40, 3)
	for _, keep := range keeps() {
		for _, method := range []string{"Learn", "Update", "Epochs"} {
			want := &Online{Space: Linear, Keep: keep, MaxEpochs: 2}
			must(want.Update(set.X[0], set.Y[0]))(t)
			text := string(must(want.MarshalJSON())(t))
			minus := strings.ReplaceAll(text, `,0]`, `,-0]`) // each vector ends with the bias
			got := new(Online)
			if must(0, got.UnmarshalJSON([]byte(minus)))(t); minus == text {
				t.Fatalf("another form: %s", text)
			}
			for _, p := range []*Online{want, got} {
				must(0, calls[method](p, set.X, set.Y))(t)
			}
			if h := got.Hyperplane(); math.Signbit(h.Bias) || !samePlane(h, want.Hyperplane()) {
				t.Errorf("%v, %s: %v, want %v", keep, method, h, want.Hyperplane())
			}
		}
	}
}

// mutations is the number of files that TestHostileMutations reads.
var mutations = flag.Int("mutations", 600, "the number of damaged files with a good checksum that TestHostileMutations reads")

// TestHostileMutations reads files with a few bytes changed, moved or lost, under a good checksum.
func TestHostileMutations(t *testing.T) {
	defer func(most int) { saved.MostZeros = most }(saved.MostZeros)
	saved.MostZeros = 1 << 12
	r, all, accepted := rand.New(rand.NewPCG(57, uint64(*mutations))), seeds(t), 0
	for i := range *mutations {
		s := all[i%len(all)]
		data := slices.Clone(s.data[20 : len(s.data)-4])
		if i/len(all)%2 == 0 {
			data = slices.Clone(s.text)
		}
		for range 1 + r.IntN(3) {
			at, n := r.IntN(len(data)), r.IntN(9)
			end, from := min(at+n, len(data)), r.IntN(len(data))
			switch r.IntN(6) {
			case 0:
				data[at] ^= 1 << r.IntN(8)
			case 1:
				data[at] = byte(r.Uint32())
			case 2:
				copy(data[at:end], data[from:])
			case 3:
				data = slices.Insert(data, at, data[from:min(from+n, len(data))]...)
			case 4:
				data = append(slices.Delete(data, at, end), 0)
			case 5:
				binary.LittleEndian.PutUint64(data[min(at, len(data)-8):], uint64(1)<<r.IntN(64))
			}
		}
		hold(t, s.into, func(c coder) error {
			err := c.UnmarshalBinary(inFrame(data))
			if err == nil {
				accepted++
			}
			return err
		})
		must(0, s.into.UnmarshalBinary(s.data))(t)
	}
	t.Logf("%d of %d files are accepted", accepted, *mutations)
}
