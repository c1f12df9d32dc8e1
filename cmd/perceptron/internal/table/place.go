package table

import (
	"errors"
	"fmt"
	"slices"
)

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // for each column of the Schema
	label, id int   // -1 for none
	names     bool  // the first line has names
}

// locate finds the columns by the fields of the first line. Without the names of the
// Schema, a file has the columns in the order of the training file, with or without
// those that are not features.
func (s *Schema) locate(first []string, header string, o RowOptions) (place, error) {
	names := named(first)
	p, err := s.byName(names)
	ordered, wrongWidth := s.inOrder(len(first))
	switch header {
	case "yes", "no":
		p.names = header == "yes"
	default:
		p.names = p.names && s.Named || s.unlikeRow(first, ordered.use)
	}
	if !p.names {
		names = numbered(len(first))
	}
	if !p.names || !s.Named && err != nil {
		ordered.names = p.names
		p, err = ordered, wrongWidth
	}
	return p, errors.Join(err, find(o.ID, names, &p.id), find(o.Label, names, &p.label))
}

// find sets at to the place of a column that a flag names.
func find(flag string, names []string, at *int) error {
	if flag == "" {
		return nil
	}
	if *at = slices.Index(names, flag); *at < 0 {
		return noColumn(flag, names)
	}
	return nil
}

// byName finds the columns by their names. The line looks like a header if it has one of
// the names that are words, or if it has all names in their order: a number may be the
// name of a column, and a value.
func (s *Schema) byName(names []string) (p place, err error) {
	p = place{label: slices.Index(names, s.Label.Name), id: -1}
	for _, c := range s.Columns {
		j := slices.Index(names, c.Name)
		switch {
		case err != nil:
		case j < 0:
			err = noColumn(c.Name, names)
		case slices.Contains(names[j+1:], c.Name):
			err = fmt.Errorf("two columns are named %q", c.Name)
		}
		p.use = append(p.use, j)
		p.names = p.names || j >= 0 && !isNumber(c.Name)
	}
	p.names = p.names || err == nil && slices.IsSorted(p.use)
	return p, err
}

// inOrder finds the columns of a file that has no names. Its number of columns is that
// of the training file or of the features.
func (s *Schema) inOrder(width int) (p place, err error) {
	p = place{label: -1, id: -1}
	switch width {
	case s.Width:
		p.label = s.Label.Position
		for _, c := range s.Columns {
			p.use = append(p.use, c.Position)
		}
	case len(s.Columns):
		for j := range s.Columns {
			p.use = append(p.use, j)
		}
	default:
		err = fmt.Errorf("%s, want %d as in the training file, or %d without the label and the columns that are not used",
			Counted(width, "column"), s.Width, len(s.Columns))
	}
	return p, err
}

// unlikeRow reports whether the first line cannot be a row: words stand in all columns
// of numbers, or everywhere in a line of another width.
func (s *Schema) unlikeRow(first []string, use []int) bool {
	if use == nil {
		return !slices.ContainsFunc(first, isNumber)
	}
	words := 0
	for j, i := range use {
		if len(s.Columns[j].Categories) > 0 {
			continue
		}
		if isNumber(first[i]) || missing(first[i]) {
			return false
		}
		words++
	}
	return words > 0
}
