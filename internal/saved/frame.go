// Package saved reads and writes saved forms. A saved form is a struct, written as strict JSON or in
// binary. The binary form is a frame with a head, which is JSON without the vectors, and the vectors.
// The package does not depend on what the structs mean.
//
// The structs exist only for saving. Their json tags name every field. A field with omitempty may be
// missing in the JSON; every other field must be there.
//
//   - [JSON] writes the JSON form, and [Binary] the binary one.
//   - A [Reader] reads one of the two forms, and [Load] reads a file of either.
//   - Every error about the data is an [ErrFormat], and its text has the position or the field.
package saved

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"
)

// A Form is a pointer to a struct of a saved form.
type Form interface {
	// Vectors points to the form's vectors, or is nil if it has none. They are empty in the head of a frame.
	Vectors() *[][]float64
}

// A Kind is the first field of a form. It says what the form holds, and in which version of the format. The caller
// of a [Reader] sets it to the kind that it wants, and another kind is an error.
type Kind string

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

// MostZeros limits the number of elements that the vectors of one frame have in memory if their zeros are left
// out, so a short file cannot take all memory. So many elements take 1 GiB. The vectors of a larger model are
// saved with their zeros. MostZeros is a variable for tests.
var MostZeros = 1 << 27

// leastPacked is the least number of elements of a vector whose zeros are left out. A shorter vector
// takes little memory anyway.
const leastPacked = 64

// Binary returns the binary form of a struct, and removes its vectors. If err is not nil, it only returns
// err.
func Binary(form Form, err error) ([]byte, error) {
	head, vectors, err := Split(form, err)
	if err != nil {
		return nil, err
	}
	stored, size, zeros := make([][]uint32, len(vectors)), 0, 0
	for i, v := range vectors {
		if stored[i] = nonZeros(v); stored[i] != nil {
			zeros += len(v)
		}
	}
	if zeros > MostZeros {
		clear(stored)
	}
	for i, v := range vectors {
		size += 16 + 8*len(v)
		if stored[i] != nil {
			size += 12*len(stored[i]) - 8*len(v)
		}
	}
	b := append(make([]byte, 0, headerSize+8+len(head)+size+sumSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, 0) // the length, known below
	b = binary.LittleEndian.AppendUint64(b, uint64(len(head)))
	b = append(b, head...)
	for i, v := range vectors {
		b = appendVector(b, v, stored[i])
	}
	binary.LittleEndian.PutUint64(b[headerSize-8:], uint64(len(b)-headerSize))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// nonZeros returns the indexes of the elements that are not zero, or nil if v is better stored whole: if it is
// shorter than leastPacked, or longer than 2³², or if more than a quarter of its elements are not zero. −0 counts
// as not zero.
func nonZeros(v []float64) []uint32 {
	if len(v) < leastPacked || uint64(len(v)) > 1<<32 {
		return nil
	}
	index := []uint32{}
	for j, x := range v {
		if math.Float64bits(x) != 0 {
			if index = append(index, uint32(j)); len(index) > len(v)/4 {
				return nil
			}
		}
	}
	return index
}

// appendVector appends a vector. If index is not nil, it has the indexes of the elements that are stored.
func appendVector(b []byte, v []float64, index []uint32) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
	if index == nil {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(len(index)))
	for _, j := range index {
		b = binary.LittleEndian.AppendUint32(b, j)
	}
	for _, j := range index {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v[j]))
	}
	return b
}

// Split removes the vectors from a form, and returns its JSON without them, and the vectors. If err is not
// nil, it only returns err.
func Split(form Form, err error) (head []byte, vectors [][]float64, _ error) {
	if err != nil {
		return nil, nil, err
	}
	if list := form.Vectors(); list != nil {
		vectors, *list = *list, nil
	}
	head, err = json.Marshal(form)
	return head, vectors, err
}

// Join puts vectors in a form that has none: it is the inverse of Split.
func Join(form Form, vectors [][]float64) error {
	list := form.Vectors()
	switch {
	case list != nil && len(*list) > 0:
		return At(".vectors", Errorf("found in the head, want none"))
	case list != nil:
		*list = vectors
	case len(vectors) > 0:
		return At(".vectors", Errorf("found %d, want none", len(vectors)))
	}
	return nil
}
