package saved

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// JSON returns the JSON form of a struct, unless err is not nil.
func JSON(form any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(form)
}

// A Reader sets the struct that form points to, which must be zero, from a saved form. If
// the form is valid, it then calls done and returns its error. [ReadJSON] and [ReadFrame]
// are Readers.
type Reader func(data []byte, form any, done func() error) error

// ReadJSON reads the JSON form. By encoding/json's convention, null changes nothing: done
// is not called.
func ReadJSON(data []byte, form any, done func() error) error {
	if string(data) == "null" {
		return nil
	}
	return readObject(data, form, done)
}

// readObject reads one object. Its fields may be in any order. None may be missing,
// except pointers, which writing omits if they are nil.
func readObject(data []byte, form any, done func() error) error {
	r := &shapeReader{data, json.NewDecoder(bytes.NewReader(data))}
	if err := r.object(reflect.ValueOf(form).Elem()); err != nil {
		return err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return r.errorf("trailing data")
	}
	return done()
}

// A shapeReader reads JSON into the structs of the saved form, whose json tags name
// all fields. encoding/json alone is too lenient: it reads null as 0, a missing field
// as its zero, the last of two fields of one name, and a name in any case. In a model
// each of these is an error that nobody would notice. So the reader walks the objects
// itself, and lets encoding/json read the values in them.
type shapeReader struct {
	data []byte
	dec  *json.Decoder
}

// errorf adds the position that the reader has reached, which is behind the value in
// question. It counts the bytes of the JSON, without the header of a frame.
func (r *shapeReader) errorf(format string, args ...any) error {
	return Errorf("byte %d: %s", r.dec.InputOffset(), fmt.Sprintf(format, args...))
}

// value reads a value into v. It follows v's type and not the JSON, so the depth of the
// JSON cannot exhaust the stack: brackets where v has none are a leaf, and encoding/json
// limits the depth there.
func (r *shapeReader) value(v reflect.Value) error {
	switch k := v.Kind(); {
	case k == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case k == reflect.Struct:
		return r.object(v)
	case k == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		return r.objects(v)
	}
	return r.leaf(v)
}

// A formField is one field of an object. It may be missing if it is a pointer.
type formField struct {
	name  string
	value reflect.Value
}

// formFields appends the fields of a struct, and of the structs embedded in it.
func formFields(fields []formField, v reflect.Value) []formField {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous {
			fields = formFields(fields, v.Field(i))
		} else {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",") // before omitempty
			fields = append(fields, formField{name, v.Field(i)})
		}
	}
	return fields
}

// object reads an object into a struct. It removes each field that it has found from
// the list, so the same name is unknown the second time.
func (r *shapeReader) object(v reflect.Value) error {
	if err := r.delimiter('{'); err != nil {
		return err
	}
	fields := formFields(make([]formField, 0, v.NumField()), v)
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return r.errorf("%v", err)
		}
		i := slices.IndexFunc(fields, func(f formField) bool { return f.name == key })
		if i < 0 {
			return r.errorf("unknown or duplicate field %.40q", key)
		}
		f := fields[i]
		fields = slices.Delete(fields, i, i+1)
		if err := r.value(f.value); err != nil {
			return At("."+f.name, err)
		}
	}
	err := r.delimiter('}')
	for _, f := range fields { // that are left
		if err == nil && f.value.Kind() != reflect.Pointer {
			err = r.errorf("missing field %q", f.name)
		}
	}
	return err
}

// objects reads an array of objects. The slice grows with the objects that are there,
// so the memory is in proportion to the data.
func (r *shapeReader) objects(v reflect.Value) error {
	if err := r.delimiter('['); err != nil {
		return err
	}
	for i := 0; r.dec.More(); i++ {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := r.object(v.Index(i)); err != nil {
			return At(fmt.Sprintf("[%d]", i), err)
		}
	}
	return r.delimiter(']')
}

// delimiter reads one bracket or brace. Any other token, a syntax error and the end of
// the data are errors.
func (r *shapeReader) delimiter(want json.Delim) error {
	if token, _ := r.dec.Token(); token != want {
		return r.errorf("want %v", want)
	}
	return nil
}

// leaf reads a value without objects in it: a number, a truth value, a name, or an
// array of numbers.
//
// encoding/json skips a null anywhere in it, but no valid one contains these letters.
// It leaves names to UnmarshalText, which ignores case, and numbers in quotes to
// strconv, which accepts 07; so these must be as they are written. An empty array is
// nil, as in a model that was never saved.
func (r *shapeReader) leaf(v reflect.Value) error {
	from := r.dec.InputOffset()
	if err := r.dec.Decode(v.Addr().Interface()); err != nil {
		return r.errorf("%s", reason(err))
	}
	text := r.data[from:r.dec.InputOffset()]
	if bytes.Contains(text, []byte("null")) {
		return r.errorf("found null")
	}
	if _, ok := v.Interface().(encoding.TextMarshaler); ok {
		if want, err := json.Marshal(v.Interface()); err != nil || !bytes.HasSuffix(text, want) {
			return r.errorf("want %s", want)
		}
	}
	if v.Kind() == reflect.Slice && v.Len() == 0 {
		v.SetZero()
	}
	return nil
}

// A Word is an unsigned integer that JSON holds in quotes, because many programs read
// a number as a float64.
type Word uint64

// MarshalText returns the digits. encoding/json adds the quotes.
func (w Word) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(w), 10), nil }

// UnmarshalText reads the digits. The shapeReader rejects leading zeros.
func (w *Word) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*w = Word(n)
	return err
}

// ErrFormat is the kind of every error about data. Errors of files are not of this kind.
var ErrFormat = errors.New("perceptron: bad format")

// A formatError describes what is wrong in a saved form: the path of the field in the
// JSON, each part with a dot before it, then a colon and the text. The path grows on
// the way up, so that reading valid input does not pay for it.
type formatError string

func (e formatError) Error() string {
	return ErrFormat.Error() + ": " + strings.TrimLeft(string(e), ".: ")
}

func (e formatError) Unwrap() error { return ErrFormat }

// Errorf returns an error without a path. Functions on the way up add it with [At].
func Errorf(format string, args ...any) error {
	return formatError(": " + fmt.Sprintf(format, args...))
}

// Expect returns nil if ok is true, else an error about the field. cmp.Or of several
// checks is the first error.
func Expect(ok bool, field, format string, args ...any) error {
	if ok {
		return nil
	}
	return At("."+field, Errorf(format, args...))
}

// At adds a part to the front of err's path: ".field", "[index]", or "" for none. An error
// of another kind, such as that of a validator, becomes an error about the data. At returns
// nil if err is nil.
func At(part string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(formatError)
	if !ok {
		e = formatError(": " + reason(err))
	}
	return formatError(part) + e
}

// reason returns the text of an error without its kind: that of the error that it wraps, or
// encoding/json's.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "json: ")
	if kind := errors.Unwrap(err); kind != nil {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	return text
}
