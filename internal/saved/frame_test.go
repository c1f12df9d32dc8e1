package saved

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
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
	text = `{"weights":[1,2],"bias":3}`
	head = `{"weights":[],"bias":0}`
)

// whole is the frame of text.
var whole = framed(head, u(3), u(3), 1.0, 2.0, 3.0)

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
	inf, most := math.Inf(1), MostZeros
	for _, c := range []struct {
		data []byte
		text string
	}{
		{nil, "not a saved model: no bytes"},
		{d[:19], "truncated: 19 bytes, want a header of 20"},
		{with(0, 'P'), `not a saved model: it begins with "PPTRN\r\n\x1a"`},
		{with(0, []byte("\u1c89")...), `not a saved model: it begins with "\u1c89RN\r\n\x1a"`},
		{with(8, 2), "byte 8: version 2, want 1"},
		{with(8, 0), "byte 8: version 0, want 1"},
		{with(11, 1), "byte 8: version 16777217, want 1"},
		{with(19, 0x80), "truncated: 95 bytes, but the header announces 9223372036854775808 bytes more"},
		{with(12, 70), "1 byte after the model"},
		{append(slices.Clone(d), d...), "95 bytes after the model"},
		{with(12, 72), "truncated: 95 bytes, but the header announces 1 byte more"},
		{d[:20], "truncated: 20 bytes, but the header announces 71 bytes more"},
		{with(12, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)[:20], "truncated: 20 bytes, but the header announces 18446744073709551612 bytes more"},
		{with(n-4, byte(sum)^1), fmt.Sprintf("damaged: byte 91: the checksum is %08x, but the bytes before it have %08x", sum^1, sum)},
		{framed("null"), "byte 28: found `null`, want {"},
		{framed(text), "numbers in the head, want empty vectors"},
		{framed(`{"weights":[],"bias":1}`, u(1), u(1), 3.0), "numbers in the head, want empty vectors"},
		{framed(head + "{}"), "byte 51: found `{`, want the end"},
		{framed(orderMark + head), `byte 28: found "\ufeff", want {`},
		{framed(""), "truncated: byte 28: found the end, want {"},
		{framed(head[:13]), "truncated: byte 41: found the end, want , or }"},
		{framed(head), "0 vectors, want 1"},
		{framed(head, u(0), u(0), u(0), u(0)), "2 vectors, want 1"},
		{sealed(""), "byte 20: 0 bytes left, want 8"},
		{sealed("1234567"), "byte 20: 7 bytes left, want 8"},
		{sealed("\x01\x00\x00\x00\x00\x00\x00\x00"), "byte 20: 1 element of 1 byte, but 0 bytes left"},
		{sealed(strings.Repeat("\xff", 8)), "byte 20: 18446744073709551615 elements of 1 byte, but 0 bytes left"},
		{framed(head, uint32(7)), "byte 51: 4 bytes left, want 8"},
		{framed(head, u(3)), "byte 59: 0 bytes left, want 8"},
		{framed(head, u(3), u(3), 1.0, 2.0), "byte 59: 3 elements of 8 bytes, but 16 bytes left"},
		{framed(head, u(1<<61), u(1<<61)), "byte 59: 2305843009213693952 elements of 8 bytes, but 0 bytes left"},
		{framed(head, u(3), u(3), 1.0, 2.0, 3.0, uint16(0)), "byte 91: 2 bytes left, want 8"},
		{framed(head, u(3), u(3), 1.0, inf, inf), "byte 67: number 2 of the vector is +Inf"},
		{framed(head, u(3), u(3), math.NaN(), 2.0, 3.0), "byte 67: number 0 of the vector is NaN"},
		{framed(head, u(100), u(2), uint32(3), uint32(7), 1.0), "byte 51: 2 pairs of index and value, but 16 bytes left"},
		{framed(head, u(100), u(2), uint32(3), uint32(3), 1.0, 2.0), "byte 51: index 3 at 1, want indexes below 100 that ascend"},
		{framed(head, u(100), u(2), uint32(3), uint32(100), 1.0, 2.0), "byte 51: index 100 at 1, want indexes below 100 that ascend"},
		{framed(head, u(100), u(2), uint32(3), uint32(4), 1.0, 0.0), "byte 51: the value at 1 is 0"},
		{framed(head, u(100), u(1), uint32(3), inf), "byte 71: number 0 of the vector is +Inf"},
		{framed(head, u(1), u(2), uint32(0), uint32(1), 1.0, 1.0), "byte 51: index 1 at 1, want indexes below 1 that ascend"},
		{framed(head, most+1, u(0)), fmt.Sprintf("%d elements, few of them not zero, want at most %d", most+1, most)},
		{framed(head, u(1<<32+1), u(0)), "byte 51: 4294967297 elements, few of them not zero, want at most 2³²"},
		{framed(head, u(math.MaxUint64), u(0)), "byte 51: 18446744073709551615 elements, few of them not zero, want at most 2³²"},
	} {
		reject[plane](t, ReadFrame, c.data, c.text)
	}
	check(t, "a file of no bytes", checkHeader(d, 0), "truncated: 0 bytes, but the header announces 71 bytes more")
	for i := range d {
		for _, mask := range []byte{1, 0x80, 0xff} {
			err := ReadFrame(with(i, d[i]^mask), new(plane), nothing)
			if !errors.Is(err, ErrFormat) || i >= headerSize && !strings.HasPrefix(err.Error(), "perceptron: bad format: damaged: byte 91: ") {
				t.Errorf("byte %d ^ %x: %v", i, mask, err)
			}
		}
	}
}

// TestDamaged: the checksum decides between damage and a forgery, in a frame of several chunks whose
// vector is invalid.
func TestDamaged(t *testing.T) {
	v := make([]float64, 3*chunk/8)
	v[1] = math.Inf(1)
	forged, invalid := framed(`{"v":[]}`, u(uint64(len(v))), u(uint64(len(v))), v), "byte 52: number 1 of the vector is +Inf"
	damaged := slices.Clone(forged)
	damaged[len(damaged)-5] ^= 1
	n := len(damaged) - 4
	sum := crc32.Checksum(damaged[:n], castagnoli)
	for content, want := range map[string]string{
		string(forged):  invalid,
		string(damaged): fmt.Sprintf("damaged: byte %d: the checksum is %08x, but the bytes before it have %08x", n, binary.LittleEndian.Uint32(forged[n:]), sum),
	} {
		reject[long](t, ReadFrame, []byte(content), want)
		check(t, "a file", ReadFile(opened(t, content), new(long), nothing), want)
	}
}

// A long form has one vector, of which most elements may be zero.
type long struct {
	V Vector `json:"v"`
}

func (l *long) Exchange(f func(v Vector, last ...float64) Vector) { l.V = f(l.V) }

// TestVectors writes and reads vectors of all sizes around those of a chunk and of a page, and with
// and without zeros, in both forms.
func TestVectors(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 255, 512, 513, 4095, 4096, 4097, chunk/8 - 1, chunk / 8, chunk/8 + 1, 100_000} {
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
			p, what := Pack(v), fmt.Sprint(n, " elements, every ", every)
			want := framed(`{"v":[]}`, u(uint64(n)), u(uint64(n)), v)
			if n >= 64 && len(index) <= n/4 {
				want = framed(`{"v":[]}`, u(uint64(n)), u(uint64(len(index))), index, value)
				if !slices.Equal(p.Index, index) {
					t.Fatalf("%s: packed with the indexes %v", what, p.Index)
				}
			} else if p.Index != nil {
				t.Fatalf("%s: packed", what)
			}
			text, err := JSON(long{p}, nil)
			data, err2 := Binary(&long{p}, nil)
			if err != nil || err2 != nil || !bytes.Equal(data, want) {
				t.Fatalf("%s: %v, %v, written as %d bytes\n%q, want %d\n%q", what, err, err2, len(data), data, len(want), want)
			}
			var a, b, c long
			err = errors.Join(ReadJSON(text, &a, nothing), ReadFrame(data, &b, nothing), ReadFile(opened(t, string(data)), &c, nothing))
			for _, got := range [][]float64{a.V.Dense(), b.V.Dense(), c.V.Dense(), Take(&long{p})[0]} {
				if err != nil || !slices.EqualFunc(got, v, naive.SameBits) {
					t.Fatalf("%s: read as %v, %v", what, got, err)
				}
			}
			if n > 0 {
				cut, last := p.Cut()
				if got := cut.With(last); cut.N != n-1 || !slices.EqualFunc(got, v, naive.SameBits) {
					t.Fatalf("%s: cut and joined as %v", what, got)
				}
			}
		}
	}
}

// A broken file has another content, and an error after it.
type broken struct {
	fs.File
	io.Reader
}

func (f broken) Read(b []byte) (int, error) { return f.Reader.Read(b) }

// opened returns a file of this content.
func opened(t *testing.T, content string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "form")
	naive.Must(0, os.WriteFile(path, []byte(content), 0o600))(t)
	f := naive.Must(os.Open(path))(t)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// piped returns a pipe with this content, which has no size. Without pipes it returns a file.
func piped(t *testing.T, content string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		return opened(t, content)
	}
	naive.Must(w.WriteString(content))(t)
	_ = w.Close()
	return r
}

// TestReadFile reads both forms, behind a byte order mark and any white space in JSON, and what is neither, from files
// and from pipes.
func TestReadFile(t *testing.T) {
	frame := string(whole)
	for _, n := range []int{0, 1, headerSize - 1, headerSize, headerSize + 1, 5000} {
		blanks := strings.Repeat(" \n\t\r", n)[:n]
		for _, content := range []string{blanks + text, orderMark + blanks + text, frame} {
			for _, f := range []*os.File{opened(t, content), piped(t, content)} {
				var form plane
				if err := ReadFile(f, &form, nothing); err != nil || form.Bias != 3 {
					t.Errorf("%q: %v, %v", content, form, err)
				}
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
		frame + frame:                          "95 bytes after the model",
		string(sealed("")) + "\r\n":            "2 bytes after the model",
		string(sealed("")[:22]):                "truncated: 22 bytes, want at least 24",
		frame[:30]:                             "truncated: 30 bytes, but the header announces 65 bytes more",
		"{":                                    "truncated: byte 1: found the end, want a known field, once",
		orderMark:                              "truncated: byte 3: found the end, want {",
		orderMark + `{"weights":[1],"bias":x}`: "bias: byte 25: found `x`, want float64",
		orderMark + "a,b":                      `not a saved model: it begins with "\ufeffa,b"`,
		orderMark + orderMark + text:           `not a saved model: it begins with "\ufeff\ufeff{\""`,
		" " + orderMark + text:                 `not a saved model: it begins with " \ufeff{\"we"`,
		orderMark + frame:                      `not a saved model: it begins with "\ufeff\x89PTRN"`,
		"null":                                 `not a saved model: it begins with "null"`,
	} {
		check(t, content, ReadFile(opened(t, content), new(plane), nothing), want)
		check(t, content, ReadFile(piped(t, content), new(plane), nothing), want)
	}
	done := errors.New("done")
	if err := ReadFile(opened(t, frame), new(plane), func() error { return done }); err != done {
		t.Error(err)
	}
}

// TestLoadFails checks that ReadFile returns an error of the disk, wherever it occurs, and
// reads no more than the header of a frame that has not the file's size.
func TestLoadFails(t *testing.T) {
	frame, disk := string(whole), errors.New("disk")
	for _, d := range []string{frame, text} {
		f := opened(t, d)
		for _, n := range []int{0, 1, headerSize, headerSize + 1, len(d)} {
			if n == len(whole) { // nothing more is read
				continue
			}
			r := broken{f, io.MultiReader(strings.NewReader(d[:n]), iotest.ErrReader(disk))}
			if err := ReadFile(r, new(plane), nothing); !errors.Is(err, disk) {
				t.Errorf("broken after %d bytes: %v", n, err)
			}
		}
	}
	longer := broken{opened(t, frame+"x"), io.MultiReader(strings.NewReader(frame[:headerSize]), iotest.ErrReader(disk))}
	check(t, "one byte too many", ReadFile(longer, new(plane), nothing), "1 byte after the model")
}
