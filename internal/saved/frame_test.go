package saved

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
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

const text = `{"weights":[1,2],"bias":3}`

// nothing is a done that accepts any form.
func nothing() error { return nil }

// TestHostileHead reads bytes that are not a frame.
func TestHostileHead(t *testing.T) {
	d, err := AppendFrame(nil, json.RawMessage(text))
	if err != nil || !bytes.Equal(d, sealed(text)) {
		t.Fatalf("the frame is %q, %v", d, err)
	}
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
		{with(0, []byte("\u1c89")...), `byte 0: found "\u1c89RN\r\n\x1a", want "\x89PTRN\r\n\x1a"`},
		{with(8, 2), "byte 8: version 2, want 1"},
		{with(8, 0), "byte 8: version 0, want 1"},
		{with(11, 1), "byte 8: version 16777217, want 1"},
		{with(19, 0x80), "byte 12: a payload of 9223372036854775834 bytes in a frame of 50"},
		{with(12, 27), "byte 12: a payload of 27 bytes in a frame of 50"},
		{d[:20], "byte 12: a payload of 26 bytes in a frame of 20"},
		{with(12, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)[:20], "byte 12: a payload of 18446744073709551612 bytes in a frame of 20"},
		{with(46, byte(sum)^1), fmt.Sprintf("byte 46: the checksum is %08x, but the bytes before it have %08x", sum^1, sum)},
		{sealed("null"), "byte 0: found `null`, want {"},
		{sealed(`{"weights":[1],"bias":2}{}`), "byte 24: found `{`, want the end"},
		{sealed(""), "byte 0: found ``, want {"},
		{sealed(text[:16]), "byte 16: found ``, want , or }"},
	} {
		reject[plane](t, ReadFrame, c.data, c.text)
	}
	check(t, "a file of no bytes", checkHeader(d, 0), "byte 12: a payload of 26 bytes in a frame of 0")
	for i := range d {
		for _, mask := range []byte{1, 0x80, 0xff} {
			if err := ReadFrame(with(i, d[i]^mask), new(plane), nothing); !errors.Is(err, ErrFormat) {
				t.Errorf("byte %d ^ %x: %v", i, mask, err)
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

// TestReadFile reads both forms, behind any white space in JSON, and what is neither, from files
// and from pipes.
func TestReadFile(t *testing.T) {
	frame := string(sealed(text))
	for _, n := range []int{0, 1, headerSize - 1, headerSize, headerSize + 1, 5000} {
		blanks := strings.Repeat(" \n\t\r", n)[:n]
		for _, content := range []string{blanks + text, frame} {
			for _, f := range []*os.File{opened(t, content), piped(t, content)} {
				var form plane
				if err := ReadFile(f, &form, nothing); err != nil || form.Bias != 3 {
					t.Errorf("%q: %v, %v", content, form, err)
				}
			}
		}
	}
	for content, want := range map[string]string{
		"":                                  "0 bytes, want a header of 20",
		"x":                                 "1 bytes, want a header of 20",
		"  x":                               "3 bytes, want a header of 20",
		" ":                                 "byte 1: found ``, want {",
		strings.Repeat(" ", 30):             "byte 30: found ``, want {",
		"some text that is no model at all": `byte 0: found "some tex", want "\x89PTRN\r\n\x1a"`,
		frame + "x":                         "byte 12: a payload of 26 bytes in a frame of 51",
		frame[:30]:                          "byte 12: a payload of 26 bytes in a frame of 30",
		"{":                                 "byte 1: found ``, want a known field, once",
		"null":                              "4 bytes, want a header of 20",
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
	frame, disk := string(sealed(text)), errors.New("disk")
	for _, d := range []string{frame, text} {
		f := opened(t, d)
		for _, n := range []int{0, 1, headerSize, headerSize + 1, len(d)} {
			r := broken{f, io.MultiReader(strings.NewReader(d[:n]), iotest.ErrReader(disk))}
			if err := ReadFile(r, new(plane), nothing); !errors.Is(err, disk) {
				t.Errorf("broken after %d bytes: %v", n, err)
			}
		}
	}
	longer := broken{opened(t, frame+"x"), io.MultiReader(strings.NewReader(frame[:headerSize]), iotest.ErrReader(disk))}
	check(t, "one byte too many", ReadFile(longer, new(plane), nothing), "byte 12: a payload of 26 bytes in a frame of 51")
}
