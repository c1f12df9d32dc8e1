// Package saved reads and writes saved forms. A saved form is a struct, written as strict JSON or in
// binary. The binary form is a frame with a head, which is JSON without the vectors, and the vectors.
// The package does not depend on what the structs mean.
//
// The structs exist only for saving. Their json tags name every field. A field that is a
// pointer may be missing in the JSON; every other field must be there.
//
//   - [JSON] writes the JSON form, and [Binary] and [Frame] the binary one.
//   - A [Reader] reads one of the two forms, and [ReadFile] either.
//   - [Take] and [Put] separate a [Form] from its vectors.
//   - Every error about the data is an [ErrFormat], and its text has the position or the field.
package saved

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"math"
)

// The binary form is a frame around a head and vectors:
//
//	magic, version, length of the payload, payload, CRC-32C of all before it
//
// The payload is the length of the head, the head, and the vectors one after another. A vector is
// the number of its elements, the number of elements that are stored, the indexes of the stored
// elements unless all are stored, and their values. docs/format.md describes the payload. The
// checksum detects damage by a disk or a network. It does not detect a forgery, so the contents are
// validated as those of the JSON form are.
const (
	magic      = "\x89PTRN\r\n\x1a" // has bytes that a transfer as text would change
	version    = 1
	headerSize = len(magic) + 4 + 8
	sumSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Frame is a form that is ready to be written in binary.
type Frame struct {
	head  []byte
	parts []part
}

// NewFrame returns the Frame of a form. If err is not nil, it only returns err. NewFrame removes the
// vectors from the form, and the Frame shares their memory.
func NewFrame(form Form, err error) (*Frame, error) {
	if err != nil {
		return nil, err
	}
	f := &Frame{parts: take(form)}
	f.head, err = json.Marshal(form)
	return f, err
}

// Binary returns the binary form of a struct. If err is not nil, it only returns err.
// [Frame.WriteTo] writes the same bytes with little memory.
func Binary(form Form, err error) ([]byte, error) {
	f, err := NewFrame(form, err)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, headerSize+f.size()+sumSize))
	_, err = f.WriteTo(b)
	return b.Bytes(), err
}

// size returns the length of the payload.
func (f *Frame) size() int {
	n := 8 + len(f.head)
	for _, p := range f.parts {
		n += 16 + 4*len(p.Index) + 8*(len(p.Value)+len(p.last))
	}
	return n
}

// chunk is the number of bytes that are read or written at once.
const chunk = 1 << 16

// WriteTo writes the frame in chunks, because the whole frame would take as much memory as the model.
func (f *Frame) WriteTo(to io.Writer) (written int64, err error) {
	b, sum := make([]byte, 0, chunk+8), uint32(0)
	flush := func(most int) {
		if len(b) > most && err == nil {
			sum = crc32.Update(sum, castagnoli, b)
			n := 0
			n, err = to.Write(b)
			written, b = written+int64(n), b[:0]
		}
	}
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.size()))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(f.head)))
	b = append(b, f.head...)
	for _, p := range f.parts {
		b = binary.LittleEndian.AppendUint64(b, uint64(p.N))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(p.Value)+len(p.last)))
		for _, j := range p.Index {
			b = binary.LittleEndian.AppendUint32(b, j)
			flush(chunk)
		}
		for _, values := range [][]float64{p.Value, p.last} {
			for _, x := range values {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
				flush(chunk)
			}
		}
	}
	flush(0)
	b = binary.LittleEndian.AppendUint32(b, sum)
	flush(0)
	return written, err
}
