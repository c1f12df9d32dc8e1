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
