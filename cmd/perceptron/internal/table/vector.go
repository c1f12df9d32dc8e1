package table

import (
	"bytes"
	"hash/crc32"
	"math"
	"slices"
	"unicode"

	"perceptron"
)

// A Vector is the features of a row. A dense one has no Index, and Value has all features. Those of
// a sparse Schema are as [perceptron.Sparse]: feature Index[k] is Value[k], and all others are 0.
type Vector perceptron.Sparse

// Dense reports whether x has all features. A row without any is sparse.
func (x Vector) Dense() bool { return len(x.Index) < len(x.Value) }

// Feature returns the place of Value[k].
func (x Vector) Feature(k int) int {
	if x.Dense() {
		return k
	}
	return int(x.Index[k])
}

// Full returns all of n features.
func (x Vector) Full(n int) []float64 {
	all := make([]float64, n)
	for k, v := range x.Value {
		all[x.Feature(k)] = v
	}
	return all
}

// Fill replaces the missing features of x, unless by is nil.
func Fill(x Vector, by []float64) {
	for k, v := range x.Value {
		if by != nil && math.IsNaN(v) {
			x.Value[k] = by[x.Feature(k)]
		}
	}
}

// A Hash says how a column of text becomes features. A word is a run of letters, digits, other
// numbers and underscores, in lower case, letter by letter. For each n of Ngrams, any n words that
// follow each other are joined by a space, and the CRC-32 (IEEE) of their UTF-8 text, modulo
// 2^Bits, is their feature. Its value is their number, divided by the length of the row: the root
// of the sum of the squares of all such numbers.
type Hash struct {
	Ngrams []int `json:"ngrams"` // ascending
	Bits   int   `json:"bits"`
}

const (
	mostBits  = 24
	mostWords = 5 // of an n-gram
)

// valid reports whether the numbers make sense.
func (h *Hash) valid() bool {
	n := h.Ngrams
	ascending := slices.IsSorted(n) && len(slices.Compact(slices.Clone(n))) == len(n)
	return 1 <= h.Bits && h.Bits <= mostBits && len(n) > 0 && ascending && n[0] >= 1 && n[len(n)-1] <= mostWords
}

// grams appends the feature of each n-gram of a text.
func (h *Hash) grams(to []uint32, text string) []uint32 {
	lower := bytes.Map(unicode.ToLower, []byte(text)) // letter by letter, so that any language can do it
	words := bytes.FieldsFunc(lower, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i := range words {
		// The sum of one more word continues that of those before it.
		sum := uint32(0)
		for n, word := range words[i:min(i+slices.Max(h.Ngrams), len(words))] {
			if n > 0 {
				sum = crc32.Update(sum, crc32.IEEETable, []byte{' '})
			}
			if sum = crc32.Update(sum, crc32.IEEETable, word); slices.Contains(h.Ngrams, n+1) {
				to = append(to, sum&(1<<h.Bits-1))
			}
		}
	}
	return to
}
