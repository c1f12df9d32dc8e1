package saved

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestJSON reads text that is not the JSON of a plane.
func TestJSON(t *testing.T) {
	deep := strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6)
	for _, c := range []struct{ text, err string }{
		{``, "truncated: byte 0: found the end, want {"},
		{`{"weights":[1],"bias":2`, "truncated: byte 23: found the end, want , or }"},
		{`{"weights":[1],"bias":2}x`, "byte 24: found `x`, want the end"},
		{`{"weights":[1],"bias":2}{}`, "byte 24: found `{`, want the end"},
		{`{"weights":[1],"bias":NaN}`, "bias: byte 22: found `NaN`, want float64"},
		{`{"weights":[1] "bias":2}`, "byte 15: found `\"bias\"`, want , or }"},
		{`{"weights":[1],"bias" 2}`, "byte 22: found `2`, want :"},
		{`{"weights":[1],"bias":2,}`, "byte 24: found `}`, want a known field, once"},
		{`{"weights":[1,],"bias":2}`, "weights[1]: byte 14: found `]`, want float64"},
		{`{,"weights":[1],"bias":2}`, "byte 1: found `,`, want a known field, once"},
		{`{weights:[1],"bias":2}`, "byte 1: found `weights`, want a known field, once"},
		{`{"weights:[1],"bias":2}`, "byte 1: found `\"weights:[1],\"`, want a known field, once"},
		{`{1:2}`, "byte 1: found `1`, want a known field, once"},
		{`[]`, "byte 0: found `[`, want {"},
		{`7`, "byte 0: found `7`, want {"},
		{"{`\u1c89`:2}", "byte 1: found \"`\\u1c89`\", want a known field, once"}, // printable since Go 1.27
		{orderMark, "truncated: byte 3: found the end, want {"},
		{orderMark + `{"weights":[1],"bias":2}x`, "byte 27: found `x`, want the end"},
		{`{"weights":[1],` + orderMark + `"bias":2}`, "byte 15: found \"\\ufeff\", want a known field, once"},
		{orderMark + `null`, "byte 3: found `null`, want {"},
		{` null`, "byte 1: found `null`, want {"},
		{`{}`, `missing field "weights"`},
		{`{"weights":[1]}`, `missing field "bias"`},
		{`{"weights":[1],"bias":2,"weights":[1]}`, "byte 24: found `\"weights\"`, want a known field, once"},
		{`{"weights":[1],"bias":2,"w\u0065ights":[1]}`, "byte 24: found `\"w\\u0065ights\"`, want a known field, once"},
		{`{"weights":[1],"Bias":2}`, "byte 15: found `\"Bias\"`, want a known field, once"},
		{`{"weights":[1],"bias":2,"Bias":2}`, "byte 24: found `\"Bias\"`, want a known field, once"},
		{`{"bias":2}`, `missing field "weights"`},
		{`{"bias":2,"name":1}`, "byte 10: found `\"name\"`, want a known field, once"},
		{`{"name":1,"weights":[1],"bias":2}`, "byte 1: found `\"name\"`, want a known field, once"},
		{`{"name":"weights"}`, "byte 1: found `\"name\"`, want a known field, once"},
		{`[{"weights":[1],"bias":2}]`, "byte 0: found `[`, want {"},
		{`[{"weight`, "byte 0: found `[`, want {"},
		{`x`, "byte 0: found `x`, want {"},
		{`{":`, "byte 1: found `\"`, want a known field, once"},
		{`{"weights":null,"bias":2}`, "weights: byte 11: found `null`, want ["},
		{`{"weights":[1,null],"bias":2}`, "weights[1]: byte 14: found `null`, want float64"},
		{`{"weights":[1,[2]],"bias":2}`, "weights[1]: byte 14: found `[`, want float64"},
		{`{"weights":["]"],"bias":2}`, "weights[0]: byte 12: found `\"]\"`, want float64"},
		{`{"weights":[1],"bias":2,"\"":{"\\":"\\\"}"}}`, "byte 24: found `\"\\\"\"`, want a known field, once"},
		{`{"weights":{"0":1},"bias":2}`, "weights: byte 11: found `{`, want ["},
		{`{"weights":[1],"bias":"2"}`, "bias: byte 22: found `\"2\"`, want float64"},
		{`{"weights":[1],"bias":null}`, "bias: byte 22: found `null`, want float64"},
		{`{"weights":[1e400],"bias":2}`, "weights[0]: byte 12: found `1e400`, want float64"},
		{`{"weights":[1],"bias":true}`, "bias: byte 22: found `true`, want float64"},
		{`{"weights":` + deep + `,"bias":2}`, "weights[0]: byte 12: found `[`, want float64"},
		{strings.Repeat(`{"weights":`, 1e5), "weights: byte 11: found `{`, want ["},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 40) + `":2}`, "byte 24: found `\"" + strings.Repeat("x", 39) + "`, want a known field, once"},
		{`{"weights":[1],"bias":2,"` + strings.Repeat("x", 41) + `":2}`, "byte 24: found `\"" + strings.Repeat("x", 39) + "`, want a known field, once"},
	} {
		reject[plane](t, ReadJSON, []byte(c.text), c.err)
	}
	var p plane
	err := ReadJSON([]byte(orderMark+" { \"bias\" : -0 ,\n\t\"weights\":[ 1 , 2e0 ]\r} "), &p, func() error { return nil })
	if err != nil || !reflect.DeepEqual(p.Weights, []float64{1, 2}) || math.Float64bits(p.Bias) != 1<<63 {
		t.Errorf("read %v, %v", p, err)
	}
}

// TestNull checks that null is no form, and changes nothing.
func TestNull(t *testing.T) {
	p := plane{[]float64{1}, 2, nil}
	err := ReadJSON([]byte("null"), &p, func() error { t.Error("null is a form"); return nil })
	if err != nil || p.Bias != 2 || len(p.Weights) != 1 {
		t.Errorf("%v, %v", p, err)
	}
}

// TestFields reads trees with one field changed.
func TestFields(t *testing.T) {
	const valid = `{"kind":"tree/1","size":1,"name":"red","count":"5","top":{"sizes":[]},"even":false,"few":[],"texts":[]}`
	form := &tree{Kind: "tree/1"}
	if err := ReadJSON([]byte(valid), form, nothing); err != nil || form.Count != 5 || form.Root != nil || form.List != nil {
		t.Fatalf("%+v, %v", form, err)
	}
	const named = "is none of red, blue"
	for _, c := range []struct{ old, new, err string }{
		{`"size":1,`, ``, `missing field "size"`},
		{`"size":1`, `"size":1.5`, "size: byte 24: found `1.5`, want int64"},
		{`"size":1`, `"size":1e3`, "size: byte 24: found `1e3`, want int64"},
		{`"size":1`, `"size":null`, "size: byte 24: found `null`, want 0"},
		{`"size":1`, `"size":01`, "size: byte 24: found `01`, want int64"},
		{`"size":1`, `"size":9223372036854775808`, "size: byte 24: found `9223372036854775808`, want int64"},
		{`"size"`, `"Size"`, "byte 17: found `\"Size\"`, want a known field, once"},
		{`"size"`, `"base"`, "byte 17: found `\"base\"`, want a known field, once"},
		{`"tree/1"`, `"tree/2"`, "kind: byte 8: found `\"tree/2\"`, want \"tree/1\""},
		{`"tree/1"`, `1`, "kind: byte 8: found `1`, want \"tree/1\""},
		{`"kind":"tree/1",`, ``, `missing field "kind"`},
		{`"red"`, `"Red"`, "name: byte 33: found `\"Red\"`, want \"red\""},
		{`"red"`, `"\u0072ed"`, "name: byte 33: found `\"\\u0072ed\"`, want \"red\""},
		{`"red"`, `"green"`, `name: byte 33: "green" ` + named},
		{`"red"`, `""`, `name: byte 33: "" ` + named},
		{`"red"`, `{}`, `name: byte 33: "{" ` + named},
		{`"red"`, `0`, `name: byte 33: "0" ` + named},
		{`"red"`, `red`, "name: byte 33: found `red`, want colour"},
		{`"red"`, `null`, "name: byte 33: found `null`, want \"red\""},
		{`"5"`, `5`, "count: byte 47: found `5`, want Word"},
		{`"5"`, `"05"`, "count: byte 47: found `\"05\"`, want \"5\""},
		{`"5"`, `"+5"`, `count: byte 47: strconv.ParseUint: parsing "+5": invalid syntax`},
		{`"5"`, `"18446744073709551616"`, `count: byte 47: strconv.ParseUint: parsing "18446744073709551616": value out of range`},
		{`{"sizes":[]}`, `{"sizes":null}`, "top.sizes: byte 66: found `null`, want ["},
		{`{"sizes":[]}`, `{"sizes":{}}`, "top.sizes: byte 66: found `{`, want ["},
		{`{"sizes":[]}`, `{"sizes":[1,""]}`, "top.sizes[1]: byte 69: found `\"\"`, want int"},
		{`{"sizes":[]}`, `{"sizes":[1}`, "top.sizes: byte 68: found `}`, want , or ]"},
		{`"top":{`, `"root":{},"top":{`, `root: missing field "sizes"`},
		{`"top":{`, `"root":null,"top":{`, "root: byte 58: found `null`, want {"},
		{`"top":{`, `"root":7,"top":{`, "root: byte 58: found `7`, want {"},
		{`{"sizes":[]}`, `null`, "top: byte 57: found `null`, want {"},
		{`{"sizes":[]`, `{"sizes":[],"size":1`, "top: byte 69: found `\"size\"`, want a known field, once"},
		{`false`, `0`, "even: byte 77: found `0`, want bool"},
		{`false`, `null`, "even: byte 77: found `null`, want false"},
		{`false`, `"false"`, "even: byte 77: found `\"false\"`, want bool"},
		{`"few":[]`, `"few":[1,true]`, "few[1]: byte 92: found `true`, want float64"},
		{`"few":[]`, `"few":null`, "few: byte 89: found `null`, want ["},
		{`"texts":[]`, `"texts":[7]`, "texts[0]: byte 101: found `7`, want string"},
		{`"texts":[]`, `"texts":["a\u0062"]`, "texts[0]: byte 101: found `\"a\\u0062\"`, want \"ab\""},
		{`"texts":[]`, `"texts":["\ud800"]`, "texts[0]: byte 101: found `\"\\ud800\"`, want string"},
		{`"texts":[]`, `"texts":["<"]`, "texts[0]: byte 101: found `\"<\"`, want \"\\u003c\""},
		{`"texts":[]`, "\"texts\":[\"a\xff\"]", "texts[0]: byte 101: found \"\\\"a\\xff\\\"\", want \"a\ufffd\""},
		{`"texts":[]`, `"texts":["a`, "texts[0]: byte 101: found `\"`, want string"},
		{`"texts":[]`, `"texts":[],"vectors":[[1],2]`, "vectors[1]: byte 118: found `2`, want ["},
	} {
		if !strings.Contains(valid, c.old) {
			t.Errorf("no %s", c.old)
		}
		form := &tree{Kind: "tree/1"}
		err := ReadJSON([]byte(strings.Replace(valid, c.old, c.new, 1)), form, nothing)
		check(t, c.new, err, c.err)
	}
}

// TestMore: the first guess at the number of elements that follow is right for arrays of numbers and of vectors.
func TestMore(t *testing.T) {
	var p plane
	text := `{"weights":[],"bias":0,"vectors":[` + strings.Repeat("[0,0],", 999) + `[` + strings.Repeat("0,", 999) + `0]]}`
	if err := ReadJSON([]byte(text), &p, nothing); err != nil || len(p.List) != 1000 || cap(p.List) > 1300 || cap(p.List[999]) > 1300 {
		t.Errorf("%v: %d of %d vectors, the last of %d", err, len(p.List), cap(p.List), cap(p.List[999]))
	}
}
