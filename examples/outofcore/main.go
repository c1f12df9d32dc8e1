// Outofcore trains on a file that is larger than the program's memory limit. It
// reads the file's float64 rows through a memory map.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"golang.org/x/exp/mmap"
	"perceptron"
)

func main() {
	log.SetFlags(0)
	size := flag.Int64("size", 256<<20, "size of the file in bytes")
	limit := flag.Int64("limit", 32<<20, "memory limit in bytes")
	features := flag.Int("features", 1000, "features per row")
	passes := flag.Int("passes", 2, "passes over the file")
	flag.Parse()
	dir, err := os.MkdirTemp("", "outofcore")
	if err != nil {
		log.Fatal(err)
	}
	err = run(os.Stdout, filepath.Join(dir, "rows"), *size, *limit, *features, *passes)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		log.Fatal(err)
	}
}

// run writes the file, trains on it and reports to w.
func run(w io.Writer, name string, size, limit int64, features, passes int) error {
	if features < 1 || passes < 1 || size < rowBytes(features) {
		return fmt.Errorf("size %d, features %d, passes %d: want at least one row, one feature and one pass", size, features, passes)
	}
	debug.SetMemoryLimit(limit) // the garbage collector runs more often near the limit
	n := size / rowBytes(features)
	if err := write(name, n, features); err != nil {
		return err
	}
	fmt.Fprintf(w, "wrote %d rows of %d features: %s, with a memory limit of %s\n",
		n, features, mib(headerBytes+n*rowBytes(features)), mib(limit))
	return train(w, name, limit, passes)
}

// mib formats a number of bytes.
func mib(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }

// The file begins with the number of features as a uint64. Each row follows as
// float64s: its features, then its label. All numbers are little-endian.
const headerBytes = 8

// rowBytes returns the size of a row in the file.
func rowBytes(features int) int64 { return 8 * (int64(features) + 1) }

// write writes n rows, labelled by a random hyperplane. It omits rows near the
// hyperplane, so the data is separable with a margin.
func write(name string, n int64, features int) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	u, x := make([]float64, features), make([]float64, features)
	fill(r, u) // the normal vector of the hyperplane
	header := binary.LittleEndian.AppendUint64(nil, uint64(features))
	if _, err := out.Write(header); err != nil {
		return err
	}
	row := make([]byte, 0, rowBytes(features))
	for ; n > 0; n-- {
		z := fill(r, x, u...)
		for math.Abs(z) < 0.02*float64(features) { // too near: draw again
			z = fill(r, x, u...)
		}
		row = row[:0]
		for _, v := range append(x, math.Copysign(1, z)) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// fill draws x from [−1, 1) and returns ⟨u, x⟩.
func fill(r *rand.Rand, x []float64, u ...float64) (z float64) {
	for j := range x {
		x[j] = 2*r.Float64() - 1
		if u != nil {
			z += u[j] * x[j]
		}
	}
	return z
}

// train learns from the file and reports on each pass.
func train(w io.Writer, name string, limit int64, passes int) error {
	m, err := mmap.Open(name)
	if err != nil {
		return err
	}
	defer m.Close()
	// Learn needs one row at a time, so memory does not grow with the file.
	p := &perceptron.Margin{Keep: perceptron.Average}
	var peak uint64
	for range passes {
		start := time.Now()
		var failed error
		e, err := p.Learn(rows(m, &failed, &peak))
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		seconds := time.Since(start).Seconds()
		fmt.Fprintf(w, "pass %d: %d updates, loss %.4f; %.0f rows/s, %s/s\n", e.N, e.Mistakes, e.Loss,
			float64(e.Examples)/seconds, mib(int64(float64(m.Len())/seconds)))
	}
	if peak > uint64(limit) {
		return fmt.Errorf("peak memory of Go's runtime: %s, above the limit of %s", mib(int64(peak)), mib(limit))
	}
	fmt.Fprintf(w, "peak memory of Go's runtime: %s of %s, for a file of %s\n", mib(int64(peak)), mib(limit), mib(int64(m.Len())))
	return nil
}

// rows yields the examples of a file through one buffer. If reading fails, it stores the
// error in *err. It stores the largest amount of memory that Go held in *peak.
func rows(m *mmap.ReaderAt, err *error, peak *uint64) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		header := make([]byte, headerBytes)
		if _, *err = m.ReadAt(header, 0); *err != nil {
			return
		}
		features := binary.LittleEndian.Uint64(header)
		// Check the header, because it determines the size of the buffers.
		if features < 1 || features > uint64(m.Len())/8 || int64(m.Len()-headerBytes)%rowBytes(int(features)) != 0 {
			*err = fmt.Errorf("a file of %d bytes cannot hold rows of %d features", m.Len(), features)
			return
		}
		raw, x := make([]byte, rowBytes(int(features))), make([]float64, features+1)
		*peak = max(*peak, held())
		row := 0
		for at := int64(headerBytes); at < int64(m.Len()); at += int64(len(raw)) {
			if _, *err = m.ReadAt(raw, at); *err != nil {
				return
			}
			for j := range x {
				x[j] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*j:]))
			}
			if row++; row%256 == 0 { // not every row: reading the metrics takes time
				*peak = max(*peak, held())
			}
			// Learn does not retain x, so the next row may overwrite it.
			if !yield(x[:features], int(x[features])) {
				return
			}
		}
	}
}

// held returns the memory that counts towards the limit. This is all memory that
// Go has mapped, minus the memory that it has returned to the system.
func held() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
