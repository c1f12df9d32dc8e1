package main

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
	"perceptron"
)

// The format sparse has the rows of a LIBSVM file, parsed. It begins with a header: the magic, then four
// uint64s: the number of features, of rows and of values, and the XXH64 of what follows the header. Then
// come the rows. Each has its label (int32), the number of its values (uint32), their indexes (uint32,
// ascending, numbered from 0), and the values (float64). All numbers are little-endian.
const sparseMagic = "sparse1\n"

// A sparseHeader is the header, of 40 bytes.
type sparseHeader struct {
	Magic                    [8]byte
	Width, Rows, Values, Sum uint64
}

// A sparseReader reads the format sparse.
type sparseReader struct {
	name string
	in   *bufio.Reader
	left sparseHeader // what is still to read
	hash *xxhash.Digest
	raw  []byte
	x    perceptron.Sparse
	err  error // the error that ended all, or nil
}

// openSparse reads the header and compares it with the size of the file. See reading.open. It does not map
// the file into memory: if somebody cut the file then, the system would kill the worker (SIGBUS).
func openSparse(file io.Reader, shard Shard, features int) (examples, func() error, error) {
	r := &sparseReader{name: shard.Name, in: bufio.NewReaderSize(file, 1<<20), hash: xxhash.New()}
	err := binary.Read(r.in, binary.LittleEndian, &r.left)
	switch h, size := r.left, uint64(shard.Size-40); {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: header: %w", r.name, err)
	case string(h.Magic[:]) != sparseMagic:
		return nil, nil, fmt.Errorf("%s: not of the format %s", r.name, sparseFormat)
	case h.Rows > size/8 || h.Values > size/12 || size != 8*h.Rows+12*h.Values:
		return nil, nil, fmt.Errorf("%s: a file of %d bytes cannot hold %d rows of %d values", r.name, shard.Size, h.Rows, h.Values)
	case features != 0 && h.Width > uint64(features):
		return nil, nil, fmt.Errorf("%s: rows of %d features, want at most %d", r.name, h.Width, features)
	}
	return r.all, func() error { return r.err }, nil
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
	r.x.Index, r.x.Value = slices.Grow(r.x.Index[:0], int(n))[:n], slices.Grow(r.x.Value[:0], int(n))[:n]
	binary.Decode(content, binary.LittleEndian, r.x.Index)
	binary.Decode(content[4*n:], binary.LittleEndian, r.x.Value)
	return label, nil
}

// bytes reads and hashes the next n bytes.
func (r *sparseReader) bytes(n int) ([]byte, error) {
	r.raw = slices.Grow(r.raw[:0], n)[:n]
	_, err := io.ReadFull(r.in, r.raw)
	r.hash.Write(r.raw)
	return r.raw, err
}

// A sparseWriter writes the format sparse. The header is written last.
type sparseWriter struct {
	file   *os.File
	out    *bufio.Writer
	header sparseHeader
	hash   *xxhash.Digest
	raw    []byte
}

func newSparseWriter(file *os.File) *sparseWriter {
	w := &sparseWriter{file: file, out: bufio.NewWriterSize(file, 1<<20), hash: xxhash.New()}
	w.out.Write(make([]byte, 40))
	return w
}

// add writes a row.
func (w *sparseWriter) add(x perceptron.Sparse, label int) {
	w.raw, _ = binary.Append(w.raw[:0], binary.LittleEndian, [2]int32{int32(label), int32(len(x.Index))})
	w.raw, _ = binary.Append(w.raw, binary.LittleEndian, x.Index)
	w.raw, _ = binary.Append(w.raw, binary.LittleEndian, x.Value)
	w.header.Width = max(w.header.Width, uint64(row{sparse: x}.width()))
	w.header.Rows, w.header.Values = w.header.Rows+1, w.header.Values+uint64(len(x.Index))
	w.hash.Write(w.raw)
	w.out.Write(w.raw) // Flush has the error
}

// close writes what is left, and the header.
func (w *sparseWriter) close() error {
	w.header.Magic, w.header.Sum = [8]byte([]byte(sparseMagic)), w.hash.Sum64()
	head, _ := binary.Append(nil, binary.LittleEndian, w.header)
	failed := w.out.Flush() // first, because it writes zeros in the place of the header
	_, err := w.file.WriteAt(head, 0)
	return cmp.Or(failed, err)
}
