package perceptron

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"

	"perceptron/internal/vec"
)

// This file has the binary form: a head, words of 64 bits, a checksum. Every value is
// a word or a list of values, so that there is one form for each state, and any
// length can be held against what is left before memory is taken for it. The
// checksum comes first when reading: an accident of the disk or the network is told
// as such, and what comes after is a program's mistake or someone's intent.

// The constants of the binary form; docs/format.md has the layout.
const (
	magic      = "\x89PTRN\r\n\x1a" // of bytes that a transfer as text would change
	version    = 1
	headerSize = 24
	sumSize    = 4
	wordSize   = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBinary appends what vs point to, with head and checksum.
func appendBinary(b []byte, k kind, vs ...any) []byte {
	start := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(k))
	b = binary.LittleEndian.AppendUint64(b, 0) // the payload's length, once it is known
	for _, v := range vs {
		b = appendWords(b, reflect.ValueOf(v).Elem())
	}
	binary.LittleEndian.PutUint64(b[start+headerSize-wordSize:], uint64(len(b)-start-headerSize))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// appendWords appends a value as words of 64 bits: a pointer as 0, or 1 and what it
// points to; Binary, the only interface, as the number of its kind and its fields.
func appendWords(b []byte, v reflect.Value) []byte {
	word := binary.LittleEndian.AppendUint64
	switch v.Kind() {
	case reflect.Float64:
		return word(b, math.Float64bits(v.Float()))
	case reflect.Int, reflect.Int64:
		return word(b, uint64(v.Int()))
	case reflect.Uint64, reflect.Uint8:
		return word(b, v.Uint())
	case reflect.Bool:
		return word(b, oneIf(v.Bool()))
	case reflect.Slice:
		return appendSlice(word(b, uint64(v.Len())), v)
	case reflect.Pointer:
		b = word(b, oneIf(!v.IsNil()))
		if !v.IsNil() {
			b = appendWords(b, v.Elem())
		}
		return b
	case reflect.Interface: // Binary
		m, _ := v.Interface().(Model)
		b = word(b, uint64(kindOf(m)))
		if m != nil {
			b = appendWords(b, reflect.ValueOf(m).Elem())
		}
		return b
	}
	for _, f := range exported(v) {
		b = appendWords(b, f)
	}
	return b
}

// appendSlice appends a slice's elements. Most of a model is floats, which need no
// reflection each.
func appendSlice(b []byte, v reflect.Value) []byte {
	if floats, ok := v.Interface().([]float64); ok {
		for _, x := range floats {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	for i := range v.Len() {
		b = appendWords(b, v.Index(i))
	}
	return b
}

func oneIf(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// A binaryReader reads words one after the other.
type binaryReader struct {
	data []byte // the payload
	at   int    // in data
}

// openBinary checks all but the payload, and returns the payload's kind and reader.
// The length must be that of what is there: nothing may follow, or be missing.
func openBinary(data []byte) (kind, *binaryReader, error) {
	k, length, err := header(data)
	if err != nil {
		return 0, nil, err
	}
	if there := len(data) - headerSize - sumSize; there < 0 || length != uint64(there) {
		return 0, nil, flawed("", "byte 16: a payload of %d bytes in an encoding of %d, want %d", length, len(data), there)
	}
	end := len(data) - sumSize
	if is, want := binary.LittleEndian.Uint32(data[end:]), crc32.Checksum(data[:end], castagnoli); is != want {
		return 0, nil, flawed("", "byte %d: checksum %08x, but the bytes before it have %08x", end, is, want)
	}
	return k, &binaryReader{data: data[headerSize:end]}, nil
}

// header reads the kind and the payload's length, which is yet to be believed. A
// later version has its readers chosen here.
func header(data []byte) (k kind, length uint64, err error) {
	if len(data) < headerSize {
		return 0, 0, flawed("", "%d bytes, want a header of %d", len(data), headerSize)
	}
	if is := string(data[:len(magic)]); is != magic {
		return 0, 0, flawed("", "byte 0: it begins with %q, want %q", is, magic)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return 0, 0, flawed("", "byte 8: version %d, want %d", v, version)
	}
	n := binary.LittleEndian.Uint32(data[12:])
	if n < 1 || n >= uint32(len(kindNames)) {
		return 0, 0, flawed("", "byte 12: kind %d, want 1 to %d", n, len(kindNames)-1)
	}
	return kind(n), binary.LittleEndian.Uint64(data[16:]), nil
}

// readBinary sets what vs point to, which must be zero.
func readBinary(data []byte, want kind, vs ...any) error {
	k, r, err := openBinary(data)
	if err != nil {
		return err
	}
	if k != want {
		return flawed("", "byte 12: it holds %v, want %v", k, want)
	}
	for _, v := range vs {
		if err := r.value(reflect.ValueOf(v).Elem()); err != nil {
			return err
		}
	}
	if r.at < len(r.data) {
		return r.flawed("the fields end here, but the payload has %d bytes more", len(r.data)-r.at)
	}
	return nil
}

// flawed returns a flaw at the place that r has come to.
func (r *binaryReader) flawed(format string, args ...any) error {
	return flawed("", "byte %d: %s", headerSize+r.at, fmt.Sprintf(format, args...))
}

// peek returns the next word.
func (r *binaryReader) peek() (uint64, error) {
	if len(r.data)-r.at < wordSize {
		return 0, r.flawed("the payload ends here, want 8 bytes more")
	}
	return binary.LittleEndian.Uint64(r.data[r.at:]), nil
}

// below reads a word that is less than n: a length, a constant or a truth value, all
// of which have one spelling only.
func (r *binaryReader) below(n int, what string) (int, error) {
	w, err := r.peek()
	if err != nil {
		return 0, err
	}
	if w >= uint64(n) {
		return 0, r.flawed("%s %d, want less than %d", what, w, n)
	}
	r.at += wordSize
	return int(w), nil
}

// value reads a value.
func (r *binaryReader) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Uint8:
		n, err := r.below(len(enumNames(v)), v.Type().Name())
		v.SetUint(uint64(n))
		return err
	case reflect.Bool:
		n, err := r.below(2, "truth value")
		v.SetBool(n == 1)
		return err
	case reflect.Slice:
		return r.slice(v)
	case reflect.Pointer:
		n, err := r.below(2, "presence")
		if err != nil || n == 0 {
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem())
	case reflect.Interface: // Binary
		n, err := r.below(int(kindOneVsRest), "kind of Binary")
		if err != nil || n == 0 {
			return err
		}
		m := reflect.ValueOf(newModel(kind(n)))
		v.Set(m)
		return r.value(m.Elem())
	case reflect.Struct:
		for name, f := range exported(v) {
			if err := r.value(f); err != nil {
				return within(name, err)
			}
		}
		return nil
	}
	return r.number(v)
}

// number reads a value that is a word. No float of any kind is ever NaN or infinite,
// and an int of a 64-bit machine may be too large for this one.
func (r *binaryReader) number(v reflect.Value) error {
	w, err := r.peek()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.Float64:
		f := math.Float64frombits(w)
		if !vec.IsFinite(f) {
			return r.flawed("%v, want a finite number", f)
		}
		v.SetFloat(f)
	case reflect.Uint64:
		v.SetUint(w)
	default:
		if v.OverflowInt(int64(w)) {
			return r.flawed("%d does not fit an int here", int64(w))
		}
		v.SetInt(int64(w))
	}
	r.at += wordSize
	return nil
}

// slice reads a length, which it holds against what is there, and the elements, each
// of a word at least and of no more than eight in memory.
func (r *binaryReader) slice(v reflect.Value) error {
	there := (len(r.data) - r.at) / wordSize // the length included
	n, err := r.below(max(there, 1), "length")
	if err != nil || n == 0 {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		if err := r.value(v.Index(i)); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}
