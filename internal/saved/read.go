package saved

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"strings"
)

// ReadFrame reads the binary form.
func ReadFrame(data []byte, form Form, done func() error) error {
	return readFrame(bytes.NewReader(data), int64(len(data)), form, done)
}

// readFrame reads a frame of a known size. It checks the size first, because the checksum is at the
// end of the frame. It checks the checksum before it decodes the head. Damage often makes a vector
// invalid too, so after an error in the payload the checksum decides whether the frame is damaged. A
// head that is null is an error, although ReadJSON accepts null.
func readFrame(from io.Reader, size int64, form Form, done func() error) error {
	header := make([]byte, min(size, int64(headerSize)))
	r := &frameReader{from: from, left: size, buf: make([]byte, min(size, chunk))}
	r.read(header)
	if err := cmp.Or(r.err, checkHeader(header, size)); err != nil {
		return err
	}
	r.left -= int64(sumSize)
	head := make([]byte, r.count(1))
	r.read(head)
	var vectors []Vector
	for r.left > 0 && r.err == nil {
		vectors = append(vectors, r.vector())
	}
	err := r.err
	if errors.Is(err, ErrFormat) {
		r.err = nil
	}
	for r.left > 0 && r.err == nil {
		r.read(r.buf[:min(r.left, int64(len(r.buf)))])
	}
	at, want := r.at, r.sum
	r.left += int64(sumSize)
	if found := uint32(r.uint(sumSize)); r.err == nil && found != want {
		return Errorf("damaged: byte %d: the checksum is %08x, but the bytes before it have %08x", at, found, want)
	}
	if err = cmp.Or(err, r.err); err != nil {
		return err
	}
	return readObject(head, headerSize+8, form, func() error {
		if err := Put(form, vectors); err != nil {
			return err
		}
		return done()
	})
}

// A frameReader reads a frame from front to back. After an error it reads nothing more.
type frameReader struct {
	from io.Reader
	at   int64  // the number of bytes read
	left int64  // the number of bytes that may be read
	sum  uint32 // the checksum of the bytes read
	buf  []byte
	err  error
}

// fail sets the error to one about the byte at the position at, unless there is an error already.
func (r *frameReader) fail(at int64, format string, args ...any) {
	if r.err == nil {
		r.err = Errorf("byte %d: "+format, append([]any{at}, args...)...)
	}
}

// read fills b.
func (r *frameReader) read(b []byte) {
	if r.err != nil {
		return
	}
	if int64(len(b)) > r.left {
		r.fail(r.at, "%s left, want %d", bytesOf(r.left), len(b))
		return
	}
	n, err := io.ReadFull(r.from, b)
	r.sum = crc32.Update(r.sum, castagnoli, b)
	r.at, r.left = r.at+int64(n), r.left-int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // the file has become shorter
		r.fail(r.at, "%v", err)
	} else {
		r.err = err
	}
}

// uint reads an integer of n bytes. It returns 0 after an error.
func (r *frameReader) uint(n int) uint64 {
	var b [8]byte
	if r.read(b[:n]); r.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// count reads the number of elements that follow, each of the given size in bytes. It rejects a
// number for which too few bytes are left. So no more memory is allocated than the file has bytes.
func (r *frameReader) count(size int) int {
	at := r.at
	n := r.uint(8)
	if high, bytes := bits.Mul64(n, uint64(size)); high > 0 || bytes > uint64(max(0, min(r.left, math.MaxInt))) {
		r.fail(at, "%s of %s, but %s left", Count(n, "element", "elements"), bytesOf(size), bytesOf(r.left))
		return 0
	}
	return int(n)
}

// vector reads a vector.
func (r *frameReader) vector() (v Vector) {
	at := r.at
	n := r.uint(8)
	k := r.count(8)
	if uint64(k) == n {
		return Whole(r.floats(k))
	}
	if n > 1<<32 || n > math.MaxInt {
		r.fail(at, "%d elements, few of them not zero, want at most 2³²", n)
		return v
	}
	v.N, v.Index = int(n), []uint32{}
	if int64(k)*12 > r.left {
		r.fail(at, "%s of index and value, but %s left", Count(k, "pair", "pairs"), bytesOf(r.left))
		return v
	}
	v.Index = make([]uint32, k)
	for i := 0; i < k && r.err == nil; {
		b := r.buf[:min(4*(k-i), len(r.buf)&^7)]
		for r.read(b); len(b) > 0; b = b[4:] {
			v.Index[i] = binary.LittleEndian.Uint32(b)
			i++
		}
	}
	v.Value = r.floats(k)
	if err := v.check(); r.err == nil && err != nil {
		r.fail(at, "%s", reason(err))
	}
	return v
}

// floats reads n numbers, which must be finite.
func (r *frameReader) floats(n int) []float64 {
	v := make([]float64, n)
	for i := 0; i < n && r.err == nil; {
		b, at := r.buf[:min(8*(n-i), len(r.buf)&^7)], r.at
		r.read(b)
		infinite := -1
		for part := v[i : i+len(b)/8]; len(part) > 0; part, b, i = part[1:], b[8:], i+1 {
			part[0] = math.Float64frombits(binary.LittleEndian.Uint64(b))
			if part[0]-part[0] != 0 { // NaN if it is not finite
				infinite = i
			}
		}
		if infinite >= 0 {
			r.fail(at, "number %d of the vector is %v", infinite, v[infinite])
		}
	}
	return v
}

// checkHeader validates the header of a frame of the given size, without reading the
// payload. The size is negative if it is unknown.
func checkHeader(data []byte, size int64) error {
	found := string(data[:min(len(data), len(magic))])
	switch {
	case found == "":
		return Errorf("not a saved model: no bytes")
	case !strings.HasPrefix(magic, found):
		return Errorf("not a saved model: it begins with %+q", found)
	case len(data) < headerSize:
		return Errorf("truncated: %s, want a header of %d", bytesOf(len(data)), headerSize)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return Errorf("byte 8: version %d, want %d", v, version)
	}
	const around = int64(headerSize + sumSize)
	n, left := binary.LittleEndian.Uint64(data[12:]), uint64(max(0, size-around))
	switch {
	case size < 0:
		return nil
	case left < n:
		return Errorf("truncated: %s, but the header announces %s more", bytesOf(size), bytesOf(n-left))
	case left > n:
		return Errorf("%s after the model", bytesOf(left-n))
	case size < around:
		return Errorf("truncated: %d bytes, want at least %d", size, around)
	}
	return nil
}

// ReadFile reads either form from a file, if the file begins like one of them. A wrong path may
// lead to a file of any size, or to a device without end. So ReadFile reads no more than the
// header if the size in the header is not that of the file. JSON has no length to check, and may
// begin with more white space than a header has bytes. A frame is read in chunks, unless the
// file's size is not known.
func ReadFile(f fs.File, form Form, done func() error) error {
	r := bufio.NewReader(f)
	head, err := r.Peek(headerSize)
	if err != nil && err != io.EOF {
		return err
	}
	read := ReadJSON
	if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(orderMark)), " \t\r\n"); len(head) == 0 || len(text) > 0 && text[0] != '{' {
		read = ReadFrame
		size := int64(-1) // of a pipe
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		if err := checkHeader(head, size); err != nil {
			return err
		}
		if size >= 0 {
			return readFrame(r, size, form, done)
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return read(data, form, done)
}

// Load is [ReadFile] of the file at path. Each error has the path once.
func Load(path string, form Form, done func() error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = ReadFile(f, form, done)
	if err == nil || errors.As(err, new(*fs.PathError)) { // the file system's error has the path
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
