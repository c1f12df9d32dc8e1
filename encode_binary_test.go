package perceptron

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFieldsNamed checks that the saved form names every exported field, so that a
// new field is not lost unnoticed.
func TestFieldsNamed(t *testing.T) {
	for _, c := range []struct {
		of   []any
		form any
	}{
		{[]any{Online{}, Margin{}, Batch{}}, savedBinary{}}, {[]any{Hyperplane{}}, savedPlane{}}, {[]any{Separation{}}, savedSeparation{}},
		{[]any{OneVsRest{}, Multiclass{}}, struct {
			savedMany
			Binary *savedBinary `json:"binary"`
		}{}},
	} {
		var want, got []string
		for _, of := range c.of {
			for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
				if f.IsExported() {
					want = append(want, strings.ToLower(f.Name[:1])+f.Name[1:])
				}
			}
		}
		var tree map[string]any
		must(0, json.Unmarshal(must(json.Marshal(c.form))(t), &tree))(t)
		for name := range tree {
			if name != "kind" {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		want = slices.Compact(want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T has %v, want %v", c.form, got, want)
		}
	}
}

// TestHostileFields reads fields that no model has. Each replaces a part of the JSON
// of a model.
func TestHostileFields(t *testing.T) {
	online, margin, batch := new(Online), &Margin{Threshold: 2}, new(Batch)
	many, linear, kesler := &OneVsRest{Binary: new(Online)}, &Margin{Space: Linear}, &Multiclass{Binary: new(Online)}
	for _, c := range []struct {
		m             model
		old, new, err string
	}{
		{margin, `"perceptron":1`, `"perceptron":2`, `perceptron: version 2, want 1`},
		{margin, `"perceptron":1`, `"perceptron":"1"`, `perceptron: byte 17: cannot unmarshal string into Go value of type int`},
		{margin, `"perceptron":1,`, ``, `byte 178: missing field "perceptron"`},
		{margin, `"binary"`, `"Binary"`, `byte 24: unknown or duplicate field "Binary"`},
		{margin, `"Margin"`, `"Online"`, `binary.threshold: found in Online, want its zero value`},
		{margin, `"Margin"`, `"margin"`, `binary.kind: "margin", want Online, Margin or Batch`},
		{margin, `"Margin"`, `"OneVsRest"`, `binary.kind: "OneVsRest", want Online, Margin or Batch`},
		{online, `"gamma":0`, `"gamma":1`, `binary.gamma: found in Online, want its zero value`},
		{online, `"workers":0`, `"workers":1`, `binary.workers: found in Online, want its zero value`},
		{margin, `"workers":0`, `"workers":1`, `binary.workers: found in Margin, want its zero value`},
		{batch, `"order":"Cyclic"`, `"order":"Sampled"`, `binary.order: found in Batch, want its zero value`},
		{batch, `"seed":"0"`, `"seed":"1"`, `binary.seed: found in Batch, want its zero value`},
		{batch, `"keep":"Last"`, `"keep":"Average"`, `binary.keep: found in Batch, want its zero value`},
		{batch, `"gamma":0`, `"gamma":1`, `binary.gamma: found in Batch, want its zero value`},
		{batch, `"threshold":0`, `"threshold":1`, `binary.threshold: found in Batch, want its zero value`},
		{many, `"oneVsRest":{`, `"learned":{`, `learned: byte 36: unknown or duplicate field "workers"`},
		{many, `"oneVsRest":{"workers":0`, `"oneVsRest":{"workers":-1`, `Workers is -1, want at least 1, or 0 for GOMAXPROCS`},
		{many, `"oneVsRest":{`, `"oneVsRest":{"binary":{},`, `oneVsRest: byte 37: unknown or duplicate field "binary"`},
		{many, `"binary":{`, `"binary":{"oneVsRest":{`, `binary: byte 63: unknown or duplicate field "oneVsRest"`},
		{many, `"binary":{`, `"binary":7,"x":{`, `binary: byte 52: want {`},
		{many, `"binary":{`, `"binary":null,"x":{`, `binary: byte 55: want {`},
		{kesler, `"multiclass":{`, `"Multiclass":{`, `byte 28: unknown or duplicate field "Multiclass"`},
		{kesler, `"multiclass":{`, `"multiclass":{"workers":0`, `multiclass: byte 39: unknown or duplicate field "workers"`},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0},"multiclass":{`, `multiclass: want it or oneVsRest, not both`},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0`, `found a *perceptron.OneVsRest, want a *perceptron.Multiclass`},
		{many, `"oneVsRest":{"workers":0`, `"multiclass":{`, `found a *perceptron.Multiclass, want a *perceptron.OneVsRest`},
		{kesler, `"kind":"Online"`, `"kind":"Batch"`, `Binary is a *perceptron.Batch, want a *perceptron.Online or *perceptron.Margin`},
		{kesler, `"start":{"weights":[]`, `"start":{"weights":[1]`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"bias":0`, `"bias":1`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"binary":{`, `"binary":{"multiclass":{`, `binary: byte 54: unknown or duplicate field "multiclass"`},
		{margin, `"rate":0`, `"rat":0`, `binary: byte 47: unknown or duplicate field "rat"`},
		{margin, `"rate":0,`, ``, `binary: byte 183: missing field "rate"`},
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
	refuse(t, "no kind", p, p.UnmarshalJSON, []byte(`{"perceptron":1}`), "binary: want it, oneVsRest or multiclass")
	refuse(t, "another kind", p, p.UnmarshalJSON, must(margin.MarshalJSON())(t), "found a *perceptron.Margin, want a *perceptron.Online")
}
