package perceptron

import (
	"encoding/binary"
	"encoding/json"
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

// appendFrame appends a frame around m's JSON to b. On error it returns b unchanged.
func appendFrame(b []byte, m json.Marshaler) ([]byte, error) {
	payload, err := m.MarshalJSON()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli)), nil
}

// openFrame validates a frame and returns its payload, which is a part of data. The
// size comes first, because the checksum is at the end.
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
// payload. The size is negative if it is unknown.
func checkHeader(data []byte, size int64) error {
	if len(data) < headerSize {
		return formatErrorf("%d bytes, want a header of %d", len(data), headerSize)
	}
	if found := string(data[:len(magic)]); found != magic {
		return formatErrorf("byte 0: found %q, want %q", found, magic)
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != version {
		return formatErrorf("byte 8: version %d, want %d", v, version)
	}
	const around = int64(headerSize + sumSize)
	if n := binary.LittleEndian.Uint64(data[12:]); size >= 0 && (size < around || n != uint64(size-around)) {
		return formatErrorf("byte 12: a payload of %d bytes in a frame of %d", n, size)
	}
	return nil
}

// A formatError describes what is wrong in a saved form: the path of the field in the
// JSON, each part with a dot before it, then a colon and the text. The path grows on
// the way up, so that reading valid input does not pay for it.
type formatError string

func (e formatError) Error() string {
	return ErrFormat.Error() + ": " + strings.TrimLeft(string(e), ".: ")
}

func (e formatError) Unwrap() error { return ErrFormat }

// formatErrorf returns a formatError without a path. Functions on the way up add it
// with atField.
func formatErrorf(format string, args ...any) error {
	return formatError(": " + fmt.Sprintf(format, args...))
}

// expect returns nil if ok is true, else an error about the field. cmp.Or of several checks is the
// first error.
func expect(ok bool, field, format string, args ...any) error {
	if ok {
		return nil
	}
	return atField("."+field, formatErrorf(format, args...))
}

// atField adds a part to the front of err's path. Another error, such as that of a
// validator, becomes a formatError.
func atField(part string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(formatError)
	if !ok {
		e = formatError(": " + reason.Replace(err.Error()))
	}
	return formatError(part) + e
}

// reason removes the kind from the text of an error that a validator or encoding/json
// returns.
var reason = strings.NewReplacer(ErrFormat.Error()+": ", "", ErrConfig.Error()+": ", "", ErrNotFinite.Error()+": ", "", "json: ", "")
