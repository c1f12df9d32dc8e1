package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"perceptron/internal/libsvm"
)

// discoverLIBSVM returns the Schema of a LIBSVM file. The features are named x1, x2, …, as the
// columns of a CSV file without a header, so that a model of one format can predict rows of the
// other. The number of features is the highest index, so finding it takes a pass. If an
// index is 0, indices count from 0, and discoverLIBSVM begins again with zero set.
func (s *Source) discoverLIBSVM(o Choice, zero bool) (*Schema, error) {
	label := len(o.Category) == 0 || slices.Equal(o.Category, []string{"label"})
	if !label || o.Label+o.Group != "" || len(o.Columns)+len(o.Drop)+len(o.NA)+len(o.Text)+len(o.Word) > 0 || o.Missing != MissingError {
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns and no missing values, so that --label, --group, --columns, --drop, --category, --text, --missing, --na and --word do not apply", s.Name)
	}
	in, err := s.text("finding the features")
	if err != nil {
		return nil, err
	}
	rows, filled := 0, 0
	lines := libsvm.NewReader(in, s.Name, o.Features)
	lines.Zero = zero
	for err == nil {
		var x Vector
		var label int
		x.Index, x.Value, label, err = lines.ReadSparse()
		rows, filled = rows+1, filled+len(x.Index)
		if err == nil && s.cache != nil && s.cache.failed == nil {
			s.cache.failed = s.cache.add(&Row{X: x, Class: strconv.Itoa(label), Line: lines.Line(), column: 1})
		}
	}
	if errors.Is(err, libsvm.ErrZero) {
		s.Tell(s.Name + ": the indices count from 0, so that feature x1 has index 0")
		s.restart()
		return s.discoverLIBSVM(o, true)
	}
	if err != io.EOF {
		return nil, err
	}
	if s.cache != nil {
		s.cache.finish(s, nil)
	}
	// The number that --features sets may be greater than the highest index: the training file
	// need not have a row with the last feature.
	n := lines.Width()
	if n < 1 || n > mostFeatures {
		return nil, fmt.Errorf("%s: %d features, want 1 to %d", s.Name, n, mostFeatures)
	}
	// The label is the first field of a line, so the features are the columns from 1 on.
	schema := &Schema{Width: n + 1, Label: Column{Name: "label"}, Missing: o.Missing, Zero: zero}
	// A non-zero takes 12 bytes in a sparse row; each feature takes 8 bytes in a dense row. The
	// number of rows is rows-1, because the last read found the end of the file.
	if schema.Sparse = 12*filled < 8*n*(rows-1); schema.Sparse {
		schema.Width, schema.Columns = 2, []Column{{Name: "x", Position: 1, Indexed: n}}
		return schema, nil
	}
	for j, name := range named(make([]string, n), false) {
		schema.Columns = append(schema.Columns, Column{Name: name, Position: j + 1})
	}
	return schema, nil
}

// libsvmRows returns a function that reads the next row. Each row of a LIBSVM file has a label.
// No value is missing: a feature that a line omits is 0.
func (s *Source) libsvmRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	switch {
	case o.ID != "" || o.Label != "":
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns for --id or --label", s.Name)
	case slices.ContainsFunc(schema.Columns, Column.hasText):
		return nil, fmt.Errorf("%s: the model has columns of words, which a LIBSVM file cannot have", s.Name)
	}
	in, err := s.text(o.Purpose)
	if err != nil {
		return nil, err
	}
	lines := libsvm.NewReader(in, s.Name, schema.Features())
	lines.Zero, lines.Blank, lines.Ignore = schema.Zero, o.Blank, !o.Strict
	// A libsvm.Reader does not show whether its buffer has a further line. So Last is true for
	// every row of a pipe, and false for every row of a file.
	_, size := s.bytes()
	r := &Row{file: s.Name, column: 1, Last: size == 0}
	return func() (*Row, error) {
		var label int
		var err error
		if schema.Sparse {
			r.X.Index, r.X.Value, label, err = lines.ReadSparse()
		} else {
			r.X.Value, label, err = lines.Read()
		}
		r.Class, r.Line, r.Bad, r.Blank = strconv.Itoa(label), lines.Line(), nil, err == libsvm.ErrBlank
		r.Unseen = schema.unseen(r.Unseen, lines)
		if r.Blank {
			return r, nil
		}
		if o.Overflow && errors.As(err, new(libsvm.Overflow)) {
			r.Bad, err = err, nil
		}
		return r, err
	}, nil
}

// Beyond begins what stands for a column in Row.Unseen if a line of a LIBSVM file has an index above those of
// the training file.
const Beyond = "an index above "

// unseen returns the indexes that were left out of a line.
func (s *Schema) unseen(to []string, lines *libsvm.Reader) []string {
	if to = to[:0]; lines.Ignored() > 0 {
		first := map[bool]int{false: 1}[s.Zero]
		to = append(to, Beyond+strconv.Itoa(s.Features()+first-1))
	}
	return to
}

// indexed sets the features of a field that is a line of a LIBSVM file without the label.
func (e *Encoder) indexed(c *Column, start int, field string) error {
	lines := libsvm.NewReader(strings.NewReader("0 "+field), c.Name, c.Indexed)
	lines.Zero, lines.Ignore = e.schema.Zero, e.skipUnknown
	index, value, _, err := lines.ReadSparse()
	if err != nil {
		// Unwrap drops the position, which is one in the field and not in a file.
		return fmt.Errorf("column %q: %w", c.Name, errors.Unwrap(err))
	}
	for k, j := range index {
		e.set(start+int(j), value[k])
	}
	e.unseen = e.schema.unseen(e.unseen, lines)
	return nil
}
