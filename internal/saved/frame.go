// Package saved reads and writes saved forms: a struct as strict JSON, and a frame around
// that JSON. It knows nothing of what the structs mean.
//
// The structs exist for saving alone. Their json tags name every field. A field that is a
// pointer may be missing; any other field must be there.
//
//   - [AppendFrame] writes the frame, encoding/json the JSON. Reading JSON is this package's own.
//   - A [Reader] reads one of the two forms, and [ReadFile] either.
//   - Every error about the data is [ErrFormat], and has the position or the field.
package saved

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
)

// The binary form is a frame around JSON:
//
//	magic, version, length of the payload, payload, CRC-32C of all before it
//
// docs/format.md describes it. The checksum detects damage by a disk or a network.
// It does not detect a forgery, so the payload is validated as any JSON is.
const (
	magic      = "\x89PTRN\r\n\x1a" // has bytes that a transfer as text would change
	version    = 1
	headerSize = len(magic) + 4 + 8
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendFrame appends a frame around m's JSON to b. The result may be in the memory of the JSON. On
// error it returns b unchanged.
func AppendFrame(b []byte, m json.Marshaler) ([]byte, error) {
	payload, err := m.MarshalJSON()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = slices.Insert(payload, 0, b...) // in place, as a slice of this size nearly always has the room
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli)), nil
}

// ReadFrame reads the binary form. It checks the size first, because the checksum is at the
// end. A payload that is null is an error: null means no change only in JSON.
func ReadFrame(data []byte, form any, done func() error) error {
	if err := checkHeader(data, int64(len(data))); err != nil {
		return err
	}
	end := len(data) - sumSize
	if found, want := binary.LittleEndian.Uint32(data[end:]), crc32.Checksum(data[:end], castagnoli); found != want {
		return Errorf("byte %d: the checksum is %08x, but the bytes before it have %08x", end, found, want)
	}
	return readObject(data[headerSize:end], form, done)
}

// checkHeader validates the header of a frame of the given size, without reading the
// payload. The size is negative if it is unknown.
func checkHeader(data []byte, size int64) error {
	if len(data) < headerSize {
		return Errorf("%d bytes, want a header of %d", len(data), headerSize)
	}
	if found := string(data[:len(magic)]); found != magic {
		return Errorf("byte 0: found %+q, want %+q", found, magic)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return Errorf("byte 8: version %d, want %d", v, version)
	}
	const around = int64(headerSize + sumSize)
	if n := binary.LittleEndian.Uint64(data[12:]); size >= 0 && (size < around || n != uint64(size-around)) {
		return Errorf("byte 12: a payload of %d bytes in a frame of %d", n, size)
	}
	return nil
}

// ReadFile reads either form from a file, if the file begins like one. A wrong path may lead
// to a file of any size, or to a device without end. So ReadFile reads only the header if the
// size in it is not that of the file. JSON has no length to check, and may begin with more
// white space than a header has bytes.
func ReadFile(f fs.File, form any, done func() error) error {
	r := bufio.NewReader(f)
	head, err := r.Peek(headerSize)
	if err != nil && err != io.EOF {
		return err
	}
	read := ReadJSON
	if text := bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 || len(text) > 0 && text[0] != '{' {
		read = ReadFrame
		size := int64(-1) // of a pipe
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		if err := checkHeader(head, size); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return read(data, form, done)
}

// Load is [ReadFile] of the file at path. Errors of the content have the path too.
func Load(path string, form any, done func() error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := ReadFile(f, form, done); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
