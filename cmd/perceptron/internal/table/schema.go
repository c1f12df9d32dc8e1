package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Column becomes one feature if its fields are numbers, one feature for each category if they
// are words, and many features if they are text, or lines of a LIBSVM file.
type Column struct {
	Name       string   `json:"name"`
	Position   int      `json:"position"`             // in the training file, from 0
	Categories []string `json:"categories,omitempty"` // sorted; none for numbers
	Text       *Hash    `json:"text,omitempty"`       // how text becomes features
	Indexed    int      `json:"indexed,omitempty"`    // features of fields such as 3:0.5 17:1
	Values     int      `json:"values,omitempty"`     // of whole numbers, if they are 3 to 10: they may be codes
}

// Width returns the number of features.
func (c *Column) Width() int {
	if c.Text != nil {
		return c.Text.width()
	}
	return max(1, len(c.Categories), c.Indexed)
}

// hasText reports whether the fields are words or text.
func (c Column) hasText() bool { return len(c.Categories) > 0 || c.Text != nil }

// A Schema says which columns of a file are the features and the label. A model file has
// the Schema of the training file. So prediction needs no flag that chooses columns, and no
// further column in another file can take the place of the label.
type Schema struct {
	Named    bool     `json:"named"`              // the file had the columns' names
	Width    int      `json:"width"`              // number of columns in the file
	Label    Column   `json:"label"`              // without categories
	Columns  []Column `json:"columns"`            // that become features, in order
	Missing  string   `json:"missing"`            // what a missing value means: one of the constants below
	NA       []string `json:"na,omitempty"`       // further names of missing values
	Unquoted bool     `json:"unquoted,omitempty"` // between tabs, a quote is data
	Zero     bool     `json:"zero,omitempty"`     // the indices of a LIBSVM file count from 0
	Sparse   bool     `json:"sparse,omitempty"`   // rows have their non-zeros only
}

// The rules for missing values. A row without a label is left out by the last two: nothing
// can replace a label.
const (
	MissingError = "error"
	MissingMean  = "mean" // the mean of the training rows replaces the value
	MissingDrop  = "drop" // the row is left out
)

// Features returns the number of features.
func (s *Schema) Features() (n int) {
	for i := range s.Columns {
		n += s.Columns[i].Width()
	}
	return n
}

// Names returns the names of the features, such as "height", "colour=red", "message#17" or "x5". A
// word has a feature of its own, because an order of words would mean nothing to a linear model.
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

// mostFeatures limits the memory that a wrong file can make the program allocate.
const mostFeatures = 1 << 24

// Check returns an error if a Schema makes no sense. It protects the program from saved
// files that another program wrote, and a user from files whose columns are not distinct.
func (s *Schema) Check() error {
	odd := func(c Column) bool {
		return c.Text != nil && !c.Text.valid() || c.Indexed < 0 || c.Indexed > mostFeatures
	}
	switch {
	case len(s.Columns) == 0:
		return errors.New("no columns beside the label")
	case slices.ContainsFunc(s.Columns, odd):
		return errors.New("a column of text, or of a LIBSVM file, has features that cannot be")
	case s.Features() > mostFeatures:
		return fmt.Errorf("%d features, want at most %d", s.Features(), mostFeatures)
	case s.Label.Width() > 1 || s.Label.hasText():
		return errors.New("the label has categories")
	case !slices.Contains([]string{MissingError, MissingMean, MissingDrop}, s.Missing):
		return fmt.Errorf("missing %q, want error, mean or drop", s.Missing)
	}
	// Columns are found by name, so a name that two columns have would choose one silently.
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

// RowOptions say what a caller wants from the rows.
type RowOptions struct {
	Label     string // name of the label's column, if it is not that of the Schema
	ID        string // name of a column to return with each row
	Strict    bool   // an unknown category is an error; otherwise it sets no feature
	Overflow  bool   // a number that is too large for a float64 is an error of its row alone
	NeedLabel bool   // the file must have a label's column
	Purpose   string // shown beside the progress
}

// A place says where a file has the columns of a Schema.
type place struct {
	use       []int // for each column of the Schema
	label, id int   // -1 for none
	names     bool  // the first line has names
}

// locate finds the columns of the Schema, and those of the options, by their names. The
// label may be absent unless the caller needs it.
func (s *Schema) locate(first []string, header string, o RowOptions) (place, error) {
	names, hasNames := s.namesOf(first, header)
	f := finder{names: names}
	label := cmp.Or(o.Label, s.Label.Name)
	p := place{label: slices.Index(names, label), id: -1, names: hasNames}
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

// A finder finds columns by their names. It keeps the first error, so that its users need
// not check each name.
type finder struct {
	names []string
	err   error
}

// find returns the place of a column, or -1.
func (f *finder) find(name string) int {
	j := slices.Index(f.names, name)
	switch {
	case f.err != nil:
	case j < 0:
		f.err = fmt.Errorf("no column %q; the columns are %s", name, Short(f.names))
	case slices.Contains(f.names[j+1:], name):
		f.err = fmt.Errorf("two columns are named %q", name)
	}
	return j
}

// namesOf returns the names of the columns of a later file, and whether its first line has
// them. It cannot see a second line, because a program may send one row and wait for the
// answer. If the first line has no names, the columns are those of the training file if their number is
// the same, else those of the features. That also holds for other names than the model's, if the
// training file had no names.
func (s *Schema) namesOf(first []string, header string) (names []string, has bool) {
	names = named(first, true)
	known := s.recognises(names)
	has = header == "yes" || header == "auto" && known
	// A line of another width can be no row. The error about it lists its fields.
	fits := len(first) == s.Width || len(first) == len(s.Columns)
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

// recognises reports whether a line has the names of the columns, and not values. One name
// is enough if it is a word. Names that are numbers, as pandas writes them, may as well be
// values, so all of them must stand in their order.
func (s *Schema) recognises(line []string) bool {
	at, ordered := -1, true
	for _, c := range s.Columns {
		j := slices.Index(line, c.Name)
		if j >= 0 && !isNumber(c.Name) {
			return true
		}
		ordered = ordered && j > at
		at = j
	}
	return ordered
}

// Whether the first line has names is decided by isHeader for the training file, and by namesOf
// for each later one. A line of names that is read as a row makes every column one of words. A row
// that is read as names is lost without a word.

// named returns the names of the columns. Without a header, they are x1, x2, …. In a
// header, a column may have no name, such as the index that pandas writes. It gets one, so
// that --drop can name it.
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

// isHeader reports whether the first row has names. It has if a word stands over numbers.
// It also has if the names are unique and do not recur below them, numbers among them are
// whole, and at least one is a word. Numbers that count the columns from 0 are the names that
// pandas writes, so that some may recur. If all do, there must be many columns, or the last
// one must not recur, because the label has few values.
func isHeader(rows [][]string) bool {
	first, isWord := rows[0], func(field string) bool { return !isNumber(field) }
	words, counted, likeRow, recurs, index := 0, 0, false, false, 0
	for j, name := range first {
		below := column(rows[1:], j)
		recurs = slices.Contains(below, name)
		_, fraction := strconv.ParseUint(name, 10, 64)
		switch {
		case name == "": // pandas writes the index of the rows without a name
			if j == 0 && len(below) == len(rows)-1 {
				index = 1
			}
		case missing(name) || slices.Index(first, name) < j:
			likeRow = true
		case name == strconv.Itoa(j-index):
			counted++
		case recurs || isNumber(name) && fraction != nil:
			likeRow = true
		case isNumber(name):
		case len(below) > 0 && !slices.ContainsFunc(below, isWord):
			return true
		default:
			words++
		}
	}
	pandas := counted+index == len(first) && (len(first) > 4 || !recurs)
	return !likeRow && (words > 0 || pandas)
}

// column returns the fields of a column that are not missing. Missing ones show nothing
// about the column, and may stand under any name.
func column(rows [][]string, j int) (fields []string) {
	for _, row := range rows {
		if !missing(row[j]) {
			fields = append(fields, row[j])
		}
	}
	return fields
}
