package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/cespare/xxhash/v2"
	"perceptron"
)

// The format sparse has the rows of a LIBSVM file, parsed. It begins with a header: the magic, then four
// uint64s: the number of features, of rows and of values, and the XXH64 of what follows the header. Each
// row follows: its label as an int32, its number of values as a uint32, their indexes as uint32s that
// ascend from 0, and the values as float64s. All numbers are little-endian.
const sparseMagic = "sparse1\n"

// A sparseHeader follows the magic.
type sparseHeader struct{ Width, Rows, Values, Sum uint64 }

const sparseStart = int64(len(sparseMagic)) + 32 // where the rows begin

// A sparseReader reads the format sparse.
type sparseReader struct {
	name string
	in   *bufio.Reader
	left sparseHeader // what is still to read
	hash xxhash.Digest
	raw  []byte
	x    perceptron.Sparse
	err  error // the error that ended all, or nil
}

// newSparseReader reads the header and compares it with the size of the file.
func newSparseReader(file io.Reader, shard Shard, features int) (*sparseReader, error) {
	r := &sparseReader{name: shard.Name, in: bufio.NewReaderSize(file, 1<<20)}
	r.hash.Reset()
	magic := make([]byte, len(sparseMagic))
	_, err := io.ReadFull(r.in, magic)
	if err == nil {
		err = binary.Read(r.in, binary.LittleEndian, &r.left)
	}
	switch h, size := r.left, uint64(shard.Size-sparseStart); {
	case err != nil:
		return nil, fmt.Errorf("%s: header: %w", r.name, err)
	case string(magic) != sparseMagic:
		return nil, fmt.Errorf("%s: not of the format %s", r.name, sparseFormat)
	case h.Rows > size/8 || h.Values > size/12 || size != 8*h.Rows+12*h.Values:
		return nil, fmt.Errorf("%s: a file of %d bytes cannot hold %d rows of %d values", r.name, shard.Size, h.Rows, h.Values)
	case features != 0 && h.Width > uint64(features):
		return nil, fmt.Errorf("%s: rows of %d features, want at most %d", r.name, h.Width, features)
	}
	return r, nil
}

// all yields the rows until the end of the file or the first error. It stores the error in r.err.
// Each row overwrites the row before.
func (r *sparseReader) all(yield func(row, int) bool) {
	for n := 1; r.left.Rows > 0; n++ {
		label, err := r.next()
		if err != nil {
			r.err = rowError(r.name, n, err)
			return
		}
		if !yield(row{sparse: r.x}, label) {
			return
		}
	}
	if is := r.hash.Sum64(); is != r.left.Sum || r.left.Values != 0 {
		r.err = fmt.Errorf("%s: damaged: the hash of the rows is %016x, want %016x", r.name, is, r.left.Sum)
	}
}

// next reads a row into r.x.
func (r *sparseReader) next() (label int, err error) {
	head, err := r.bytes(8)
	if err != nil {
		return 0, err
	}
	label, n := int(int32(binary.LittleEndian.Uint32(head))), uint64(binary.LittleEndian.Uint32(head[4:]))
	if n > r.left.Values {
		return 0, errors.New("damaged: more values than the header says")
	}
	content, err := r.bytes(int(12 * n))
	if err != nil {
		return 0, err
	}
	r.left.Rows, r.left.Values = r.left.Rows-1, r.left.Values-n
	r.x.Index, r.x.Value = r.x.Index[:0], r.x.Value[:0]
	for i := range n {
		r.x.Index = append(r.x.Index, binary.LittleEndian.Uint32(content[4*i:]))
		r.x.Value = append(r.x.Value, math.Float64frombits(binary.LittleEndian.Uint64(content[4*n+8*i:])))
	}
	return label, nil
}

// bytes reads and hashes the next n bytes.
func (r *sparseReader) bytes(n int) ([]byte, error) {
	if cap(r.raw) < n {
		r.raw = make([]byte, n)
	}
	_, err := io.ReadFull(r.in, r.raw[:n])
	r.hash.Write(r.raw[:n])
	return r.raw[:n], err
}

// A sparseWriter writes the format sparse. The header is written last.
type sparseWriter struct {
	file   *os.File
	out    *bufio.Writer
	header sparseHeader
	hash   xxhash.Digest
	raw    []byte
}

func newSparseWriter(file *os.File) *sparseWriter {
	w := &sparseWriter{file: file, out: bufio.NewWriterSize(file, 1<<20)}
	w.hash.Reset()
	w.out.Write(make([]byte, sparseStart))
	return w
}

// add writes a row.
func (w *sparseWriter) add(x perceptron.Sparse, label int) {
	w.raw = binary.LittleEndian.AppendUint32(w.raw[:0], uint32(int32(label)))
	w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(len(x.Index)))
	for _, j := range x.Index {
		w.raw = binary.LittleEndian.AppendUint32(w.raw, j)
		w.header.Width = max(w.header.Width, uint64(j)+1)
	}
	for _, v := range x.Value {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, math.Float64bits(v))
	}
	w.header.Rows, w.header.Values = w.header.Rows+1, w.header.Values+uint64(len(x.Index))
	w.hash.Write(w.raw)
	w.out.Write(w.raw) // Flush has the error
}

// close writes what is left, and the header.
func (w *sparseWriter) close() error {
	w.header.Sum = w.hash.Sum64()
	head, _ := binary.Append([]byte(sparseMagic), binary.LittleEndian, w.header)
	err := w.out.Flush()
	if err == nil {
		_, err = w.file.WriteAt(head, 0)
	}
	return err
}
