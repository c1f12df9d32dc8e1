package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Encoder turns the values of a row into features. A number is its own feature. A word sets
// its own feature to 1 and the features of the column's other words to 0. A text is hashed as
// its Hash specifies.
type Encoder struct {
	schema      *Schema
	skipUnknown bool
	mark        *decimal // the decimal mark; the first number with a mark sets it
	features    int      // of the Schema
	weighs      bool     // a text has an IDF
	noNames     bool     // the row is the first line, though the training file had names there

	x     *Vector // the row so far
	at    int     // the first feature of the next column
	grams []uint32

	unseen, outside []string // as those of Row
}

// Encoder returns an Encoder for values that come from a program instead of a file. The decimal
// mark is a point. If skipUnknown is true, a word that does not occur in the training file sets
// no feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	return s.encoder(skipUnknown, new(decimal('.')))
}

func (s *Schema) encoder(skipUnknown bool, mark *decimal) *Encoder {
	return &Encoder{schema: s, skipUnknown: skipUnknown, mark: mark, features: s.Features(), weighs: s.weighs()}
}

// begin begins a new row and stores its features in x.
func (e *Encoder) begin(x *Vector) {
	e.x, e.at, e.unseen, e.outside = x, 0, e.unseen[:0], e.outside[:0]
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	if !e.schema.Sparse {
		x.Value = slices.Grow(x.Value, e.features)[:e.features]
		clear(x.Value)
	}
}

// set sets a feature. In a sparse row, the calls must have ascending features.
func (e *Encoder) set(feature int, v float64) {
	if !e.schema.Sparse {
		e.x.Value[feature] = v
		return
	}
	e.x.Index, e.x.Value = append(e.x.Index, uint32(feature)), append(e.x.Value, v)
}

// Encode writes the features of a row to x. The row has one value for each column of the
// Schema, in the order of the Schema: a float64 or a string. Nil and NaN are missing values.
// Encode returns the number of missing values; if the Schema does not accept them, the first
// one is an error. The features of a missing number or word are NaN.
func (e *Encoder) Encode(x *Vector, row []any) (lacks int, err error) {
	return encode(e, x, row, (*Column).text)
}

// EncodeText is Encode for values that are text, as the fields of a CSV file are.
func (e *Encoder) EncodeText(x *Vector, record []string) (lacks int, err error) {
	return encode(e, x, record, (*Column).clean)
}

// encode does the work of Encode. The function text returns a value as a CSV file has it, and whether it is nil.
func encode[V any](e *Encoder, x *Vector, row []V, text func(*Column, V) (string, bool, error)) (lacks int, err error) {
	e.begin(x)
	for j, v := range row {
		c := &e.schema.Columns[j]
		field, null, err := text(c, v)
		if err != nil {
			return lacks, err
		}
		if absent(e.schema.NA, field) >= 0 {
			field = ""
		}
		missing, err := e.value(c, field, null)
		if missing {
			lacks++
		}
		if err != nil {
			return lacks, err
		}
	}
	if e.weighs {
		e.schema.weigh(*x)
	}
	return lacks, nil
}

// value adds the features of the next column, c, and reports whether its value is missing. In a column of
// text, only a null is a missing value. If the Schema does not accept missing values, value returns an
// error.
func (e *Encoder) value(c *Column, field string, null bool) (lacks bool, err error) {
	lacks, err = e.field(c, field)
	switch lacks = lacks || null; {
	case !lacks || err != nil || e.schema.Missing != MissingError:
	case e.schema.Foreign:
		err = fmt.Errorf("column %q: %q: the value is missing, and a Classifier has no rule for missing values", c.Name, field)
	default:
		err = fmt.Errorf("column %q: %q: the value is missing; train with --missing mean, --missing drop or %s", c.Name, field, Flag("drop", c.Name))
		if field != "" && len(c.Categories) > 0 {
			err = fmt.Errorf("%w; %s makes it a word", err, Flag("word", field))
		}
	}
	return lacks, err
}

// clean returns a value of a program as a CSV file has it.
func (c *Column) clean(value string) (field string, null bool, err error) {
	if plain(value) {
		return value, false, nil
	}
	_, err = foreignByte(value)
	return strings.TrimSpace(value), false, err
}

// text returns a value as the training file has it. If categories are numbers, a number becomes
// the category of equal value, because a program that reads 1.0 from a table sends 1.
func (c *Column) text(value any) (field string, null bool, err error) {
	switch v := value.(type) {
	case nil:
		return "", true, nil
	case string:
		return c.clean(v)
	case float64:
		if i := Find(c.Categories, v); i >= 0 {
			return c.Categories[i], false, nil
		}
		return strconv.FormatFloat(v, 'f', -1, 64), false, nil
	}
	return "", false, fmt.Errorf("column %q: %#v, want a number or text", c.Name, value)
}

// Find returns the index of the first name that is a number equal to v, or -1.
func Find(names []string, v float64) int {
	return slices.IndexFunc(names, func(name string) bool {
		w, err := strconv.ParseFloat(name, 64)
		return err == nil && v == w
	})
}

// field sets the features of the next column, c, and reports whether its value is missing.
// All features of a missing value are NaN, so that Fill can replace each by its mean.
func (e *Encoder) field(c *Column, field string) (lacks bool, err error) {
	start := e.at
	e.at += c.Width()
	switch {
	case c.Text != nil:
		e.hash(c.Text, start, field)
		return false, nil
	case c.Indexed > 0:
		return false, e.indexed(c, start, field)
	case len(c.Categories) == 0:
		if v, ok := e.mark.number(field); ok {
			// Most fields are numbers, so the search among categories is skipped for them.
			e.set(start, v)
			if len(c.Range) == 2 && (v < c.Range[0] || v > c.Range[1]) {
				e.outside = append(e.outside, c.Name)
			}
			return false, nil
		}
	}
	place, known := slices.BinarySearch(c.Categories, field) // Check has verified the order
	switch {
	case known:
		e.set(start+place, 1)
	case missing(field):
		for j := start; j < e.at; j++ {
			e.set(j, math.NaN())
		}
		return true, nil
	case len(c.Categories) == 0:
		return false, e.notNumber(c.Name, field)
	case !e.skipUnknown:
		return false, fmt.Errorf("column %q: %q does not occur in the training file, which has %s", c.Name, field, Short(c.Categories))
	default:
		e.unseen = append(e.unseen, c.Name)
	}
	return false, nil
}

// notNumber returns the error of a field of a column of numbers, with what can be done.
func (e *Encoder) notNumber(column, field string) error {
	err, remedy := e.mark.want(column, field), e.mark.remedy(column, field)
	switch {
	case e.noNames:
		remedy = "the first line has none of the names in training, " + Short(e.schema.ColumnNames())
	case remedy == "" && !LooksNumeric(field) && !e.schema.Foreign:
		remedy = fmt.Sprintf("if it is a missing value, train with %s and --missing", Flag("na", field))
	case remedy == "":
		return err
	}
	return fmt.Errorf("%w; %s", err, remedy)
}

// hash sets the features of a text. Start is the first feature of its column.
func (e *Encoder) hash(h *Hash, start int, text string) {
	e.grams = h.grams(e.grams[:0], text)
	slices.Sort(e.grams)
	// Equal grams are adjacent now: e.grams[i:end] are equal.
	count := func(f func(gram uint32, n float64)) {
		for i, end := 0, 0; i < len(e.grams); i = end {
			for end = i; end < len(e.grams) && e.grams[end] == e.grams[i]; end++ {
			}
			f(e.grams[i], float64(end-i))
		}
	}
	squares := 0.0
	count(func(_ uint32, n float64) { squares += float64(n * n) })
	length := math.Sqrt(squares)
	// The length includes features that have no weight, as if their weight were 0.
	count(func(gram uint32, n float64) {
		if place, ok := h.place(gram); ok {
			e.set(start+place, n/length)
		}
	})
}
