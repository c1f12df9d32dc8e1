package saved

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// JSON returns the JSON form of a struct. If err is not nil, it only returns err.
func JSON(form any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(form)
}

// A Reader reads data into the struct that form points to, which must be zero. If the data
// is valid, the Reader then calls done and returns the error of done. [ReadJSON] and
// [ReadFrame] are Readers.
type Reader func(data []byte, form Form, done func() error) error

// orderMark is the byte order mark, which some editors put before UTF-8.
const orderMark = "\ufeff"

// ReadJSON reads the JSON form. It skips a byte order mark. By encoding/json's convention, null
// changes nothing: done is not called.
func ReadJSON(data []byte, form Form, done func() error) error {
	if string(data) == "null" {
		return nil
	}
	text := bytes.TrimPrefix(data, []byte(orderMark))
	return readObject(text, len(data)-len(text), form, done)
}

// readObject reads one object, calls done and returns its error. The fields may be in any
// order. No field may be missing, except pointers, which are not written if they are nil. data begins at
// the position base, from which errors count. If the data is not valid, a form that has a method Explain may
// recognise it by the name of its first field, and return another error.
func readObject(data []byte, base int, form Form, done func() error) error {
	r := &reader{data: data, base: base}
	r.advance()
	err := cmp.Or(r.object(reflect.ValueOf(form).Elem()), r.take(len(r.token) == 0, "the end"))
	if err == nil {
		return done()
	}
	first := firstField(data)
	if base < headerSize { // the head of a frame is of a saved form, though perhaps of another type
		err = cmp.Or(checkOther(first, data, form), err)
	}
	if f, ok := form.(interface {
		Explain(first string, data []byte) error
	}); ok {
		err = cmp.Or(f.Explain(first, data), err)
	}
	return err
}

// checkOther returns an error if data is JSON of another kind than form. The first field of such JSON is
// unknown, or it has none, and the name of form's own first field occurs nowhere.
func checkOther(first string, data []byte, form Form) error {
	fields := formFields(nil, reflect.ValueOf(form).Elem())
	known := slices.ContainsFunc(fields, func(f formField) bool { return f.name == first })
	own := strconv.Quote(fields[0].name)
	if known || first == "" && !json.Valid(data) || bytes.Contains(data, []byte(own)) {
		return nil
	}
	return Errorf("not a saved model: JSON without %s", own)
}

// firstField returns the name of the first field of an object, or "". The rest may be no JSON.
func firstField(data []byte) string {
	var tokens [3]string
	r := &reader{data: data}
	for i := range tokens {
		r.advance()
		tokens[i] = string(r.token)
	}
	if tokens[0] != "{" || tokens[2] != ":" || tokens[1][0] != '"' {
		return ""
	}
	return strings.Trim(tokens[1], `"`)
}

// A reader reads JSON into the structs of the saved form, whose json tags name all fields.
//
// encoding/json is too lenient: it accepts null for a number, a missing field, a field that
// occurs twice, and a name in another case. In a model each of these is an error that nobody
// would notice. Its error texts and its use of memory also differ between versions of Go.
//
// The depth of the reader's calls depends on the type of the struct and not on the JSON, so
// deeply nested JSON cannot exhaust the stack.
type reader struct {
	data  []byte
	base  int    // the position of data, from which errors count
	at    int    // the token's position in data
	token []byte // the next token: a mark, a string, or a run of other bytes; empty at the end
}

// advance moves to the next token. In a string, a backslash and the byte after it belong together, so
// an escaped quote does not end the string.
func (r *reader) advance() {
	const blanks, marks = " \t\r\n", `{}[]:,"`
	rest := bytes.TrimLeft(r.data[r.at+len(r.token):], blanks)
	n := bytes.IndexAny(rest, blanks+marks)
	switch {
	case n < 0:
		n = len(rest)
	case rest[0] == '"':
		for n = 1; n < len(rest) && rest[n] != '"'; n++ {
			if rest[n] == '\\' {
				n++
			}
		}
		if n++; n > len(rest) { // the string has no end
			n = 1
		}
	case n == 0:
		n = 1
	}
	r.at, r.token = len(r.data)-len(rest), rest[:n]
}

// take moves to the next token if right is true. Otherwise it returns an error with the present token
// and with want, the text for what the reader expects.
func (r *reader) take(right bool, want string) error {
	if !right {
		if len(r.token) == 0 {
			return Errorf("truncated: byte %d: found the end, want %s", r.base+r.at, want)
		}
		return Errorf("byte %d: found %+#.40q, want %s", r.base+r.at, r.token, want)
	}
	r.advance()
	return nil
}

// takeMark takes the token if it is the mark that want begins with. The whole of want, such as
// ", or }", is the text for the error.
func (r *reader) takeMark(want string) error { return r.take(string(r.token) == want[:1], want) }

// list reads an array or an object. For each element it calls the function element with the number of
// the element, which the function must read. The mark of next or of end follows each element.
func (r *reader) list(begin, next, end string, element func(i int) error) error {
	err := r.takeMark(begin)
	for i := 0; err == nil && string(r.token) != end; i++ {
		if i > 0 {
			err = r.takeMark(next)
		}
		if err == nil {
			err = element(i)
		}
	}
	return cmp.Or(err, r.takeMark(end))
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
// the list of fields. So a name that occurs a second time is unknown.
func (r *reader) object(v reflect.Value) error {
	fields := formFields(make([]formField, 0, v.NumField()), v)
	err := r.list("{", ", or }", "}", func(int) error {
		i := slices.IndexFunc(fields, func(f formField) bool { return string(r.token) == `"`+f.name+`"` })
		if err := cmp.Or(r.take(i >= 0, "a known field, once"), r.takeMark(":")); err != nil {
			return err
		}
		f := fields[i]
		fields = slices.Delete(fields, i, i+1)
		return At("."+f.name, r.value(f.value))
	})
	for _, f := range fields { // the fields that were not found
		if err == nil && f.value.Kind() != reflect.Pointer {
			err = Errorf("missing field %q", f.name)
		}
	}
	return err
}

// value reads a value into v, which is zero. The memory is in proportion to the data. After the first
// number of an array, value counts the commas, and the slice gets room for all numbers. A slice of
// structs grows with each struct that is read. An empty array is read as nil, as in a model that was
// never saved.
//
// A float64 may have any spelling that JSON allows; strconv alone would accept more. encoding/json
// reads the other values, except strings. Of these values, value accepts only the spelling that
// encoding/json writes, because UnmarshalText may accept others, and encoding/json accepts null.
func (r *reader) value(v reflect.Value) error {
	want := v.Type().Name()
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case reflect.Struct:
		if x, ok := v.Addr().Interface().(*Vector); ok {
			return r.vector(x)
		}
		return r.object(v)
	case reflect.Slice:
		return r.list("[", ", or ]", "]", func(i int) error {
			if i == v.Cap() {
				commas := 0
				if i > 0 && v.Type().Elem().Kind() != reflect.Struct { // a struct may be far larger than its data
					commas = r.commas(v.Type().Elem().Kind() == reflect.String)
				}
				v.Grow(1 + commas)
			}
			v.SetLen(i + 1)
			if err := r.value(v.Index(i)); err != nil {
				return At(fmt.Sprintf("[%d]", i), err)
			}
			return nil
		})
	case reflect.Float64:
		f, err := strconv.ParseFloat(string(r.token), 64)
		v.SetFloat(f)
		return r.take(err == nil && json.Valid(r.token), want)
	}
	if v.Type() == reflect.TypeFor[string]() {
		return r.text(v)
	}
	err := json.Unmarshal(r.token[:min(len(r.token), 40)], v.Addr().Interface()) // no valid token is longer
	if written, _ := json.Marshal(v.Interface()); err == nil && string(r.token) != "null" {
		want = string(written)
	} else if named, ok := v.Addr().Interface().(encoding.TextMarshaler); ok && v.Kind() == reflect.Uint8 {
		want = "one of " + constants(v, named)
	}
	return r.take(string(r.token) == want, want)
}

// constants returns the names of all constants of v's type, which are numbered from 0. It changes v. named
// is v's address.
func constants(v reflect.Value, named encoding.TextMarshaler) string {
	var all []string
	for i := range uint64(math.MaxUint8 + 1) {
		v.SetUint(i)
		name, err := named.MarshalText()
		if err != nil {
			break
		}
		all = append(all, string(name))
	}
	return strings.Join(all, ", ")
}

// vector reads an array of all elements, or an object of those that are not zero.
func (r *reader) vector(v *Vector) error {
	if string(r.token) != "{" {
		err := r.value(reflect.ValueOf(&v.Value).Elem())
		v.N = len(v.Value)
		return err
	}
	var p pairs
	if err := r.object(reflect.ValueOf(&p).Elem()); err != nil {
		return err
	}
	*v = Vector{N: p.Length, Index: append([]uint32{}, p.Index...), Value: p.Value}
	return v.check()
}

// text reads a string, in the spelling that encoding/json writes. strconv can read this spelling, and
// for a short string it takes far less memory than encoding/json.
func (r *reader) text(v reflect.Value) error {
	s, err := strconv.Unquote(string(r.token))
	if err != nil || r.token[0] != '"' {
		return r.take(false, v.Type().Name())
	}
	v.SetString(s)
	written, _ := json.Marshal(s)
	return r.take(string(r.token) == string(written), fmt.Sprintf("%.40s", written))
}

// A Word is an unsigned integer that JSON holds in quotes, because many programs read
// a number as a float64.
type Word uint64

// MarshalText returns the digits. encoding/json adds the quotes.
func (w Word) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(w), 10), nil }

// UnmarshalText reads the digits. It accepts leading zeros, which the reader then rejects.
func (w *Word) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*w = Word(n)
	return err
}

// commas returns the number of commas before the end of the present array, outside strings if its
// elements are strings. It stops at a string without end, because each quote after it would be read to
// the end of the data again.
func (r *reader) commas(strings bool) (n int) {
	if !strings {
		rest := r.data[r.at:]
		return bytes.Count(rest[:max(0, bytes.IndexByte(rest, ']'))], []byte(","))
	}
	for ahead := *r; len(ahead.token) > 0 && string(ahead.token) != "]" && string(ahead.token) != `"`; ahead.advance() {
		if string(ahead.token) == "," {
			n++
		}
	}
	return n
}
