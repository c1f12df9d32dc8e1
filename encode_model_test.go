package perceptron

import (
	"reflect"
	"strings"
	"testing"
)

// TestFieldsNamed checks that the saved form names every exported field, so that a
// new field is not lost unnoticed.
func TestFieldsNamed(t *testing.T) {
	for _, c := range []struct{ of, form any }{
		{Online{}, savedOnline{}}, {Margin{}, savedMargin{}}, {Batch{}, savedBatch{}}, {OneVsRest{}, savedOneVsRest{}},
		{Hyperplane{}, savedPlane{}}, {Separation{}, savedSeparation{}},
	} {
		var want, got []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.of)) {
			if f.IsExported() {
				want = append(want, strings.ToLower(f.Name[:1])+f.Name[1:])
			}
		}
		for _, f := range formFields(nil, reflect.ValueOf(c.form)) {
			got = append(got, f.name)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T has %v, want %v", c.form, got, want)
		}
	}
}

// TestHostileFields reads fields that no model has. Each replaces a part of the JSON
// of a model.
func TestHostileFields(t *testing.T) {
	margin, many, linear := &Margin{Threshold: 2}, &OneVsRest{Binary: new(Online)}, &Margin{Space: Linear}
	for _, c := range []struct {
		m             model
		old, new, err string
	}{
		{margin, `"perceptron":1`, `"perceptron":2`, `perceptron: version 2, want 1`},
		{margin, `"perceptron":1`, `"perceptron":"1"`, `perceptron: byte 17: cannot unmarshal string into Go value of type int`},
		{margin, `"perceptron":1,`, ``, `byte 150: missing field "perceptron"`},
		{margin, `"margin"`, `"Margin"`, `byte 24: unknown or duplicate field "Margin"`},
		{margin, `"margin"`, `"online"`, `online: byte 147: unknown or duplicate field "gamma"`},
		{margin, `"gamma":0,"threshold":2}`, `"gamma":0,"threshold":2},"batch":{"rate":0,"space":"Affine","start":{"weights":[],"bias":0},"maxEpochs":0,"workers":0}`, `want one kind of model`},
		{many, `"oneVsRest":{`, `"batch":{"rate":0,"space":"Affine","start":{"weights":[],"bias":0},"maxEpochs":0,"workers":0},"oneVsRest":{`, `oneVsRest: want one kind of model`},
		{many, `"oneVsRest":{`, `"learned":{`, `learned: byte 35: unknown or duplicate field "binary"`},
		{many, `"binary":{`, `"binary":{"batch":{"rate":0,"space":"Affine","start":{"weights":[],"bias":0},"maxEpochs":0,"workers":0},`, `oneVsRest.binary: want one kind of model`},
		{many, `"workers":0`, `"workers":-1`, `Workers is -1, want at least 1, or 0 for GOMAXPROCS`},
		{many, `"binary":{`, `"binary":{"oneVsRest":{`, `oneVsRest.binary: byte 50: unknown or duplicate field "oneVsRest"`},
		{many, `"binary":{"online"`, `"binary":{"batch"`, `oneVsRest.binary.batch: byte 127: unknown or duplicate field "order"`},
		{many, `"binary":{`, `"binary":7,"x":{`, `oneVsRest.binary: byte 39: want {`},
		{many, `"binary":{`, `"binary":null,"x":{`, `oneVsRest.binary: byte 42: want {`},
		{margin, `"rate":0`, `"rat":0`, `margin: byte 31: unknown or duplicate field "rat"`},
		{margin, `"rate":0,`, ``, `margin: byte 155: missing field "rate"`},
		{margin, `"rate":0`, `"rate":-1`, `Rate is -1, want a positive finite number, or 0 for 1`},
		{margin, `"gamma":0`, `"gamma":1`, `Gamma is 1 and Threshold is 2, want at most one of them set`},
		{margin, `"maxEpochs":0`, `"maxEpochs":-4`, `MaxEpochs is -4, want at least 1, or 0 for 1000`},
		{linear, `"bias":0}`, `"bias":1}`, `Start.Bias is 1 in Linear space, want 0`},
	} {
		text := string(must(c.m.(coder).MarshalJSON())(t))
		if !strings.Contains(text, c.old) {
			t.Errorf("%s has no %s", text, c.old)
		}
		into := trainedOther(t, c.m).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, []byte(strings.Replace(text, c.old, c.new, 1)), c.err)
	}
	p := trainedOther(t, new(Online)).(coder)
	refuse(t, "no kind", p, p.UnmarshalJSON, []byte(`{"perceptron":1}`), "want one kind of model")
	refuse(t, "another kind", p, p.UnmarshalJSON, must(margin.MarshalJSON())(t), "found Margin, want Online")
}
