package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"perceptron/internal/libsvm"
)

// discoverLIBSVM names the columns x1, x2, … as those of a CSV file without a header, so
// that a model of one can predict rows of the other. It finds the number of features. No
// line states it, so this takes a pass. One index that is 0 shows that all count from 0: then the
// pass begins again.
func (s *Source) discoverLIBSVM(o Choice, zero bool) (*Schema, error) {
	label := len(o.Category) == 0 || slices.Equal(o.Category, []string{"label"})
	if !label || o.Label != "" || len(o.Columns)+len(o.Drop)+len(o.NA)+len(o.Text) > 0 || o.Missing != MissingError {
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns and no missing values, so that --label, --columns, --drop, --category, --text, --missing and --na do not apply", s.Name)
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
	// A number that the user states may be greater: the training file need not have a row
	// with the last feature.
	n := lines.Width()
	if n < 1 || n > mostFeatures {
		return nil, fmt.Errorf("%s: %d features, want 1 to %d", s.Name, n, mostFeatures)
	}
	// The label is the first field of a line, so the features are the columns from 1 on.
	schema := &Schema{Width: n + 1, Label: Column{Name: "label"}, Missing: o.Missing, Zero: zero}
	// A value takes 12 bytes in a sparse row and 8 in a dense one, which has all of them. The last
	// read found no row but the end of the file.
	if schema.Sparse = 12*filled < 8*n*(rows-1); schema.Sparse {
		schema.Width, schema.Columns = 2, []Column{{Name: "x", Position: 1, Indexed: n}}
		return schema, nil
	}
	for j, name := range named(make([]string, n), false) {
		schema.Columns = append(schema.Columns, Column{Name: name, Position: j + 1})
	}
	return schema, nil
}

// libsvmRows returns a function that reads the next row. A LIBSVM file always has a label,
// and no missing value, since a feature without an index is 0.
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
	lines.Zero = schema.Zero
	// The reader does not show what it has in its buffer. So each row of a pipe may be the
	// last for now, and none of a file.
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
		r.Class, r.Line, r.Bad = strconv.Itoa(label), lines.Line(), nil
		if o.Overflow && errors.As(err, new(libsvm.Overflow)) {
			r.Bad, err = err, nil
		}
		return r, err
	}, nil
}
