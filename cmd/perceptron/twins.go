package main

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// twins finds the rows held out that equal a row trained on, in their class and all features. A model may
// have learned such rows by heart, so they say little about new rows. Of more than mostTwins rows it finds none,
// so that the memory for a file of any size stays small.
type twins struct {
	rows    int
	seed    maphash.Seed
	row     []byte            // of the last call
	learned []uint64          // hashes of the rows trained on
	heldOut map[bool][]uint64 // of the rows held out, by whether they are predicted right
}

// hash returns the hash of a row. The call comes before a model fills in missing values.
func (t *twins) hash(x table.Vector, class int) uint64 {
	t.row = binary.LittleEndian.AppendUint64(t.row[:0], uint64(class))
	for k, v := range x.Value {
		t.row = binary.LittleEndian.AppendUint32(t.row, uint32(x.Feature(k)))
		t.row = binary.LittleEndian.AppendUint64(t.row, math.Float64bits(v))
	}
	return maphash.Bytes(t.seed, t.row)
}

// mostTwins rows take 2 MiB.
const mostTwins = 1 << 18

// add adds a row of a part.
func (t *twins) add(sum uint64, part split.Part, right bool) {
	if t.rows++; t.rows > mostTwins {
		t.learned, t.heldOut = nil, nil
		return
	}
	if part == split.Training {
		t.learned = append(t.learned, sum)
	} else {
		t.heldOut[right] = append(t.heldOut[right], sum)
	}
}

// measure stores the number of twins among the rows held out, and the accuracy on the others.
func (t *twins) measure(q *quality) {
	slices.Sort(t.learned)
	others := map[bool]float64{}
	for right, sums := range t.heldOut {
		for _, sum := range sums {
			if _, twin := slices.BinarySearch(t.learned, sum); twin {
				q.Twins++
			} else {
				others[right]++
			}
		}
	}
	if q.Twins > 0 {
		q.WithoutTwins = number(others[true] / (others[true] + others[false]))
	}
}
