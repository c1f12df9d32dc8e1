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

// ReadFrame reads the binary form. It checks the checksum before it reads the payload. A head that is null
// is an error, although ReadJSON accepts null.
func ReadFrame(data []byte, form Form, done func() error) error {
	if err := checkHeader(data); err != nil {
		return err
	}
	end := len(data) - sumSize
	if found, want := binary.LittleEndian.Uint32(data[end:]), crc32.Checksum(data[:end], castagnoli); found != want {
		return Errorf("damaged: byte %d: the checksum is %08x, but the bytes before it have %08x", end, found, want)
	}
	body := data[headerSize:end]
	n := uint64(0)
	if len(body) >= 8 {
		n, body = binary.LittleEndian.Uint64(body), body[8:]
	}
	if n == 0 || n > uint64(len(body)) {
		return Errorf("byte %d: a head of %s, but %s left", headerSize, bytesOf(n), bytesOf(len(body)))
	}
	vectors, err := readVectors(body[n:], headerSize+8+int(n))
	if err = cmp.Or(err, readObject(body[:n], headerSize+8, form), Join(form, vectors)); err != nil {
		return err
	}
	return done()
}

// checkHeader validates the header of a frame, and the length in it.
func checkHeader(data []byte) error {
	const around = headerSize + sumSize
	found := string(data[:min(len(data), len(magic))])
	switch {
	case found == "":
		return Errorf("not a saved model: no bytes")
	case !strings.HasPrefix(magic, found):
		return Errorf("not a saved model: it begins with %+q", found)
	case len(data) < around:
		return Errorf("truncated: %s, want at least %d", bytesOf(len(data)), around)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return Errorf("byte 8: version %d, want %d", v, version)
	}
	n, left := binary.LittleEndian.Uint64(data[12:]), uint64(len(data)-around)
	switch {
	case left < n:
		return Errorf("truncated: %s, but the header announces %s more", bytesOf(len(data)), bytesOf(n-left))
	case left > n:
		return Errorf("%s after the model", bytesOf(left-n))
	}
	return nil
}

// readVectors reads the vectors of a frame, which begin at the position at. No more memory is allocated than the
// frame has bytes, and MostZeros elements.
func readVectors(b []byte, at int) (vectors [][]float64, err error) {
	zeros := uint64(0)
	for len(b) > 0 {
		if len(b) < 16 {
			return nil, Errorf("byte %d: %s left, want 16", at, bytesOf(len(b)))
		}
		n, k := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		each := uint64(8)
		if k < n {
			each += 4
			zeros += min(n, math.MaxInt)
		}
		if high, size := bits.Mul64(k, each); k > n || high > 0 || size > uint64(len(b)-16) {
			return nil, Errorf("byte %d: %s of %s, but %s left", at, Count(k, "element", "elements"), bytesOf(each), bytesOf(len(b)-16))
		}
		if zeros > uint64(MostZeros) {
			return nil, Errorf("byte %d: %d elements, few of them not zero, want at most %d", at, zeros, MostZeros)
		}
		v := make([]float64, n)
		if err := readVector(v, b[16:16+k*(each-8)], b[16+k*(each-8):16+k*each]); err != nil {
			return nil, Errorf("byte %d: %v", at, err)
		}
		vectors = append(vectors, v)
		at, b = at+16+int(k*each), b[16+k*each:]
	}
	return vectors, nil
}

// readVector sets v, which is zero, to a vector with these values, and these indexes unless all elements have
// values. It writes only elements that are not zero: the others take no memory until they are written.
func readVector(v []float64, index, values []byte) error {
	next := 0
	for i := range len(values) / 8 {
		j, x := i, math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:]))
		if len(index) > 0 {
			if j = int(binary.LittleEndian.Uint32(index[4*i:])); j < next || j >= len(v) || math.Float64bits(x) == 0 {
				return fmt.Errorf("%v at index %d, want indexes below %d that ascend, and numbers that are not 0", x, j, len(v))
			}
		}
		if x-x != 0 { // NaN if it is not finite
			return fmt.Errorf("number %d of the vector is %v", j, x)
		}
		v[j], next = x, j+1
	}
	return nil
}

// Load reads either form from the file at path. A wrong path may lead to a file of any size, or to a device
// without end. So Load reads only the first bytes of a file that does not begin like a form. Of a frame, it
// reads at most one byte more than its header announces. Each error has the path once.
func Load(path string, form Form, done func() error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err = readFile(f, form, done); err == nil || errors.As(err, new(*fs.PathError)) { // the file system's error has the path
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// readFile reads either form. JSON may begin with more white space than Peek returns.
func readFile(f io.Reader, form Form, done func() error) error {
	r := bufio.NewReader(f)
	first, err := r.Peek(headerSize)
	if err != nil && err != io.EOF {
		return err
	}
	read, most := ReadJSON, int64(math.MaxInt64)
	if text := bytes.TrimLeft(bytes.TrimPrefix(first, []byte(orderMark)), " \t\r\n"); len(first) == 0 || len(text) > 0 && text[0] != '{' {
		if read = ReadFrame; len(first) < headerSize || !bytes.HasPrefix(first, []byte(magic)) {
			return checkHeader(first)
		}
		if n := binary.LittleEndian.Uint64(first[12:]); n < 1<<62 {
			most = int64(headerSize) + int64(n) + int64(sumSize) + 1
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		return err
	}
	return read(data, form, done)
}
