package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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
	switch {
	case len(s.Columns) == 0:
		return errors.New("no columns beside the label")
	case s.Features() > mostFeatures:
		return fmt.Errorf("%d features, want at most %d", s.Features(), mostFeatures)
	case len(s.Label.Categories) > 0:
		return errors.New("the label has categories")
	case !slices.Contains([]string{MissingError, MissingMean, MissingDrop}, s.Missing):
		return fmt.Errorf("missing %q, want error, mean or drop", s.Missing)
	}
	used, names := map[int]bool{}, map[string]bool{}
	for _, c := range append([]Column{s.Label}, s.Columns...) {
		switch {
		case c.Position < 0 || c.Position >= s.Width || used[c.Position]:
			return fmt.Errorf("column %q: position %d of %d, want one that no other column has", c.Name, c.Position, s.Width)
		case names[c.Name]:
			return fmt.Errorf("two columns are named %q", c.Name)
		case !Ascending(c.Categories, strings.Compare):
			return fmt.Errorf("column %q: categories %q, want them sorted and different", c.Name, c.Categories)
		}
		used[c.Position], names[c.Name] = true, true
	}
	return nil
}

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // for each column of the Schema
	label, id int   // -1 for none
	names     bool  // the first line has names
}

// locate matches a later file with the Schema, by its first line. It cannot see a second
// line, because a program may send one row and wait for the answer. A file without names has
// the columns in the order of the training file, with or without those that are not
// features. So may a file with names if the training file had none.
func (s *Schema) locate(first []string, header string, o RowOptions) (place, error) {
	names := named(first, true)
	use, err := s.byName(names)
	p := place{use: use, label: slices.Index(names, s.Label.Name), id: -1, names: header == "yes"}
	if header == "auto" {
		p.names = s.recognises(names) || err == nil && slices.IsSorted(use)
	}
	if !p.names {
		names = named(first, false)
	}
	if !p.names || err != nil && !s.Named {
		p.use, p.label, err = s.inOrder(len(first))
	}
	err = errors.Join(err, find(o.ID, names, &p.id), find(o.Label, names, &p.label))
	if err == nil && o.NeedLabel && p.label < 0 {
		err = fmt.Errorf("no label: no column is named %q; --label names it", s.Label.Name)
	}
	return p, err
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

// recognises reports whether one of the names is that of a column, and cannot be a value
// because it is a word.
func (s *Schema) recognises(names []string) bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return isWord(c.Name) && slices.Contains(names, c.Name) })
}

// inOrder returns the places of the columns and of the label in a file that has no names. The
// file has as many columns as the training file, or only those of the features.
func (s *Schema) inOrder(width int) (use []int, label int, err error) {
	for j, c := range s.Columns {
		switch width {
		case s.Width:
			use = append(use, c.Position)
		case len(s.Columns):
			use = append(use, j)
		default:
			return nil, -1, fmt.Errorf("%s without the names of the training file, want %d as it has, or %d without the label and the columns that are not used",
				Counted(width, "column"), s.Width, len(s.Columns))
		}
	}
	if width == s.Width {
		return use, s.Label.Position, nil
	}
	return use, -1, nil
}
