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
	places []map[string]int // for each column, the place of a category
	skip   bool
}

// Encoder returns an Encoder. If skipUnknown is true, a category that did not occur in
// training sets no feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	e := &Encoder{schema: s, width: s.Features(), places: make([]map[string]int, len(s.Columns)), skip: skipUnknown}
	for j, c := range s.Columns {
		if len(c.Categories) > 0 {
			e.places[j] = make(map[string]int, len(c.Categories))
		}
		for i, value := range c.Categories {
			e.places[j][value] = i
		}
	}
	return e
}

// Encode appends the features of a row to x. The row has one value for each column of
// the Schema, in its order: a float64, a string, or nil for a missing value, as
// NaN is too. The features of a missing value are NaN.
func (e *Encoder) Encode(x []float64, row []any) ([]float64, error) {
	if len(row) != len(e.schema.Columns) {
		return x, fmt.Errorf("%s, want %d", Counted(len(row), "value"), len(e.schema.Columns))
	}
	start := len(x)
	x = slices.Grow(x, e.width)[:start+e.width]
	to := x[start:]
	for j, c := range e.schema.Columns {
		if err := e.value(to[:c.width()], j, row[j]); err != nil {
			return x[:start], err
		}
		to = to[c.width():]
	}
	return x, nil
}

// value sets x to the features of one value.
func (e *Encoder) value(x []float64, j int, value any) error {
	mark := decimal('.') // a program that sends values has no decimal commas
	switch v := value.(type) {
	case nil:
		return e.field(x, j, "", &mark)
	case string:
		return e.field(x, j, strings.TrimSpace(v), &mark)
	case float64:
		if x[0] = v; e.places[j] == nil && !math.IsInf(v, 0) {
			return nil
		}
		return e.field(x, j, strconv.FormatFloat(v, 'g', -1, 64), &mark)
	}
	return fmt.Errorf("column %q: %#v, want a number or text", e.schema.Columns[j].Name, value)
}

// field sets x to the features of a field of text.
func (e *Encoder) field(x []float64, j int, field string, mark *decimal) (err error) {
	c := &e.schema.Columns[j]
	i, known := e.places[j][field]
	v, number := math.NaN(), false
	if len(c.Categories) == 0 {
		v, number = mark.number(field)
	}
	clear(x)
	switch {
	case known:
		x[i] = 1
	case number:
		x[0] = v
	case missing(field):
		for i := range x {
			x[i] = math.NaN()
		}
	case len(c.Categories) == 0:
		return mark.want(c.Name, field)
	case !e.skip:
		return fmt.Errorf("column %q: %q does not occur in the training file, which has %s; --unknown none accepts it", c.Name, field, Short(c.Categories))
	}
	return nil
}

// Fill replaces the missing features of x.
func Fill(x, by []float64) {
	for j, v := range x {
		if math.IsNaN(v) {
			x[j] = by[j]
		}
	}
}
