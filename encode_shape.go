package perceptron

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
)

// A shapeReader reads JSON into the structs of the saved form, whose json tags name
// all fields. encoding/json alone is too lenient: it reads null as 0, a missing field
// as its zero, the last of two fields of one name, and a name in any case. In a model
// each of these is an error that nobody would notice. So the reader walks the objects
// itself, and encoding/json reads the values in them.
type shapeReader struct {
	data []byte
	dec  *json.Decoder
}

// readJSON sets the struct that form points to, which must be zero, from one object.
// The fields may be in any order. None may be missing, except those that writing
// omits if they are nil.
func readJSON(data []byte, form any) error {
	r := &shapeReader{data, json.NewDecoder(bytes.NewReader(data))}
	if err := r.value(reflect.ValueOf(form).Elem()); err != nil {
		return err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return r.errorf("found more after the end")
	}
	return nil
}

// readFrame is readJSON for the binary form.
func readFrame(data []byte, form any) error {
	payload, err := openFrame(data)
	if err != nil {
		return err
	}
	return readJSON(payload, form)
}

// errorf adds the position in the JSON.
func (r *shapeReader) errorf(format string, args ...any) error {
	return formatErrorf("byte %d: %s", r.dec.InputOffset(), fmt.Sprintf(format, args...))
}

func (r *shapeReader) value(v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.object(v.Elem())
	case v.Kind() == reflect.Struct:
		return r.object(v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		return r.objects(v)
	}
	return r.leaf(v)
}

// A formField is one field of an object.
type formField struct {
	name           string
	value          reflect.Value
	optional, seen bool
}

// formFields yields the fields of a struct and of those embedded in it.
func formFields(v reflect.Value) iter.Seq[formField] {
	return func(yield func(formField) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				formFields(v.Field(i))(yield)
				continue
			}
			name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !yield(formField{name: name, value: v.Field(i), optional: option == "omitempty"}) {
				return
			}
		}
	}
}

func (r *shapeReader) object(v reflect.Value) error {
	if err := r.delimiter('{', "an object"); err != nil {
		return err
	}
	fields := make([]formField, 0, v.NumField())
	for f := range formFields(v) {
		fields = append(fields, f)
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return r.errorf("%v", err)
		}
		if err := r.field(fields, key.(string)); err != nil {
			return err
		}
	}
	if err := r.delimiter('}', "the end of an object"); err != nil {
		return err
	}
	for _, f := range fields {
		if !f.seen && !f.optional {
			return atField(f.name, r.errorf("missing field"))
		}
	}
	return nil
}

// field reads the value of the field of this name.
func (r *shapeReader) field(fields []formField, name string) error {
	for i := range fields {
		f := &fields[i]
		if f.name != name {
			continue
		}
		if f.seen {
			return atField(name, r.errorf("duplicate field"))
		}
		f.seen = true
		return atField(name, r.value(f.value))
	}
	return r.errorf("unknown field %.40q", name)
}

func (r *shapeReader) objects(v reflect.Value) error {
	if err := r.delimiter('[', "an array"); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // as [] is written
	for i := 0; r.dec.More(); i++ {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := r.object(v.Index(i)); err != nil {
			return atField(fmt.Sprintf("[%d]", i), err)
		}
	}
	return r.delimiter(']', "the end of an array")
}

func (r *shapeReader) delimiter(want json.Delim, name string) error {
	token, err := r.dec.Token()
	switch {
	case err == io.EOF:
		return r.errorf("unexpected end, want %s", name)
	case err != nil:
		return r.errorf("%v", err)
	case token == nil:
		return r.errorf("found null, want %s", name)
	case token != want:
		return r.errorf("found %.40q, want %s", fmt.Sprint(token), name)
	}
	return nil
}

// leaf reads a value without objects in it. No such value contains null. The name of
// a constant, and a number in quotes, must be as this package writes it.
func (r *shapeReader) leaf(v reflect.Value) error {
	from := r.dec.InputOffset()
	reserve(v, r.data[from:])
	if err := r.dec.Decode(v.Addr().Interface()); err != nil {
		return r.errorf("%s", reason(err))
	}
	text := r.data[from:r.dec.InputOffset()]
	if bytes.Contains(text, []byte("null")) {
		return r.errorf("found null")
	}
	if _, ok := v.Interface().(encoding.TextMarshaler); ok {
		if want, err := json.Marshal(v.Interface()); err != nil || !bytes.HasSuffix(text, want) {
			return r.errorf("want %s, exactly", want)
		}
	}
	return nil
}

// reserve allocates a slice for the floats that text may begin with, one for each
// comma. Without it, decoding allocates several times as much.
func reserve(v reflect.Value, text []byte) {
	if floats, ok := v.Addr().Interface().(*[]float64); ok {
		end := max(bytes.IndexByte(text, ']'), 0)
		*floats = make([]float64, 0, 1+bytes.Count(text[:end], []byte{','}))
	}
}
