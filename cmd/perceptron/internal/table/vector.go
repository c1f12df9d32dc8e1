package table

import (
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"perceptron"
)

// A Vector has the features of a row. A dense Vector has no Index, and Value has all features. A
// sparse Vector is as [perceptron.Sparse]: feature Index[k] is Value[k], and all others are 0.
//
// Schema.Sparse decides whether rows are sparse, so all rows of a model have one form. A value
// takes 12 bytes in a sparse row and 8 in a dense row. So a sparse row takes less memory if more
// than a third of the features are 0.
type Vector perceptron.Sparse

// Dense reports whether x is dense. An x without values is sparse: all its features are 0.
func (x Vector) Dense() bool { return len(x.Index) < len(x.Value) }

// Feature returns the index of the feature whose value is Value[k].
func (x Vector) Feature(k int) int {
	if x.Dense() {
		return k
	}
	return int(x.Index[k])
}

// Full returns the n features of x as a dense slice.
func (x Vector) Full(n int) []float64 {
	all := make([]float64, n)
	x.fill(all)
	return all
}

// fill writes the features of x to all, which has an element for each feature.
func (x Vector) fill(all []float64) {
	clear(all)
	for k, v := range x.Value {
		all[x.Feature(k)] = v
	}
}

// Fill replaces each missing feature of x by the element of by with its index. If by is nil, Fill
// does nothing.
func Fill(x Vector, by []float64) {
	for k, v := range x.Value {
		if by != nil && math.IsNaN(v) {
			x.Value[k] = by[x.Feature(k)]
		}
	}
}

// A Hash says how a column of text becomes features. The text is converted to Unicode's form NFC. A word is a
// run of letters, digits, other numbers and underscores, with the marks that follow any of them. In scripts
// that are written without spaces, each character is a word, with the marks that follow it. Each letter is
// converted to lower case by itself. For each n of Ngrams, any n consecutive words form an n-gram: the words
// joined by spaces. The feature of an n-gram is the CRC-32 (IEEE) of its UTF-8 text, modulo 2^Bits. The count
// of a feature is the number of n-grams in the text that have it. The value of a feature is its count divided
// by the Euclidean length of the text's counts.
//
// A hash needs no list of words, which would be long. Two words may share a feature; with more Bits,
// fewer do. CRC-32 is a weak hash, but is available in every language, and every reader of an
// exported model must compute the same features. Dividing by the length gives long and short
// texts the same influence.
type Hash struct {
	Ngrams []int `json:"ngrams"` // ascending
	Bits   int   `json:"bits"`

	// Marks is true in models of this version. In older ones it is not there: then a mark ends a word, words are runs
	// of characters in every script, and texts are hashed as they are.
	Marks bool `json:"marks,omitempty"`

	// Seen are the features that occur in the training file, ascending. Only these features have
	// weights, because all other weights would be zero. A nil Seen means all features, as in models
	// of older versions.
	Seen []uint32 `json:"seen,omitempty"`

	// IDF has the inverse document frequency of each feature in Seen. Its last element is for all
	// features that are not in Seen. The value is 1 + ln((1 + rows)/(1 + rows with the feature)),
	// where the rows are those to train on. Counts are multiplied by IDF before the division by the
	// length. So words that most rows have count little.
	IDF []float64 `json:"idf,omitempty"`
}

// Weighted returns a copy of h with an IDF. Rows is the number of rows to train on, and with[k] is
// the number of these rows that have feature k.
func (h Hash) Weighted(rows int, with []int) *Hash {
	weight := func(n int) float64 { // four decimals, so that every program gets the same number
		return math.Round(1e4*(1+math.Log(float64(1+rows)/float64(1+n)))) / 1e4
	}
	h.IDF = nil
	for _, n := range append(slices.Clone(with), 0) {
		h.IDF = append(h.IDF, weight(n))
	}
	return &h
}

// weigh applies the IDF to the features of a text. Start is the first feature of its column. The
// features with weights and those without are then divided by their common length.
func (h *Hash) weigh(x Vector, start int) {
	from, end := x.from(start), x.from(start+h.width())
	all, squares := 0.0, 0.0 // squared lengths of the features with weights, before and after IDF
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

// from returns the smallest index k of Value for which feature k of x is at least j.
func (x Vector) from(j int) int {
	if x.Dense() {
		return j
	}
	k, _ := slices.BinarySearch(x.Index, uint32(j))
	return k
}

// weighs reports whether any column of text has an IDF.
func (s *Schema) weighs() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Text != nil && c.Text.IDF != nil })
}

// weigh applies the IDF of each column of text to the row x.
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

// place returns the index of a feature among those that have weights. If the feature has no
// weight, ok is false.
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

// valid reports whether all fields of h are in range, and its slices ascend where they must.
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

// grams appends the feature of each n-gram of a text to the slice to.
func (h *Hash) grams(to []uint32, text string) []uint32 {
	var sums [mostWords]uint32 // CRC-32 of the last word, of the last two words, …
	n, most := 0, slices.Max(h.Ngrams)
	h.words(text, func(word []byte, _ string) { // the space before the word joins it to the words before it
		// The CRC-32 of k+1 words continues the CRC-32 of the first k of them.
		for k := min(n, most-1); k > 0; k-- {
			sums[k] = crc32.Update(sums[k-1], crc32.IEEETable, word)
		}
		sums[0] = crc32.ChecksumIEEE(word[1:])
		n++
		for _, k := range h.Ngrams {
			if k <= n {
				to = append(to, sums[k-1]&(1<<h.Bits-1))
			}
		}
	})
	return to
}

// words calls f for each word of a text: with a space and the word in lower case, and as the text has it. It makes one
// pass and copies no more than a word at a time, because hashing takes most of the time of training on text.
func (h *Hash) words(text string, f func(word []byte, written string)) {
	if h.Marks {
		text = norm.NFC.String(text)
	}
	var room [64]byte // on the stack; few words are longer
	word, start, alone := append(room[:0], ' '), 0, false
	end := func(i int) {
		if len(word) > 1 {
			f(word, text[start:i])
		}
		word = word[:1]
	}
	for i, r := range text {
		// Conversion of single letters is simple enough to be the same in every language.
		letter := unicode.ToLower(r)
		in := letter == '_' || unicode.IsLetter(letter) || unicode.IsNumber(letter)
		if mark := h.Marks && len(word) > 1 && letter > unicode.MaxLatin1 && unicode.IsMark(letter); !in && !mark {
			end(i)
			continue
		} else if now := h.Marks && spaceless(letter); !mark && (now || alone) {
			end(i)
			alone = now
		}
		if len(word) == 1 {
			start = i
		}
		word = utf8.AppendRune(word, letter)
	}
	end(len(text))
}

// spaceless reports whether a character is of a script that is written without spaces between words: Thai, Lao,
// Burmese, Khmer, Japanese and Chinese. Ranges are simple enough to be the same in every language.
func spaceless(r rune) bool {
	return r >= 0xe00 && (r < 0xf00 || r >= 0x1000 && r < 0x10a0 || r >= 0x1780 && r < 0x1800 || r >= 0x3040 && r < 0x3100 ||
		r >= 0x3400 && r < 0xa000 || r >= 0xf900 && r < 0xfb00 || r >= 0x20000 && r < 0x40000)
}

// Phrases adds the n-grams of a text to phrases by their features, as indices among those with weights.
func (h *Hash) Phrases(phrases map[int][]string, text string) {
	var words []string
	h.words(text, func(_ []byte, written string) { words = append(words, written) })
	for _, n := range h.Ngrams {
		for i := range max(0, len(words)-n+1) {
			phrase := strings.Join(words[i:i+n], " ")
			grams := h.grams(nil, phrase) // its last gram is the whole phrase
			if place, ok := h.place(grams[len(grams)-1]); ok && !slices.Contains(phrases[place], phrase) {
				phrases[place] = append(phrases[place], phrase)
			}
		}
	}
}
