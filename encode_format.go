package perceptron

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// The binary form is a frame around JSON:
//
//	magic, version, length of the payload, payload, CRC-32C of all before it
//
// docs/format.md describes it. The checksum detects damage by a disk or a network.
// It does not detect a forgery, so the payload is validated as any JSON is.
const (
	magic      = "\x89PTRN\r\n\x1a" // has bytes that a transfer as text would change
	version    = 1                  // of the frame, and of a model's JSON
	headerSize = len(magic) + 4 + 8
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends a frame around the payload to b.
func appendFrame(b, payload []byte) []byte {
	start := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// openFrame validates a frame and returns its payload.
func openFrame(data []byte) ([]byte, error) {
	if err := checkHeader(data, int64(len(data))); err != nil {
		return nil, err
	}
	end := len(data) - sumSize
	if found, want := binary.LittleEndian.Uint32(data[end:]), crc32.Checksum(data[:end], castagnoli); found != want {
		return nil, formatErrorf("byte %d: the checksum is %08x, but the bytes before it have %08x", end, found, want)
	}
	return data[headerSize:end], nil
}

// checkHeader validates the header of a frame of the given size, without reading the
// payload. Nothing may be missing or follow.
func checkHeader(data []byte, size int64) error {
	if err := checkMagic(data); err != nil {
		return err
	}
	length, want := binary.LittleEndian.Uint64(data[12:]), size-int64(headerSize+sumSize)
	if want < 0 || length != uint64(want) {
		return formatErrorf("byte 12: a payload of %d bytes in a frame of %d", length, size)
	}
	return nil
}

// checkMagic validates the header of a frame whose size is not known yet.
func checkMagic(data []byte) error {
	if len(data) < headerSize {
		return formatErrorf("%d bytes, want a header of %d", len(data), headerSize)
	}
	if found := string(data[:len(magic)]); found != magic {
		return formatErrorf("byte 0: found %q, want %q", found, magic)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return formatErrorf("byte 8: version %d, want %d", v, version)
	}
	return nil
}

// A formatError describes what is wrong in a saved form. The field is its path in
// the JSON, or empty.
type formatError struct {
	field string
	text  string
}

func (e *formatError) Error() string {
	if e.field == "" {
		return fmt.Sprintf("%v: %s", ErrFormat, e.text)
	}
	return fmt.Sprintf("%v: %s: %s", ErrFormat, e.field, e.text)
}

func (e *formatError) Unwrap() error { return ErrFormat }

func formatErrorf(format string, args ...any) error {
	return &formatError{text: fmt.Sprintf(format, args...)}
}

// atField adds a field to the front of err's path. Each level adds its own on the way
// up, so that reading valid input does not pay for paths. An error of a validator,
// such as ErrConfig, becomes a formatError.
func atField(field string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*formatError)
	if !ok {
		e = &formatError{text: reason(err)}
	}
	if field != "" && e.field != "" && e.field[0] != '[' {
		field += "."
	}
	return &formatError{field + e.field, e.text}
}

// reason returns an error's text without its kind.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "json: ")
	if text, ok := strings.CutPrefix(text, "perceptron: "); ok {
		_, text, _ = strings.Cut(text, ": ")
		return text
	}
	return text
}
