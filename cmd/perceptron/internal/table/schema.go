package table

import (
	"errors"
	"fmt"
	"slices"
)

// A Column becomes one feature if its fields are numbers, and one feature for each
// category if they are words.
type Column struct {
	Name       string   `json:"name"`
	Position   int      `json:"position"`             // in the training file, from 0
	Categories []string `json:"categories,omitempty"` // sorted; none for numbers
}

// width returns the number of features.
func (c *Column) width() int { return max(1, len(c.Categories)) }

// A Schema says which columns of a file are the features and the label.
type Schema struct {
	Named   bool     `json:"named"`   // the file had the columns' names
	Width   int      `json:"width"`   // number of columns in the file
	Label   Column   `json:"label"`   // without categories
	Columns []Column `json:"columns"` // that become features, in order
	Missing string   `json:"missing"` // what a missing value means: one of the constants below
}

// The rules for missing values. A row without a label is left out by the last two.
const (
	MissingError = "error"
	MissingMean  = "mean" // the mean of the training rows replaces the value
	MissingDrop  = "drop" // the row is left out
)

// Features returns the number of features.
func (s *Schema) Features() int {
	n := 0
	for _, c := range s.Columns {
		n += c.width()
	}
	return n
}

// Names returns the names of the features, such as "height" or "colour=red".
func (s *Schema) Names() []string {
	names := make([]string, 0, s.Features())
	for _, c := range s.Columns {
		if len(c.Categories) == 0 {
			names = append(names, c.Name)
		}
		for _, value := range c.Categories {
			names = append(names, c.Name+"="+value)
		}
	}
	return names
}

// mostFeatures limits the memory that a wrong file can make the program allocate.
const mostFeatures = 1 << 24

// Check returns an error if a Schema makes no sense. It protects the program from saved
// files that another program wrote, and a user from files whose columns are not distinct.
func (s *Schema) Check() error {
	used := map[int]bool{s.Label.Position: true}
	named := map[string]bool{s.Label.Name: true}
	switch {
	case len(s.Columns) == 0 || s.Width < len(s.Columns)+1:
		return fmt.Errorf("%d columns of %d, want at least one beside the label", len(s.Columns), s.Width)
	case s.Features() > mostFeatures:
		return fmt.Errorf("%d features, want at most %d", s.Features(), mostFeatures)
	case len(s.Label.Categories) > 0:
		return errors.New("the label has categories")
	case s.Label.Position < 0 || s.Label.Position >= s.Width:
		return fmt.Errorf("label at position %d of %d", s.Label.Position, s.Width)
	case s.Missing != MissingError && s.Missing != MissingMean && s.Missing != MissingDrop:
		return fmt.Errorf("missing %q, want error, mean or drop", s.Missing)
	}
	for _, c := range s.Columns {
		switch {
		case c.Position < 0 || c.Position >= s.Width || used[c.Position]:
			return fmt.Errorf("column %q: position %d of %d, want one that no other column has", c.Name, c.Position, s.Width)
		case named[c.Name]:
			return fmt.Errorf("two columns are named %q", c.Name)
		case !slices.IsSorted(c.Categories) || len(slices.Compact(slices.Clone(c.Categories))) < len(c.Categories):
			return fmt.Errorf("column %q: categories %q, want them sorted and different", c.Name, c.Categories)
		}
		used[c.Position], named[c.Name] = true, true
	}
	return nil
}

// Complete reports whether a row can be used with its label. A missing label or value
// is an error unless the Schema says otherwise.
func (s *Schema) Complete(r *Row) (bool, error) {
	if r.Class == "" && s.Missing == MissingError {
		return false, r.At(errors.New("the label is missing; --missing drop leaves out the row"))
	}
	return r.Class != "" && !(r.Missing && s.Missing == MissingDrop), nil
}

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // for each column of the Schema
	label, id int   // -1 for none
	names     bool  // the first line has names
}

// locate matches a later file with the Schema. It must not wait for a second line, since
// a program may send one row and wait for the answer. It finds the columns by the fields of the first line. Without the names of the
// Schema, a file has the columns in the order of the training file, with or without
// those that are not features.
func (s *Schema) locate(first []string, header string, o RowOptions) (place, error) {
	names := named(first)
	use, err := s.byName(names)
	p := place{use: s.inOrder(len(first)), label: -1, id: -1, names: header == "yes"}
	if header == "" || header == "auto" {
		p.names = s.Named && err == nil && s.recognises(use) || s.unlikeRow(first, p.use)
	}
	switch {
	case p.names && (s.Named || err == nil):
		p.use, p.label = use, slices.Index(names, s.Label.Name)
	case p.use == nil:
		err = fmt.Errorf("%s, want %d as in the training file, or %d without the label and the columns that are not used",
			Counted(len(first), "column"), s.Width, len(s.Columns))
	default:
		err = nil
		if len(first) == s.Width {
			p.label = s.Label.Position
		}
	}
	if !p.names {
		names = numbered(len(first))
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

// noColumn returns an error for a name that no column has.
func noColumn(name string, names []string) error {
	return fmt.Errorf("no column %q; the columns are %s", name, Short(names))
}

// byName returns the places of the columns by their names.
func (s *Schema) byName(names []string) (use []int, err error) {
	for _, c := range s.Columns {
		j := slices.Index(names, c.Name)
		if j < 0 {
			return nil, noColumn(c.Name, names)
		}
		if slices.Contains(names[j+1:], c.Name) {
			return nil, fmt.Errorf("two columns are named %q", c.Name)
		}
		use = append(use, j)
	}
	return use, nil
}

// recognises reports whether the names of the columns, found in these places, cannot be
// values: one of them is a word, or they have their order.
func (s *Schema) recognises(use []int) bool {
	return slices.IsSorted(use) || slices.ContainsFunc(s.Columns, func(c Column) bool { return !isNumber(c.Name) })
}

// inOrder returns the places of the columns in a file that has no names, or nil if its
// number of columns is neither that of the training file nor that of the features.
func (s *Schema) inOrder(width int) (use []int) {
	for j, c := range s.Columns {
		switch width {
		case s.Width:
			use = append(use, c.Position)
		case len(s.Columns):
			use = append(use, j)
		}
	}
	return use
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
