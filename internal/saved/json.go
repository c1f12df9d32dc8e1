package saved

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
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

// A Reader reads data into the struct that form points to. The struct must be zero, except for its Kind. If
// the data is valid, the Reader then calls done and returns the error of done. [ReadJSON] and [ReadFrame]
// are Readers.
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
	if err := readObject(text, len(data)-len(text), form); err != nil {
		return err
	}
	return done()
}

// readObject reads one object. The fields may be in any order. No field may be missing, except those with omitempty. data begins at the position base, from which
// errors count.
func readObject(data []byte, base int, form Form) error {
	r := &reader{data: data, base: base}
	r.advance()
	return cmp.Or(r.object(reflect.ValueOf(form).Elem()), r.take(len(r.token) == 0, "the end"))
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
// the element, which the function must read. After each element comes the mark of next, or after the
// last one that of end.
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

// A formField is one field of an object.
type formField struct {
	name     string
	value    reflect.Value
	optional bool
}

// formFields appends the fields of a struct, and of the structs embedded in it.
func formFields(fields []formField, v reflect.Value) []formField {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous {
			fields = formFields(fields, reflect.Indirect(v.Field(i)))
		} else {
			name, _, optional := strings.Cut(f.Tag.Get("json"), ",omitempty")
			fields = append(fields, formField{name, v.Field(i), optional})
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
		if err == nil && !f.optional {
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
// reads the other values. Of these values, value accepts only the spelling that encoding/json writes,
// because UnmarshalText may accept others, and encoding/json accepts null.
func (r *reader) value(v reflect.Value) error {
	want := v.Type().Name()
	if kind, ok := v.Interface().(Kind); ok {
		want = strconv.Quote(string(kind))
		return r.take(string(r.token) == want, want)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case reflect.Struct:
		return r.object(v)
	case reflect.Slice:
		return r.list("[", ", or ]", "]", func(i int) error {
			if i == v.Cap() {
				v.Grow(1 + r.more(i, v.Type().Elem()))
			}
			v.SetLen(i + 1)
			return Index("", i, r.value(v.Index(i)))
		})
	case reflect.Float64: // the memory that encoding/json needs for one number would be far larger than the number
		f, err := strconv.ParseFloat(string(r.token), 64)
		v.SetFloat(f)
		return r.take(err == nil && json.Valid(r.token), want)
	}
	x, err := v.Addr().Interface(), error(nil)
	if text, ok := x.(*string); ok { // for a short string, strconv takes far less memory than encoding/json
		*text, err = strconv.Unquote(string(r.token))
	} else {
		err = json.Unmarshal(r.token, x)
	}
	if text, ok := x.(encoding.TextUnmarshaler); ok && err != nil {
		if err := text.UnmarshalText(bytes.Trim(r.token, `"`)); err != nil { // it says which texts there are
			return Errorf("byte %d: %s", r.base+r.at, reason(err))
		}
	}
	written, _ := json.Marshal(x)
	if err == nil {
		want = fmt.Sprintf("%.40s", written)
	}
	return r.take(err == nil && string(r.token) == string(written), want)
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

// more returns a guess at how many elements of a type follow the i-th in the present array, which has ended the
// slice's memory. An array in the array ends with "],".
func (r *reader) more(i int, element reflect.Type) int {
	rest := r.data[r.at:]
	switch {
	case i == 0:
		return 0
	case element.Kind() == reflect.Slice:
		return bytes.Count(rest, []byte("],"))
	case element.Kind() == reflect.Float64:
		return bytes.Count(rest[:max(0, bytes.IndexByte(rest, ']'))], []byte(","))
	}
	return 0
}
