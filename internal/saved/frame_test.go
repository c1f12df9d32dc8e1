package saved

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"perceptron/internal/naive"
)

// sealed puts a payload in a frame, by the table of docs/format.md.
func sealed(payload string) []byte {
	frame := []byte("\x89PTRN\r\n\x1a\x01\x00\x00\x00")
	frame = binary.LittleEndian.AppendUint64(frame, uint64(len(payload)))
	frame = append(frame, payload...)
	return binary.LittleEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
}

// framed returns a frame of a head and numbers, each in its size.
func framed(head string, numbers ...any) []byte {
	payload := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	for _, n := range numbers {
		payload, _ = binary.Append(payload, binary.LittleEndian, n)
	}
	return sealed(string(payload))
}

// u returns a number of 64 bits.
func u(n uint64) uint64 { return n }

const (
	text = `{"weights":[],"bias":3,"vectors":[[1,2]]}`
	head = `{"weights":[],"bias":3}`
)

// whole is the frame of text.
var whole = framed(head, u(2), u(2), 1.0, 2.0)

// nothing is a done that accepts any form.
func nothing() error { return nil }

// TestHostileHead reads bytes that are not a frame.
func TestHostileHead(t *testing.T) {
	d := whole
	with := func(at int, b ...byte) []byte {
		e := slices.Clone(d)
		copy(e[at:], b)
		return e
	}
	n := len(d)
	sum := binary.LittleEndian.Uint32(d[n-4:])
	inf, most := math.Inf(1), uint64(MostZeros)
	for _, c := range []struct {
		data []byte
		text string
	}{
		{nil, "not a saved model: no bytes"},
		{d[:19], "truncated: 19 bytes, want at least 24"},
		{d[:23], "truncated: 23 bytes, want at least 24"},
		{with(0, 'P'), `not a saved model: it begins with "PPTRN\r\n\x1a"`},
		{with(0, []byte("\u1c89")...), `not a saved model: it begins with "\u1c89RN\r\n\x1a"`},
		{with(8, 2), "byte 8: version 2, want 1"},
		{with(8, 0), "byte 8: version 0, want 1"},
		{with(11, 1), "byte 8: version 16777217, want 1"},
		{with(19, 0x80), "truncated: 87 bytes, but the header announces 9223372036854775808 bytes more"},
		{with(12, 62), "1 byte after the model"},
		{append(slices.Clone(d), d...), "87 bytes after the model"},
		{with(12, 64), "truncated: 87 bytes, but the header announces 1 byte more"},
		{with(12, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)[:24], "truncated: 24 bytes, but the header announces 18446744073709551612 bytes more"},
		{with(n-4, byte(sum)^1), fmt.Sprintf("damaged: byte 83: the checksum is %08x, but the bytes before it have %08x", sum^1, sum)},
		{framed("null"), "byte 28: found `null`, want {"},
		{framed(text), "vectors: found in the head, want none"},
		{framed(head + "{}"), "byte 51: found `{`, want the end"},
		{framed(orderMark + head), `byte 28: found "\ufeff", want {`},
		{framed(""), "byte 20: a head of 0 bytes, but 0 bytes left"},
		{framed(head[:13]), "truncated: byte 41: found the end, want , or }"},
		{sealed(""), "byte 20: a head of 0 bytes, but 0 bytes left"},
		{sealed("1234567"), "byte 20: a head of 0 bytes, but 7 bytes left"},
		{sealed("\x01\x00\x00\x00\x00\x00\x00\x00"), "byte 20: a head of 1 byte, but 0 bytes left"},
		{sealed(strings.Repeat("\xff", 8)), "byte 20: a head of 18446744073709551615 bytes, but 0 bytes left"},
		{framed(head, uint32(7)), "byte 51: 4 bytes left, want 16"},
		{framed(head, u(3)), "byte 51: 8 bytes left, want 16"},
		{framed(head, u(3), u(3), 1.0, 2.0), "byte 51: 3 elements of 8 bytes, but 16 bytes left"},
		{framed(head, u(1<<61), u(1<<61)), "byte 51: 2305843009213693952 elements of 8 bytes, but 0 bytes left"},
		{framed(head, u(1<<62), u(1<<62), 0.0), "byte 51: 4611686018427387904 elements of 8 bytes, but 8 bytes left"},
		{framed(head, u(3), u(3), 1.0, 2.0, 3.0, uint16(0)), "byte 91: 2 bytes left, want 16"},
		{framed(head, u(3), u(3), 1.0, inf, inf), "byte 51: number 1 of the vector is +Inf"},
		{framed(head, u(1), u(1), 1.0, u(3), u(3), math.NaN(), 2.0, 3.0), "byte 75: number 0 of the vector is NaN"},
		{framed(head, u(100), u(2), uint32(3), uint32(7), 1.0), "byte 51: 2 elements of 12 bytes, but 16 bytes left"},
		{framed(head, u(100), u(2), uint32(3), uint32(3), 1.0, 2.0), "byte 51: 2 at index 3, want indexes below 100 that ascend, and numbers that are not 0"},
		{framed(head, u(100), u(2), uint32(3), uint32(100), 1.0, 2.0), "byte 51: 2 at index 100, want indexes below 100 that ascend, and numbers that are not 0"},
		{framed(head, u(100), u(2), uint32(3), uint32(4), 1.0, 0.0), "byte 51: 0 at index 4, want indexes below 100 that ascend, and numbers that are not 0"},
		{framed(head, u(100), u(1), uint32(3), inf), "byte 51: number 3 of the vector is +Inf"},
		{framed(head, u(1), u(2), uint32(0), uint32(1), 1.0, 1.0), "byte 51: 2 elements of 8 bytes, but 24 bytes left"},
		{framed(head, most+1, u(0)), fmt.Sprintf("byte 51: %d elements, few of them not zero, want at most %d", most+1, most)},
		{framed(head, most, u(0), u(1), u(0)), fmt.Sprintf("byte 67: %d elements, few of them not zero, want at most %d", most+1, most)},
		{framed(head, u(math.MaxUint64), u(0)), fmt.Sprintf("byte 51: %d elements, few of them not zero, want at most %d", math.MaxInt, most)},
	} {
		reject[plane](t, ReadFrame, c.data, c.text)
	}
	check(t, "a form without vectors", ReadFrame(framed(`{"size":1}`, u(0), u(0)), new(bare), nothing), "vectors: found 1, want none")
	for i := range d {
		for _, mask := range []byte{1, 0x80, 0xff} {
			err := ReadFrame(with(i, d[i]^mask), new(plane), nothing)
			if !errors.Is(err, ErrFormat) || i >= headerSize && !strings.HasPrefix(err.Error(), "perceptron: bad format: damaged: byte 83: ") {
				t.Errorf("byte %d ^ %x: %v", i, mask, err)
			}
		}
	}
}

// TestVectors writes and reads vectors of all sizes around those of a page, with and without zeros, in both
// forms.
func TestVectors(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 255, 512, 513, 4095, 4096, 4097, 100_000} {
		for _, every := range []int{1, 3, 4, 5, 63, 5000} {
			v := make([]float64, n)
			var index []uint32
			var value []float64
			for j := every - 1; j < n; j += every {
				if v[j] = float64(j) - 0.5; j%7 == 3 {
					v[j] = math.Copysign(0, -1)
				}
				index, value = append(index, uint32(j)), append(value, v[j])
			}
			what := fmt.Sprint(n, " elements, every ", every)
			want := framed(head, u(uint64(n)), u(uint64(n)), v)
			if n >= 64 && len(index) <= n/4 {
				want = framed(head, u(uint64(n)), u(uint64(len(index))), index, value)
			}
			form := func() *plane { return &plane{[]float64{}, 3, [][]float64{v}} }
			text, err := JSON(form(), nil)
			data, err2 := Binary(form(), nil)
			if err != nil || err2 != nil || !bytes.Equal(data, want) {
				t.Fatalf("%s: %v, %v, written as %d bytes\n%q, want %d\n%q", what, err, err2, len(data), data, len(want), want)
			}
			var a, b, c plane
			err = errors.Join(ReadJSON(text, &a, nothing), ReadFrame(data, &b, nothing), readFile(bytes.NewReader(data), &c, nothing))
			for _, got := range []plane{a, b, c} {
				if err != nil || len(got.List) != 1 || !slices.EqualFunc(got.List[0], v, naive.SameBits) {
					t.Fatalf("%s: read as %v, %v", what, got, err)
				}
			}
		}
	}
}

// TestMostZeros: if so many vectors without their zeros could not be loaded, Binary writes whole ones.
func TestMostZeros(t *testing.T) {
	defer func(most int) { MostZeros = most }(MostZeros)
	for most, want := range map[int]int{200: 2 * (16 + 12), 199: 2 * (16 + 800)} {
		v := make([]float64, 100)
		v[7], MostZeros = 1, most
		data := naive.Must(Binary(&plane{[]float64{}, 3, [][]float64{v, v}}, nil))(t)
		if size := len(data) - len(framed(head)); size != want {
			t.Errorf("with at most %d zeros, two vectors take %d bytes, want %d", most, size, want)
		}
		naive.Must(0, ReadFrame(data, new(plane), nothing))(t)
	}
}

// TestReadFile reads both forms, JSON after a byte order mark or white space, and files in neither form.
func TestReadFile(t *testing.T) {
	frame := string(whole)
	for _, n := range []int{0, 1, headerSize - 1, headerSize, headerSize + 1, 5000} {
		blanks := strings.Repeat(" \n\t\r", n)[:n]
		for _, content := range []string{blanks + text, orderMark + blanks + text, frame} {
			var form plane
			if err := readFile(iotest.HalfReader(strings.NewReader(content)), &form, nothing); err != nil || form.Bias != 3 || form.List[0][1] != 2 {
				t.Errorf("%q: %v, %v", content, form, err)
			}
		}
	}
	for content, want := range map[string]string{
		"":                                     "not a saved model: no bytes",
		"x":                                    `not a saved model: it begins with "x"`,
		"  x":                                  `not a saved model: it begins with "  x"`,
		" ":                                    "truncated: byte 1: found the end, want {",
		strings.Repeat(" ", 30):                "truncated: byte 30: found the end, want {",
		"some text that is no model at all":    `not a saved model: it begins with "some tex"`,
		frame + "x":                            "1 byte after the model",
		frame + frame:                          "1 byte after the model", // no more is read
		frame[:22]:                             "truncated: 22 bytes, want at least 24",
		frame[:30]:                             "truncated: 30 bytes, but the header announces 57 bytes more",
		"{":                                    "truncated: byte 1: found the end, want a known field, once",
		orderMark:                              "truncated: byte 3: found the end, want {",
		orderMark + `{"weights":[1],"bias":x}`: "bias: byte 25: found `x`, want float64",
		orderMark + "a,b":                      `not a saved model: it begins with "\ufeffa,b"`,
		orderMark + orderMark + text:           `not a saved model: it begins with "\ufeff\ufeff{\""`,
		" " + orderMark + text:                 `not a saved model: it begins with " \ufeff{\"we"`,
		orderMark + frame:                      `not a saved model: it begins with "\ufeff\x89PTRN"`,
		"null":                                 `not a saved model: it begins with "null"`,
	} {
		check(t, content, readFile(strings.NewReader(content), new(plane), nothing), want)
	}
	done := errors.New("done")
	if err := readFile(strings.NewReader(frame), new(plane), func() error { return done }); err != done {
		t.Error(err)
	}
}

// TestLoadFails checks that readFile returns an error of the disk at any place. It reads only the
// first bytes of a file in neither form.
func TestLoadFails(t *testing.T) {
	disk := errors.New("disk")
	for _, d := range []string{string(whole), text} {
		for n := range len(d) + 1 {
			r := io.MultiReader(strings.NewReader(d[:n]), iotest.ErrReader(disk))
			if err := readFile(r, new(plane), nothing); !errors.Is(err, disk) {
				t.Errorf("broken after %d bytes: %v", n, err)
			}
		}
	}
	endless := io.MultiReader(strings.NewReader(strings.Repeat("x", 5000)), iotest.ErrReader(disk))
	check(t, "a file that is no form", readFile(endless, new(plane), nothing), `not a saved model: it begins with "xxxxxxxx"`)
	check(t, "one byte too many", readFile(io.MultiReader(strings.NewReader(string(whole)+"x"), iotest.ErrReader(disk)), new(plane), nothing), "1 byte after the model")
}
