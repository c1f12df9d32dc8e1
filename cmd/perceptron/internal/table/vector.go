package table

import (
	"hash/crc32"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"perceptron"
)

// A Vector is the features of a row. A dense one has no Index, and Value has all features. Those of
// a sparse Schema are as [perceptron.Sparse]: feature Index[k] is Value[k], and all others are 0.
//
// The Schema alone decides which form its rows have, so that a model never meets the other one. A
// value in a sparse row takes 12 bytes instead of 8, and pays as soon as a third of them are 0.
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
	x.fill(all)
	return all
}

// fill sets all features.
func (x Vector) fill(all []float64) {
	clear(all)
	for k, v := range x.Value {
		all[x.Feature(k)] = v
	}
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
//
// A hash needs no list of words, which would be long. Two words may share a feature; with more Bits,
// fewer do. CRC-32 is no strong hash, but every language has it, and a reader of an exported model
// must compute the same. Rows of length 1 keep a long text from counting more than a short one.
type Hash struct {
	Ngrams []int `json:"ngrams"` // ascending
	Bits   int   `json:"bits"`

	// Seen are the features that occur in the training file, ascending. Only they have weights: the
	// others would be zero. A nil Seen stands for all, as in models of older versions.
	Seen []uint32 `json:"seen,omitempty"`

	// IDF has the weight of each of these features, and at last that of all others: 1 + ln((1 + rows)/(1
	// + rows with it)) of the rows to train on. The number of a feature is multiplied by it, before the
	// division by the length, so that words which most rows have count little.
	IDF []float64 `json:"idf,omitempty"`
}

// Weighted returns a copy with the IDF of features that occur in so many of the rows.
func (h Hash) Weighted(rows int, with []int) *Hash {
	weight := func(n int) float64 { // with few digits, which are the same in every program
		return math.Round(1e4*(1+math.Log(float64(1+rows)/float64(1+n)))) / 1e4
	}
	h.IDF = nil
	for _, n := range append(slices.Clone(with), 0) {
		h.IDF = append(h.IDF, weight(n))
	}
	return &h
}

// weigh applies the IDF to the features of a text, the first of which is start. They have length 1
// together with those that have no weights.
func (h *Hash) weigh(x Vector, start int) {
	from, end := x.from(start), x.from(start+h.width())
	all, squares := 0.0, 0.0
	for k := from; k < end; k++ {
		v := x.Value[k]
		all += float64(v * v)
		v *= h.IDF[x.Feature(k)-start]
		squares += float64(v * v)
		x.Value[k] = v
	}
	other := h.IDF[h.width()]
	length := math.Sqrt(squares + float64(max(0, 1-all)*other*other))
	for k := from; k < end; k++ {
		x.Value[k] /= length
	}
}

// from returns the place in Value of the first feature that is not before j.
func (x Vector) from(j int) int {
	if x.Dense() {
		return j
	}
	k, _ := slices.BinarySearch(x.Index, uint32(j))
	return k
}

// weighs reports whether a text has an IDF.
func (s *Schema) weighs() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Text != nil && c.Text.IDF != nil })
}

// weigh applies the IDF of all texts.
func (s *Schema) weigh(x Vector) {
	at := 0
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.Text != nil && c.Text.IDF != nil {
			c.Text.weigh(x, at)
		}
		at += c.Width()
	}
}

// width returns the number of features that have weights.
func (h *Hash) width() int {
	if h.Seen != nil {
		return len(h.Seen)
	}
	return 1 << h.Bits
}

// place returns the place of a feature among those that have weights.
func (h *Hash) place(gram uint32) (place int, ok bool) {
	if h.Seen == nil {
		return int(gram), true
	}
	return slices.BinarySearch(h.Seen, gram)
}

const (
	mostBits  = 24
	mostWords = 5 // of an n-gram
)

// valid reports whether the numbers make sense.
func (h *Hash) valid() bool {
	n := h.Ngrams
	ascending := slices.IsSorted(n) && len(slices.Compact(slices.Clone(n))) == len(n)
	if h.Bits < 1 || h.Bits > mostBits || len(n) == 0 || !ascending || n[0] < 1 || n[len(n)-1] > mostWords {
		return false
	}
	for k, gram := range h.Seen {
		if gram>>h.Bits > 0 || k > 0 && gram <= h.Seen[k-1] {
			return false
		}
	}
	odd := func(v float64) bool { return !(v > 0 && v < 1e3) }
	return (h.IDF == nil || len(h.IDF) == h.width()+1) && !slices.ContainsFunc(h.IDF, odd)
}

// grams appends the feature of each n-gram of a text. One pass over the letters makes no copy of
// them: to hash text takes most of the time of a training on it.
func (h *Hash) grams(to []uint32, text string) []uint32 {
	var sums [mostWords]uint32          // those of the last word, of the last two, …
	var room [64]byte                   // on the stack, for nearly all words
	word, n := append(room[:0], ' '), 0 // the space joins the word to those before it
	end := func() {
		if len(word) == 1 {
			return
		}
		// The sum of one more word continues that of those before it.
		for k := min(n, slices.Max(h.Ngrams)-1); k > 0; k-- {
			sums[k] = crc32.Update(sums[k-1], crc32.IEEETable, word)
		}
		sums[0] = crc32.ChecksumIEEE(word[1:])
		word, n = word[:1], n+1
		for _, k := range h.Ngrams {
			if k <= n {
				to = append(to, sums[k-1]&(1<<h.Bits-1))
			}
		}
	}
	for _, r := range text {
		// Letter by letter, so that any language can do it.
		if r = unicode.ToLower(r); r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			word = utf8.AppendRune(word, r)
		} else {
			end()
		}
	}
	end()
	return to
}
