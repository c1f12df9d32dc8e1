package perceptron

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"
)

// sealed puts a payload in a frame, by the table of docs/format.md.
func sealed(payload []byte) []byte {
	frame := []byte("\x89PTRN\r\n\x1a\x01\x00\x00\x00")
	frame = binary.LittleEndian.AppendUint64(frame, uint64(len(payload)))
	frame = append(frame, payload...)
	return binary.LittleEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
}

// refuse reads what every receiver must reject with ErrFormat, and with this text
// unless it is empty. The receiver must stay as it was.
func refuse(t *testing.T, what string, c coder, read func([]byte) error, data []byte, text string) {
	t.Helper()
	before := must(c.MarshalBinary())(t)
	err := read(data)
	if !errors.Is(err, ErrFormat) || text != "" && err.Error() != "perceptron: bad format: "+text {
		t.Errorf("%s: error %v, want %s", what, err, text)
	}
	if after := must(c.MarshalBinary())(t); !bytes.Equal(after, before) {
		t.Fatalf("%s: the receiver is\n%s, want\n%s", what, after, before)
	}
}

// TestFrame checks that the binary form is a frame around the JSON form.
func TestFrame(t *testing.T) {
	for _, s := range seeds(t) {
		if !bytes.Equal(s.data, sealed(s.text)) {
			t.Errorf("%q is not a frame around %s", s.data, s.text)
		}
	}
}

// TestHostileBytes checks that no receiver accepts a frame that is cut short, has a
// changed byte or one more, or is of another type.
func TestHostileBytes(t *testing.T) {
	for _, s := range seeds(t) {
		c, d := s.into, s.data
		for i := range d {
			refuse(t, fmt.Sprint("cut at ", i), c, c.UnmarshalBinary, d[:i], "")
			for _, mask := range []byte{1, 0x80, 0xff} {
				e := slices.Clone(d)
				e[i] ^= mask
				refuse(t, fmt.Sprintf("byte %d ^ %x", i, mask), c, c.UnmarshalBinary, e, "")
			}
		}
		refuse(t, "longer", c, c.UnmarshalBinary, append(slices.Clone(d), 0), "")
		for _, other := range decoded(t) {
			if fmt.Sprintf("%T", other) != fmt.Sprintf("%T", c) {
				refuse(t, "another type", other, other.UnmarshalBinary, d, "")
				refuse(t, "another type", other, other.UnmarshalJSON, s.text, "")
			}
		}
		must(0, c.UnmarshalBinary(d))(t)
	}
}

// TestHostileHead checks the errors for bytes that are not a frame.
func TestHostileHead(t *testing.T) {
	text := []byte(`{"weights":[1,2],"bias":3}`)
	d := must(Hyperplane{[]float64{1, 2}, 3}.MarshalBinary())(t)
	with := func(at int, b ...byte) []byte {
		e := slices.Clone(d)
		copy(e[at:], b)
		return e
	}
	sum := binary.LittleEndian.Uint32(d[46:])
	for _, c := range []struct {
		data []byte
		text string
	}{
		{nil, "0 bytes, want a header of 20"},
		{d[:19], "19 bytes, want a header of 20"},
		{with(0, 'P'), `byte 0: found "PPTRN\r\n\x1a", want "\x89PTRN\r\n\x1a"`},
		{with(8, 2), "byte 8: version 2, want 1"},
		{with(8, 0), "byte 8: version 0, want 1"},
		{with(11, 1), "byte 8: version 16777217, want 1"},
		{with(19, 0x80), "byte 12: a payload of 9223372036854775834 bytes in a frame of 50"},
		{with(12, 27), "byte 12: a payload of 27 bytes in a frame of 50"},
		{d[:20], "byte 12: a payload of 26 bytes in a frame of 20"},
		{with(12, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)[:20], "byte 12: a payload of 18446744073709551612 bytes in a frame of 20"},
		{with(46, byte(sum)^1), fmt.Sprintf("byte 46: the checksum is %08x, but the bytes before it have %08x", sum^1, sum)},
		{sealed([]byte("null")), "byte 4: want {"},
		{sealed([]byte(`{"weights":[1],"bias":2}{}`)), "byte 25: trailing data"},
		{sealed(nil), "byte 0: want {"},
		{sealed(text[:16]), "byte 16: want }"},
	} {
		h := &Hyperplane{[]float64{7}, 7}
		refuse(t, c.text, h, h.UnmarshalBinary, c.data, c.text)
	}
	if err := checkHeader(d, 0); !errors.Is(err, ErrFormat) {
		t.Errorf("a file of no bytes: %v", err)
	}
}
