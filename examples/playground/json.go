package main

import (
	"encoding"
	"math"
	"reflect"
	"strconv"
)

// appendJSON appends v as encoding/json would write it. Importing that package would add a
// quarter of a megabyte to the download, even compressed. appendJSON supports only the kinds of
// values that a picture has.
func appendJSON(b []byte, v reflect.Value) []byte {
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, _ := m.MarshalText()
		return appendString(b, string(text))
	}
	switch v.Kind() {
	case reflect.Struct:
		return append(appendFields(append(b, '{'), v), '}')
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			b = appendJSON(comma(b), v.Index(i))
		}
		return append(b, ']')
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendJSON(b, v.Elem())
	case reflect.String:
		return appendString(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Float64:
		return appendFloat(b, v.Float())
	}
	panic("playground: cannot write as JSON: " + v.Type().String())
}

// appendFields appends the fields of a struct. It writes the fields of an embedded
// struct as if they were its own.
func appendFields(b []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			b = appendFields(b, v.Field(i))
			continue
		}
		b = append(appendString(comma(b), field.Tag.Get("json")), ':')
		b = appendJSON(b, v.Field(i))
	}
	return b
}

// comma appends a comma unless the next item is the first.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last == '{' || last == '[' {
		return b
	}
	return append(b, ',')
}

func appendFloat(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		panic("playground: " + strconv.FormatFloat(v, 'g', -1, 64) + " cannot be written as JSON")
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
