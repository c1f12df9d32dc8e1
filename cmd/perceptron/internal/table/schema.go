package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Column becomes one feature if its fields are numbers, one feature for each category if its
// fields are words, and many features if its fields are text or the pairs of a LIBSVM line.
type Column struct {
	Name       string    `json:"name"`
	Position   int       `json:"position"`             // in the training file, from 0
	Categories []string  `json:"categories,omitempty"` // sorted; none for numbers
	Text       *Hash     `json:"text,omitempty"`       // how text becomes features
	Indexed    int       `json:"indexed,omitempty"`    // number of features, if fields are as 3:0.5 17:1
	Range      []float64 `json:"range,omitempty"`      // the least and the greatest number of the training file
	Values     int       `json:"values,omitempty"`     // 3 to 10 different whole numbers, which may be codes; else 0
}

// Width returns the number of features that the column becomes.
func (c *Column) Width() int {
	if c.Text != nil {
		return c.Text.width()
	}
	return max(1, len(c.Categories), c.Indexed)
}

// Number reports whether the fields are numbers.
func (c *Column) Number() bool { return c.Text == nil && c.Indexed == 0 && len(c.Categories) == 0 }

// hasText reports whether the fields are words or text.
func (c Column) hasText() bool { return len(c.Categories) > 0 || c.Text != nil }

// A Schema says which columns of a file are the features and the label. A model file has
// the Schema of the training file. So prediction needs no flags that choose columns, and an
// additional column in another file is not taken for the label.
type Schema struct {
	Named    bool     `json:"named"`              // the file had the columns' names
	Width    int      `json:"width"`              // number of columns in the file
	Label    Column   `json:"label"`              // without categories
	Columns  []Column `json:"columns"`            // the columns that become features, in order
	Missing  string   `json:"missing"`            // rule for missing values: one of the constants below
	NA       []string `json:"na,omitempty"`       // further names of missing values
	Unquoted bool     `json:"unquoted,omitempty"` // between tabs, a quote is data
	Zero     bool     `json:"zero,omitempty"`     // the indices of a LIBSVM file count from 0
	Sparse   bool     `json:"sparse,omitempty"`   // rows have their non-zeros only
	Foreign  bool     `json:"-"`                  // of a Classifier of a Go program: the command knows no training file
}

// The rules for missing values. MissingMean and MissingDrop both leave out a row without a label,
// because nothing can replace a label.
const (
	MissingError = "error" // a missing value is an error
	MissingMean  = "mean"  // the mean of the training rows replaces the value
	MissingDrop  = "drop"  // the row is left out
)

// Features returns the number of features.
func (s *Schema) Features() (n int) {
	for i := range s.Columns {
		n += s.Columns[i].Width()
	}
	return n
}

// Names returns the names of the features, such as "height", "colour=red", "message#17" or "x5".
// Each word of a column has its own feature: words have no order that one weight could express.
func (s *Schema) Names() (names []string) {
	for _, c := range s.Columns {
		for j := range c.Width() {
			name := c.Name
			switch {
			case c.Text != nil:
				if c.Text.Seen != nil {
					j = int(c.Text.Seen[j])
				}
				name += "#" + strconv.Itoa(j)
			case c.Indexed > 0:
				name += strconv.Itoa(j + 1)
			case len(c.Categories) > 0:
				name += "=" + c.Categories[j]
			}
			names = append(names, name)
		}
	}
	return names
}

// ColumnNames returns the names of the columns that become features.
func (s *Schema) ColumnNames() (names []string) {
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	return names
}

// mostFeatures limits the memory that a wrong file can make the program allocate.
const mostFeatures = 1 << 24

// Check returns an error if the Schema is not valid. It detects invalid model files that another
// program wrote, and training files whose columns have equal names.
func (s *Schema) Check() error {
	odd := func(c Column) bool {
		return c.Text != nil && !c.Text.valid() || c.Indexed < 0 || c.Indexed > mostFeatures || c.Range != nil && (len(c.Range) != 2 || c.Range[0] > c.Range[1])
	}
	switch {
	case len(s.Columns) == 0:
		return errors.New("no columns beside the label")
	case slices.ContainsFunc(s.Columns, odd):
		return errors.New("a column has a range, or features that cannot be")
	case s.Features() > mostFeatures:
		return fmt.Errorf("%d features, want at most %d", s.Features(), mostFeatures)
	case s.Label.Width() > 1 || s.Label.hasText():
		return errors.New("the label has categories")
	case !slices.Contains([]string{MissingError, MissingMean, MissingDrop}, s.Missing):
		return fmt.Errorf("missing %q, want error, mean or drop", s.Missing)
	}
	// Columns are found by name. If two had the same name, the first would be used silently.
	used, names := map[int]bool{}, map[string]bool{}
	for _, c := range append([]Column{s.Label}, s.Columns...) {
		switch {
		case c.Position < 0 || c.Position >= s.Width || used[c.Position]:
			return fmt.Errorf("column %q: position %d of %d, want one that no other column has", c.Name, c.Position, s.Width)
		case names[c.Name]:
			return errTwice(c.Name)
		case !Ascending(c.Categories, strings.Compare):
			return fmt.Errorf("column %q: categories %q, want them sorted and different", c.Name, c.Categories)
		}
		used[c.Position], names[c.Name] = true, true
	}
	return nil
}

// RowOptions say what a caller of [Source.Rows] needs.
type RowOptions struct {
	Label     string // name of the label's column, if it is not that of the Schema
	ID        string // name of a column to return with each row
	Strict    bool   // an unknown category is an error; otherwise it sets no feature
	Overflow  bool   // a number that is too large for a float64 sets Row.Bad, and the pass continues
	NeedLabel bool   // the file must have a label's column
	// Classes sets Row.Bad for a label that is not among them, if this file has no names: the label's place is then a
	// guess, and a comma inside a field makes it a wrong one. A word beside numbers is no half of one.
	Classes []string
	Blank   bool   // a line that is no row gives a Row too, with Blank set, so that each line has a Row
	Purpose string // shown beside the progress
}

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // index in the line of each column of the Schema
	label, id int   // indices in the line, or -1 for none
	names     bool  // the first line has names
}

// locate finds the columns of the Schema, and those of the options, by their names. The
// label may be absent unless the caller needs it.
func (s *Schema) locate(first []string, header string, o RowOptions) (place, error) {
	names, hasNames := s.namesOf(first, header)
	f := newFinder(names)
	label := cmp.Or(o.Label, s.Label.Name)
	p := place{label: f.index(label), id: -1, names: hasNames}
	for _, c := range s.Columns {
		p.use = append(p.use, f.find(c.Name))
	}
	if o.ID != "" {
		p.id = f.find(o.ID)
	}
	if o.NeedLabel {
		f.find(label)
	}
	return p, f.err
}

// A finder finds columns by their names. It keeps the first error, so that callers check for an
// error only once.
type finder struct {
	names []string
	at    map[string]int // the first place of each name; a search among all names would take time for each column
	twice map[string]bool
	err   error
}

// newFinder returns a finder of names.
func newFinder(names []string) *finder {
	f := &finder{names, map[string]int{}, map[string]bool{}, nil}
	for j, name := range names {
		if _, known := f.at[name]; known {
			f.twice[name] = true
		} else {
			f.at[name] = j
		}
	}
	return f
}

// index returns the first index of a column, or -1.
func (f *finder) index(name string) int {
	if j, known := f.at[name]; known {
		return j
	}
	return -1
}

// find returns the index of a column, or -1 and keeps the error.
func (f *finder) find(name string) int {
	j := f.index(name)
	switch {
	case f.err != nil:
	case j < 0:
		f.err = NoColumn(name, f.names)
	case f.twice[name]:
		f.err = errTwice(name)
	}
	return j
}

func errTwice(name string) error {
	return fmt.Errorf("two columns are named %q: rename one, or %s leaves out both", name, Flag("drop", name))
}

// NoColumn returns the error for a column that is not among the names.
func NoColumn(name string, names []string) error {
	return fmt.Errorf("no column %q; the columns are %s", name, Short(names))
}

// namesOf returns the names of the columns of a later file, and reports whether the first line has
// them. It must decide by the first line alone, because a program may send one row and wait for
// the answer.
//
// If the first line has no names, its fields are matched by position. If there are as many as in
// the training file, they are its columns. If there are as many as Columns, they are the Columns.
// Names are matched by position too if none is known and the training file had no names.
func (s *Schema) namesOf(first []string, header string) (names []string, has bool) {
	// Columns without a name and without a value may stand at the end of this file alone.
	for len(first) > s.Width && first[len(first)-1] == "" {
		first = first[:len(first)-1]
	}
	names = named(first, true)
	known := s.recognises(names)
	// A line with another number of fields cannot be a row. The caller's error lists the fields.
	fits := len(first) == s.Width || len(first) == len(s.Columns)
	has = header == "yes" || header == "auto" && (known || fits && s.unlikeRow(first))
	if !fits || has && (known || s.Named) {
		return names, has
	}
	names = named(first, false)
	for j, c := range s.Columns {
		if len(first) == s.Width {
			names[c.Position], names[s.Label.Position] = c.Name, s.Label.Name
		} else {
			names[j] = c.Name
		}
	}
	return names, has
}

// spaced reports whether the first line of a later file, which has no separator but spaces, has the columns between
// spaces. If the only column has words or text, the spaces belong to it.
func (s *Schema) spaced(line string) bool {
	n := len(strings.Fields(line))
	if n == 1 && strings.Contains(line, ",") { // a number and its class, which look like one number
		return false
	}
	return (n == s.Width || n == len(s.Columns) || s.recognises(strings.Fields(line))) && (len(s.Columns) > 1 || !s.Columns[0].hasText())
}

// unlikeRow reports whether a line has names, although the training file had none: words above all columns of
// numbers, and new words above all columns of words. A column of text shows nothing.
func (s *Schema) unlikeRow(line []string) bool {
	odd := 0
	for j, c := range s.Columns {
		if len(line) == s.Width {
			j = c.Position
		}
		field := line[j]
		switch {
		case c.Text != nil:
		case isNumber(field) || missing(field) || LooksNumeric(field) || slices.Contains(c.Categories, field):
			return false
		case c.Number():
			odd += 2
		default:
			odd++
		}
	}
	return !s.Named && odd > 1
}

// recognises reports whether a line has the names of the columns instead of values. One name that
// is a word is enough. Names that are numbers, as pandas writes them, could also be values, so
// all of them must be in the line, in the order of the columns.
func (s *Schema) recognises(line []string) bool {
	at, ordered, f := -1, true, newFinder(line)
	for _, c := range s.Columns {
		j := f.index(c.Name)
		if j >= 0 && !isNumber(c.Name) {
			return true
		}
		ordered = ordered && j > at
		at = j
	}
	return ordered
}

// named returns the names of the columns. Without a header, they are x1, x2, …. A header may
// leave a name empty, as pandas does for the index. Such a column is named by its position, so
// that --drop can select it.
func named(first []string, header bool) []string {
	names := slices.Clone(first)
	for j, name := range names {
		switch {
		case !header:
			names[j] = "x" + strconv.Itoa(j+1)
		case name == "":
			names[j] = "unnamed " + strconv.Itoa(j+1)
		}
	}
	return names
}
