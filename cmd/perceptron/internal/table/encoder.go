package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Encoder turns the values of a row into features.
type Encoder struct {
	schema *Schema
	width  int              // number of features
	values []map[string]int // for each column, the place of a category
	skip   bool
}

// Encoder returns an Encoder. If skipUnknown is true, a category that did not occur in
// training sets no feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	e := &Encoder{schema: s, width: s.Features(), values: make([]map[string]int, len(s.Columns)), skip: skipUnknown}
	for j, c := range s.Columns {
		if len(c.Categories) > 0 {
			e.values[j] = make(map[string]int, len(c.Categories))
		}
		for i, value := range c.Categories {
			e.values[j][value] = i
		}
	}
	return e
}

// Encode appends the features of a row to x. The row has one value for each column of
// the Schema, in its order: a float64, a string, or nil for a missing value. The
// features of a missing value are NaN.
func (e *Encoder) Encode(x []float64, row []any) ([]float64, error) {
	if len(row) != len(e.schema.Columns) {
		return x, fmt.Errorf("%s, want %d", Counted(len(row), "value"), len(e.schema.Columns))
	}
	start := len(x)
	x = slices.Grow(x, e.width)[:start+e.width]
	to := x[start:]
	for j, c := range e.schema.Columns {
		n := max(1, len(c.Categories))
		if err := e.value(to[:n], j, row[j]); err != nil {
			return x[:start], err
		}
		to = to[n:]
	}
	return x, nil
}

// value sets x to the features of one value.
func (e *Encoder) value(x []float64, j int, value any) error {
	c := e.schema.Columns[j]
	number, isNumber := value.(float64)
	text, isText := value.(string)
	text = strings.TrimSpace(text)
	switch {
	case value == nil || isText && missing(text):
		fill(x, math.NaN())
		return nil
	case len(c.Categories) > 0 && isNumber:
		return e.word(x, j, strconv.FormatFloat(number, 'g', -1, 64))
	case len(c.Categories) > 0 && isText:
		return e.word(x, j, text)
	case isText:
		number, isNumber = (&lines{decimal: '.'}).number(text)
	}
	if !isNumber || math.IsNaN(number) || math.IsInf(number, 0) {
		return fmt.Errorf("column %q: %#v, want a finite number", c.Name, value)
	}
	x[0] = number
	return nil
}

// word sets x to the features of a category in column j.
func (e *Encoder) word(x []float64, j int, value string) error {
	fill(x, 0)
	i, ok := e.values[j][value]
	switch {
	case ok:
		x[i] = 1
	case missing(value):
		fill(x, math.NaN())
	case !e.skip:
		c := e.schema.Columns[j]
		return fmt.Errorf("column %q: %q does not occur in the training file, which has %s; --unknown none accepts it", c.Name, value, Short(c.Categories))
	}
	return nil
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
