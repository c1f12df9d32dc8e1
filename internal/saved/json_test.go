package saved

import (
	"cmp"
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
		{`[]`, `not a saved model: JSON without "weights"`},
		{`7`, `not a saved model: JSON without "weights"`},
		{"{`\u1c89`:2}", "byte 1: found \"`\\u1c89`\", want a known field, once"}, // printable since Go 1.27
		{orderMark, "truncated: byte 3: found the end, want {"},
		{orderMark + `{"weights":[1],"bias":2}x`, "byte 27: found `x`, want the end"},
		{`{"weights":[1],` + orderMark + `"bias":2}`, "byte 15: found \"\\ufeff\", want a known field, once"},
		{orderMark + `null`, `not a saved model: JSON without "weights"`},
		{` null`, `not a saved model: JSON without "weights"`},
		{`{}`, `not a saved model: JSON without "weights"`},
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

// TestOther: JSON of another kind is no saved model, whatever follows its first field: several objects, one
// on each line, or one that is cut short.
func TestOther(t *testing.T) {
	for _, text := range []string{
		`{"name":"x"}`, ` { "name" : { } } `, `{"name":"x"}` + "\n" + `{"name":"y"}`, `{"name":"x","b`, `{"name":`, `{"":0}`, `{"\"":0}`, `{"weights\"":[]}`,
		`{"Weights":[1],"Bias":2}`, `{}`, ` {} `, `[]`, `[1,"a"]`, `[{}]`, `0`, `-1e3`, `"text"`, `true`, ` null`, orderMark + `{"name":"x"}`, orderMark + `[]`,
	} {
		reject[plane](t, ReadJSON, []byte(text), `not a saved model: JSON without "weights"`)
	}
	for _, text := range []string{`{"name":"x"}`, ` {}`, "\n{\"name\":\"x\"}\n{}\n", orderMark + `{"name":"x"}`} {
		check(t, text, ReadFile(opened(t, text), new(plane), nothing), `not a saved model: JSON without "weights"`)
	}
}

// TestNull checks that null is no form, and changes nothing.
func TestNull(t *testing.T) {
	p := plane{[]float64{1}, 2}
	err := ReadJSON([]byte("null"), &p, func() error { t.Error("null is a form"); return nil })
	if err != nil || p.Bias != 2 || len(p.Weights) != 1 {
		t.Errorf("%v, %v", p, err)
	}
}

// TestFields reads trees with one field changed.
func TestFields(t *testing.T) {
	const valid = `{"size":1,"name":"red","count":"5","planes":[],"top":{"weights":[],"bias":0},"even":false,"few":[]}`
	var form tree
	if err := ReadJSON([]byte(valid), &form, func() error { return nil }); err != nil || form.Count != 5 || form.Root != nil || form.Planes != nil {
		t.Fatalf("%+v, %v", form, err)
	}
	for _, c := range []struct{ old, new, err string }{
		{`"size":1,`, ``, `missing field "size"`},
		{`"size":1`, `"size":1.5`, "size: byte 8: found `1.5`, want int64"},
		{`"size":1`, `"size":1e3`, "size: byte 8: found `1e3`, want int64"},
		{`"size":1`, `"size":9223372036854775808`, "size: byte 8: found `9223372036854775808`, want int64"},
		{`"size"`, `"Size"`, `not a saved model: JSON without "size"`},
		{`"size"`, `"base"`, `not a saved model: JSON without "size"`},
		{`"name"`, `"base"`, "byte 10: found `\"base\"`, want a known field, once"},
		{`"red"`, `"Red"`, "name: byte 17: found `\"Red\"`, want \"red\""},
		{`"red"`, `"\u0072ed"`, "name: byte 17: found `\"\\u0072ed\"`, want \"red\""},
		{`"red"`, `"green"`, "name: byte 17: found `\"green\"`, want one of red, blue"},
		{`"red"`, `"gr\u0065en"`, "name: byte 17: found `\"gr\\u0065en\"`, want one of red, blue"},
		{`"red"`, `"` + strings.Repeat("x", 100) + `"`, "name: byte 17: found `\"" + strings.Repeat("x", 39) + "`, want one of red, blue"},
		{`"red"`, `""`, "name: byte 17: found `\"\"`, want one of red, blue"},
		{`"red"`, `{}`, "name: byte 17: found `{`, want one of red, blue"},
		{`"red"`, `0`, "name: byte 17: found `0`, want one of red, blue"},
		{`"red"`, `null`, "name: byte 17: found `null`, want one of red, blue"},
		{`"5"`, `5`, "count: byte 31: found `5`, want Word"},
		{`"5"`, `"05"`, "count: byte 31: found `\"05\"`, want \"5\""},
		{`"5"`, `"+5"`, "count: byte 31: found `\"+5\"`, want Word"},
		{`"5"`, `"18446744073709551616"`, "count: byte 31: found `\"18446744073709551616\"`, want Word"},
		{`[],"top"`, `null,"top"`, "planes: byte 44: found `null`, want ["},
		{`[],"top"`, `{},"top"`, "planes: byte 44: found `{`, want ["},
		{`[],"top"`, `[7],"top"`, "planes[0]: byte 45: found `7`, want {"},
		{`[],"top"`, `[{"weights":[],"bias":1},{}],"top"`, `planes[1]: missing field "weights"`},
		{`[],"top"`, `[{"weights":[],"bias":1},{"weights":[],"bias":""}],"top"`, "planes[1].bias: byte 90: found `\"\"`, want float64"},
		{`[],"top"`, `[{"weights":[],"bias":1}},"top"`, "planes: byte 68: found `}`, want , or ]"},
		{`"top":{`, `"root":{},"top":{`, `root: missing field "weights"`},
		{`"top":{`, `"root":null,"top":{`, "root: byte 54: found `null`, want {"},
		{`"top":{`, `"root":7,"top":{`, "root: byte 54: found `7`, want {"},
		{`{"weights":[],"bias":0}`, `null`, "top: byte 53: found `null`, want {"},
		{`"bias":0}`, `"bias":0,"size":1}`, "top: byte 76: found `\"size\"`, want a known field, once"},
		{`false`, `0`, "even: byte 84: found `0`, want bool"},
		{`false`, `null`, "even: byte 84: found `null`, want bool"},
		{`"few":[]`, `"few":[1,true]`, "few[1]: byte 99: found `true`, want float64"},
		{`"few":[]`, `"few":null`, "few: byte 96: found `null`, want ["},
		{`"few":[]`, `"few":{}`, `few: missing field "length"`},
		{`"few":[]`, `"few":{"length":-1,"index":[],"value":[]}`, "few: -1 elements, few of them not zero, want at most 2³²"},
		{`"few":[]`, `"few":{"length":5,"index":[4],"value":[]}`, "few: index has length 1, but value has 0"},
		{`"few":[]`, `"few":{"length":5,"index":[],"value":[1]}`, "few: index has length 0, but value has 1"},
		{`"few":[]`, `"few":{"length":5,"index":[1,5],"value":[1,2]}`, "few: index 5 at 1, want indexes below 5 that ascend"},
		{`"few":[]`, `"few":{"length":5,"index":[1,1],"value":[1,2]}`, "few: index 1 at 1, want indexes below 5 that ascend"},
		{`"few":[]`, `"few":{"length":5,"index":[2,1],"value":[1,2]}`, "few: index 1 at 1, want indexes below 5 that ascend"},
		{`"few":[]`, `"few":{"length":5,"index":[2,3],"value":[1,0]}`, "few: the value at 1 is 0"},
		{`"few":[]`, `"few":{"length":5,"index":[4294967296],"value":[1]}`, "few.index[0]: byte 117: found `4294967296`, want uint32"},
		{`"few":[]`, `"few":{"length":5,"index":[-1],"value":[1]}`, "few.index[0]: byte 117: found `-1`, want uint32"},
		{`false`, `"false"`, "even: byte 84: found `\"false\"`, want bool"},
	} {
		if !strings.Contains(valid, c.old) {
			t.Errorf("no %s", c.old)
		}
		reject[tree](t, ReadJSON, []byte(strings.Replace(valid, c.old, c.new, 1)), c.err)
	}
}

type texts struct {
	Texts []string `json:"texts"`
}

func (*texts) Exchange(func(v Vector, last ...float64) Vector) {}

// TestTexts: a list of strings has the one spelling that encoding/json gives it.
func TestTexts(t *testing.T) {
	want := texts{[]string{"", "a", `\"],{`, "é\u2028<&>", "\x00\b\f\n\r\t\x1f\x7f\v", strings.Repeat("long ", 100), "\ufffd", "日本"}}
	text, err := JSON(want, nil)
	var got texts
	if err := cmp.Or(err, ReadJSON(text, &got, func() error { return nil })); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v from %s", got, err, text)
	}
	for _, c := range []struct{ text, err string }{
		{`7`, "found `7`, want string"},
		{`null`, "found `null`, want string"},
		{"'a'", "found `'a'`, want string"},
		{"`a`", "found \"`a`\", want string"},
		{`"a\u0062"`, "found `\"a\\u0062\"`, want \"ab\""},
		{`"\x41"`, "found `\"\\x41\"`, want \"A\""},
		{`"\/"`, "found `\"\\/\"`, want string"},
		{`"\ud800"`, "found `\"\\ud800\"`, want string"},
		{`"<"`, "found `\"<\"`, want \"\\u003c\""},
		{"\"a\xff\"", "found \"\\\"a\\xff\\\"\", want \"a\ufffd\""},
		{`"\"`, "found `\"`, want string"},
		{`"a`, "found `\"`, want string"},
	} {
		reject[texts](t, ReadJSON, []byte(`{"texts":[`+c.text+`]}`), "texts[0]: byte 10: "+c.err)
	}
}

// TestEndless: a list with a string without end is read in time proportional to its length, however many
// escaped quotes follow.
func TestEndless(t *testing.T) {
	r := &reader{data: []byte(`"a","b","` + strings.Repeat(`\",`, 1000))}
	if r.advance(); r.commas(true) != 2 {
		t.Errorf("%d commas, want 2", r.commas(true))
	}
	reject[texts](t, ReadJSON, []byte(`{"texts":["a","b","`+strings.Repeat(`\"`, 1e6)), "texts[2]: byte 18: found `\"`, want string")
}
