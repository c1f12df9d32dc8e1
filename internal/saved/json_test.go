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
		reject[plane](t, ReadJSON, []byte(c.text), c.err)
	}
	var p plane
	err := ReadJSON([]byte(" { \"bias\" : -0 ,\n\t\"w\\u0065ights\":[ 1 , 2e0 ]\r} "), &p, func() error { return nil })
	if err != nil || !reflect.DeepEqual(p.Weights, []float64{1, 2}) || math.Float64bits(p.Bias) != 1<<63 {
		t.Errorf("read %v, %v", p, err)
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
	const valid = `{"size":1,"name":"red","count":"5","planes":[],"top":{"weights":[],"bias":0},"even":false}`
	var form tree
	if err := ReadJSON([]byte(valid), &form, func() error { return nil }); err != nil || form.Count != 5 || form.Root != nil || form.Planes != nil {
		t.Fatalf("%+v, %v", form, err)
	}
	for _, c := range []struct{ old, new, err string }{
		{`"size":1,`, ``, `byte 81: missing field "size"`},
		{`"size":1`, `"size":1.5`, `size: byte 11: cannot unmarshal number 1.5 into Go value of type int64`},
		{`"size":1`, `"size":1e3`, `size: byte 11: cannot unmarshal number 1e3 into Go value of type int64`},
		{`"size":1`, `"size":9223372036854775808`, `size: byte 27: cannot unmarshal number 9223372036854775808 into Go value of type int64`},
		{`"size"`, `"Size"`, `byte 7: unknown or duplicate field "Size"`},
		{`"size"`, `"base"`, `byte 7: unknown or duplicate field "base"`},
		{`"red"`, `"Red"`, `name: byte 22: want "red"`},
		{`"red"`, `"\u0072ed"`, `name: byte 27: want "red"`},
		{`"red"`, `"green"`, `name: byte 24: "green"`},
		{`"red"`, `0`, `name: byte 18: cannot unmarshal number into Go value of type *saved.colour`},
		{`"red"`, `null`, `name: byte 21: found null`},
		{`"5"`, `5`, `count: byte 32: cannot unmarshal number into Go value of type *saved.Word`},
		{`"5"`, `"05"`, `count: byte 35: want "5"`},
		{`"5"`, `"+5"`, `count: byte 35: strconv.ParseUint: parsing "+5": invalid syntax`},
		{`"5"`, `"18446744073709551616"`, `count: byte 53: strconv.ParseUint: parsing "18446744073709551616": value out of range`},
		{`[],"top"`, `null,"top"`, `planes: byte 48: want [`},
		{`[],"top"`, `{},"top"`, `planes: byte 45: want [`},
		{`[],"top"`, `[7],"top"`, `planes[0]: byte 46: want {`},
		{`[],"top"`, `[{"weights":[],"bias":1},{}],"top"`, `planes[1]: byte 71: missing field "weights"`},
		{`[],"top"`, `[{"weights":[],"bias":1},{"weights":[],"bias":""}],"top"`, `planes[1].bias: byte 92: cannot unmarshal string into Go value of type float64`},
		{`[],"top"`, `[{"weights":[],"bias":1}},"top"`, `planes: byte 68: want ]`},
		{`"top":{`, `"root":{},"top":{`, `root: byte 56: missing field "weights"`},
		{`"top":{`, `"root":null,"top":{`, `root: byte 58: want {`},
		{`"top":{`, `"root":7,"top":{`, `root: byte 55: want {`},
		{`{"weights":[],"bias":0}`, `null`, `top: byte 57: want {`},
		{`"bias":0}`, `"bias":0,"size":1}`, `top: byte 82: unknown or duplicate field "size"`},
		{`false`, `0`, `even: byte 85: cannot unmarshal number into Go value of type bool`},
		{`false`, `null`, `even: byte 88: found null`},
		{`false`, `"false"`, `even: byte 91: cannot unmarshal string into Go value of type bool`},
	} {
		if !strings.Contains(valid, c.old) {
			t.Errorf("no %s", c.old)
		}
		reject[tree](t, ReadJSON, []byte(strings.Replace(valid, c.old, c.new, 1)), c.err)
	}
}
