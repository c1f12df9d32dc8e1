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
		n += max(1, len(c.Categories))
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

// Check returns an error if a Schema from a saved file makes no sense.
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
		case !slices.IsSorted(c.Categories) || len(slices.Compact(slices.Clone(c.Categories))) != len(c.Categories):
			return fmt.Errorf("column %q: categories %q, want them sorted and different", c.Name, c.Categories)
		}
		used[c.Position], named[c.Name] = true, true
	}
	return nil
}

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // for each column of the Schema; -1 is missing
	label, id int   // -1 for none
	header    bool  // the first line has names
}

// locate finds the columns by the fields of the first line. Without the names of the
// Schema, a file has the columns in the order of the training file, with or without
// those that are not features.
func (s *Schema) locate(first []string, o RowOptions) (p place, err error) {
	names := withNames(first)
	use, found, err := s.byName(names)
	p = place{label: -1, id: -1, header: o.header == "yes"}
	if o.header == "" || o.header == "auto" {
		p.header = found && s.Named || s.unlikeRow(first)
	}
	if p.header && (s.Named || err == nil) {
		p.use, p.label = use, slices.Index(names, s.Label.Name)
		if err != nil {
			return p, err
		}
	} else if p.use, p.label = s.inOrder(len(first)); p.use == nil {
		return p, fmt.Errorf("%s, want %d as in the training file, or %d without the label and the columns that are not used",
			Counted(len(first), "column"), s.Width, len(s.Columns))
	}
	if !p.header {
		names = numbered(len(first))
	}
	return p, p.named(names, o)
}

// byName returns the column of each name. found reports whether the line looks like a
// header, because it has one of the names that are words, or because it has all names in
// their order: a number may be the name of a column, and a value.
func (s *Schema) byName(names []string) (use []int, found bool, err error) {
	for _, c := range s.Columns {
		j := slices.Index(names, c.Name)
		switch {
		case j < 0 && err == nil:
			err = fmt.Errorf("no column %q; the columns are %s", c.Name, Short(names))
		case j >= 0 && err == nil && slices.Contains(names[j+1:], c.Name):
			err = fmt.Errorf("two columns are named %q", c.Name)
		}
		use = append(use, j)
		found = found || j >= 0 && !isNumber(c.Name)
	}
	return use, found || err == nil && slices.IsSorted(use), err
}

// named finds the columns that flags name.
func (p *place) named(names []string, o RowOptions) error {
	for _, wanted := range []struct {
		name string
		at   *int
	}{{o.ID, &p.id}, {o.Label, &p.label}} {
		if wanted.name == "" {
			continue
		}
		if *wanted.at = column(names, wanted.name); *wanted.at < 0 {
			return fmt.Errorf("no column %q; the columns are %s", wanted.name, Short(names))
		}
	}
	return nil
}

// inOrder returns the columns of a file that has no names. It returns nil if their
// number fits neither the training file nor the features.
func (s *Schema) inOrder(width int) (use []int, label int) {
	label = -1
	if width == s.Width {
		label = s.Label.Position
	} else if width != len(s.Columns) {
		return nil, -1
	}
	for j, c := range s.Columns {
		if width == s.Width {
			j = c.Position
		}
		use = append(use, j)
	}
	return use, label
}

// unlikeRow reports whether the first line cannot be a row: words stand in all columns
// of numbers, or everywhere in a line of another width.
func (s *Schema) unlikeRow(first []string) bool {
	use, _ := s.inOrder(len(first))
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

// fits reports whether a line can be the first one of a file for the Schema.
func (s *Schema) fits(first []string) bool {
	use, _ := s.inOrder(len(first))
	_, _, err := s.byName(withNames(first))
	return use != nil || err == nil
}
