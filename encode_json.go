package perceptron

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// appendJSON appends a value as JSON.
func appendJSON(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64)
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint64: // in quotes, since many readers take a number for a float64
		return fmt.Appendf(b, `"%d"`, v.Uint())
	case reflect.Uint8:
		return fmt.Appendf(b, `"%s"`, enumNames(v)[v.Uint()])
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Pointer:
		return appendJSON(b, v.Elem())
	case reflect.Interface: // Binary
		return appendObject(b, &struct{ Kind kind }{kindOf(v.Interface().(Model))}, v.Interface())
	}
	return appendObject(b, v.Addr().Interface())
}

// appendObject appends the fields of the structs that vs point to as one object.
// Those that are nil are left out.
func appendObject(b []byte, vs ...any) []byte {
	separator := byte('{')
	for _, v := range vs {
		for name, f := range exported(reflect.ValueOf(v).Elem()) {
			if absent(f) {
				continue
			}
			b = fmt.Appendf(b, `%c"%s":`, separator, name)
			b = appendJSON(b, f)
			separator = ','
		}
	}
	return append(b, '}')
}

// absent tells whether a field is one that may be left out, and is.
func absent(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil()
}

// exported yields the names, in JSON's manner, and values of a struct's exported
// fields.
func exported(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			first, size := utf8.DecodeRuneInString(f.Name)
			if !yield(string(unicode.ToLower(first))+f.Name[size:], v.Field(i)) {
				return
			}
		}
	}
}

// enumNames returns the names of the constants of a value's type.
func enumNames(v reflect.Value) []string {
	switch v.Interface().(type) {
	case Space:
		return spaceNames
	case Order:
		return orderNames
	case Keep:
		return keepNames
	case rule:
		return ruleNames
	}
	return kindNames
}

// validJSON checks data's syntax, and its depth.
func validJSON(data []byte) error {
	var nothing unread
	if err := json.Unmarshal(data, &nothing); err != nil {
		if at, ok := err.(*json.SyntaxError); ok {
			return flawed("", "byte %d: %v", at.Offset, err)
		}
		return flawed("", "%v", err)
	}
	return nil
}

// unread is any JSON.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { return nil }

// readJSON sets the structs that vs point to, which must be zero, from the fields
// of one object, which may come in any order.
func readJSON(data []byte, vs ...any) error {
	if err := validJSON(data); err != nil {
		return err
	}
	return readObject(data, vs...)
}

func readObject(data []byte, vs ...any) error {
	fields, err := fieldsOf(data)
	if err != nil {
		return err
	}
	for _, v := range vs {
		for name, f := range exported(reflect.ValueOf(v).Elem()) {
			value, ok := fields[name]
			delete(fields, name)
			switch {
			case ok:
				err = readValue(value, f)
			case absent(f):
				continue
			default:
				err = flawed("", "it is missing")
			}
			if err != nil {
				return within(name, err)
			}
		}
	}
	if len(fields) > 0 {
		unknown := slices.Min(slices.Collect(maps.Keys(fields)))
		return flawed(quoted([]byte(unknown)), "a field of this name is unknown")
	}
	return nil
}

// fieldsOf returns an object's fields. One that is there twice is an error, and so
// are more than any object of this package has.
func fieldsOf(data []byte) (map[string][]byte, error) {
	const most = 32
	if data = bytes.TrimSpace(data); data[0] != '{' {
		return nil, flawed("", "%s, want an object", quoted(data))
	}
	fields := make(map[string][]byte)
	for key, value := range elements(data) {
		name := string(key[1 : len(key)-1])
		if bytes.IndexByte(key, '\\') >= 0 {
			_ = json.Unmarshal(key, &name) // which is valid
		}
		if _, twice := fields[name]; twice {
			return nil, flawed(quoted([]byte(name)), "a field of this name is there twice")
		}
		if fields[name] = value; len(fields) > most {
			return nil, flawed("", "more than %d fields", most)
		}
	}
	return fields, nil
}

// readValue sets v.
func readValue(data []byte, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Uint8:
		for i, name := range enumNames(v) {
			if name != "" && string(data) == strconv.Quote(name) {
				v.SetUint(uint64(i))
				return nil
			}
		}
		return flawed("", "%s, want the name of a %s", quoted(data), v.Type().Name())
	case reflect.Bool:
		v.SetBool(data[0] == 't')
		if data[0] != 't' && data[0] != 'f' {
			return flawed("", "%s, want true or false", quoted(data))
		}
		return nil
	case reflect.Slice:
		return readSlice(data, v)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return readObject(data, v.Interface())
	case reflect.Interface:
		return readBinaryField(data, v)
	case reflect.Struct:
		return readObject(data, v.Addr().Interface())
	}
	return readNumber(data, v)
}

// readBinaryField sets OneVsRest's Binary to a model of the kind that data names.
func readBinaryField(data []byte, v reflect.Value) error {
	k, err := kindField(data)
	if err != nil {
		return err
	}
	if k >= kindOneVsRest {
		return flawed("kind", "%v, want Online, Batch or Margin", k)
	}
	m := newModel(k)
	v.Set(reflect.ValueOf(m))
	return readObject(data, &struct{ Kind kind }{}, m)
}

// kindField returns an object's kind.
func kindField(data []byte) (k kind, err error) {
	fields, err := fieldsOf(data)
	if err != nil {
		return 0, err
	}
	name, ok := fields["kind"]
	if !ok {
		return 0, flawed("kind", "it is missing")
	}
	return k, within("kind", readValue(name, reflect.ValueOf(&k).Elem()))
}

// readSlice sets v, which is nil, to the elements of an array, for numbers in
// memory of no more than four times the text.
func readSlice(data []byte, v reflect.Value) error {
	if data[0] != '[' {
		return flawed("", "%s, want an array", quoted(data))
	}
	if k := v.Type().Elem().Kind(); k == reflect.Float64 || k == reflect.Int {
		v.Grow(bytes.Count(data, []byte{','}) + 1)
	}
	n := 0
	for _, value := range elements(data) {
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if err := readValue(value, v.Index(n)); err != nil {
			return within(fmt.Sprintf("[%d]", n), err)
		}
		n++
	}
	if n == 0 {
		v.SetZero()
	}
	return nil
}

// readNumber sets v to a number, which for a uint64 is in quotes.
func readNumber(data []byte, v reflect.Value) error {
	var err error
	text := string(data)
	switch k := v.Kind(); {
	case (data[0] == '"') != (k == reflect.Uint64), data[0] != '"' && data[0] != '-' && (data[0] < '0' || data[0] > '9'):
		err = strconv.ErrSyntax
	case k == reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v.SetFloat(f)
	case k == reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(text[1:len(text)-1], 10, 64)
		v.SetUint(n)
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
	}
	if err != nil {
		return flawed("", "%s, want a number of type %v", quoted(data), v.Type())
	}
	return nil
}

// quoted is the beginning of a text, for a message.
func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "…"
	}
	return strconv.Quote(string(text))
}

// elements yields the keys, nil in an array, and values of an object or array.
// They are parts of data, which is valid JSON, so that brackets and quotes are
// all there is to look at.
func elements(data []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		object, rest := data[0] == '{', data[1:]
		for {
			rest = bytes.TrimLeft(rest, ", \t\r\n")
			if rest[0] == '}' || rest[0] == ']' {
				return
			}
			var key, value []byte
			if object {
				key, rest = cut(rest)
				rest = bytes.TrimLeft(rest, ": \t\r\n")
			}
			if value, rest = cut(rest); !yield(key, value) {
				return
			}
		}
	}
}

// cut splits valid JSON, which goes on behind its first value, there.
func cut(data []byte) (value, rest []byte) {
	n := 1
	switch data[0] {
	case '"':
		n = stringLength(data)
	case '[', '{':
		n = nestedLength(data)
	default:
		for !ends(data[n]) {
			n++
		}
	}
	return data[:n], data[n:]
}

// ends tells whether a byte ends a number or a name.
func ends(c byte) bool {
	switch c {
	case ',', ']', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// nestedLength returns the length of the array or object that data begins with.
func nestedLength(data []byte) int {
	depth := 1
	i := 1
	for ; depth > 0; i++ {
		switch data[i] {
		case '"':
			i += stringLength(data[i:]) - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return i
}

// stringLength returns the length, quotes included, of the string that data begins
// with.
func stringLength(data []byte) int {
	for i := 1; ; i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}
