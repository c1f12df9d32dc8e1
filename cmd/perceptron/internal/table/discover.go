package table

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"perceptron/internal/libsvm"
)

// Choice says which columns of a new file to use.
type Choice struct {
	Label    string   // "" means the last one
	Columns  []string // that become features; none means all but the label
	Drop     []string // that do not
	Category []string // whose numbers are categories too
	Missing  string   // "" means MissingError
}

// Discover reads the file once and returns its Schema.
func Discover(s *Source, o Choice) (*Schema, error) {
	if o.Missing == "" {
		o.Missing = MissingError
	}
	if s.Format == "libsvm" {
		return s.discoverLIBSVM(o)
	}
	found, err := s.layout(slices.Concat([]string{o.Label}, o.Columns, o.Drop, o.Category))
	if err != nil {
		return nil, err
	}
	schema, err := o.choose(s.Name, found)
	if err != nil {
		return nil, err
	}
	if err := s.survey(schema, found, o); err != nil {
		return nil, err
	}
	took := map[bool]string{true: "the first line has names", false: "the first line is a row"}[found.header]
	if s.auto() {
		took += " (--header decides)"
	}
	s.tell("%s: %s; the label is column %q of %s%s", s.Name, took, schema.Label.Name, Short(found.names), s.marks())
	return schema, nil
}

// choose selects the columns by name.
func (o Choice) choose(file string, l layout) (*Schema, error) {
	if o.Label == "" {
		o.Label = "last"
	}
	for _, name := range slices.Concat([]string{o.Label}, o.Columns, o.Drop, o.Category) {
		if column(l.names, name) < 0 {
			return nil, noColumn(file, name, l.names)
		}
	}
	label := column(l.names, o.Label)
	s := &Schema{Named: l.header, Width: len(l.names), Label: Column{Name: l.names[label], Position: label}, Missing: o.Missing}
	for j, name := range l.names {
		if j != label && (len(o.Columns) == 0 || slices.Contains(o.Columns, name)) && !slices.Contains(o.Drop, name) {
			s.Columns = append(s.Columns, Column{Name: name, Position: j})
		}
	}
	if len(s.Columns) == 0 {
		return nil, &Error{File: file, Line: 1, Column: 1,
			Err: fmt.Errorf("%s separated by %q, want a label and at least one feature; --comma sets the separator", Counted(len(l.names), "column"), l.comma)}
	}
	return s, nil
}

// mostCategories limits the features that one column can become.
const mostCategories = 1000

// A profile describes the fields of one column.
type profile struct {
	rows, numbers, words int
	first                error           // at the first word
	values               map[string]bool // the words, or all fields of a category
	dates                bool            // all words are dates
	whole, steps         bool            // all numbers are whole; each is one more than the last
	last                 float64
}

// survey finds out which columns have words, and which words.
func (s *Source) survey(schema *Schema, l layout, o Choice) error {
	in, err := s.text("reading the columns")
	if err != nil {
		return err
	}
	s.Comma = l.comma
	r, err := s.newLines(in, nil)
	if err != nil {
		return err
	}
	profiles := make([]profile, len(schema.Columns))
	for j := range profiles {
		profiles[j] = profile{values: map[string]bool{}, dates: true, whole: true, steps: true}
	}
	rows := 0
	for err = r.next(); err == nil; err = r.next() {
		if l.header && rows == 0 {
			l.header = false // it is the first line only
			continue
		}
		rows++
		for j, c := range schema.Columns {
			profiles[j].add(r, c, slices.Contains(o.Category, c.Name))
		}
	}
	switch {
	case err != io.EOF:
		return err
	case rows == 0:
		return fmt.Errorf("%s: no rows", s.Name)
	}
	s.Decimal = r.decimal // further passes need not find it again
	return s.finish(schema, profiles, o)
}

// add adds the field of the current line.
func (p *profile) add(r *lines, c Column, category bool) {
	field := r.fields[c.Position]
	if missing(field) {
		return
	}
	p.rows++
	if !category {
		if v, ok := r.number(field); ok {
			p.whole = p.whole && v == math.Trunc(v)
			p.steps = p.steps && (p.numbers == 0 || v == p.last+1)
			p.last = v
			p.numbers++
			return
		}
	}
	if p.words++; p.words == 1 {
		p.first = r.notNumber(c.Position, c.Name)
	}
	p.dates = p.dates && isDate(field)
	if len(p.values) <= mostCategories && !p.values[field] {
		p.values[strings.Clone(field)] = true // the field is a part of the line
	}
}

// marks describes what a user may not expect of a file.
func (s *Source) marks() string {
	if s.Decimal == ',' {
		return "; numbers have decimal commas"
	}
	return ""
}

// finish stores the categories. A column that cannot help a model is an error, unless
// the user has chosen it by name.
func (s *Source) finish(schema *Schema, profiles []profile, o Choice) error {
	for j := range schema.Columns {
		c, p := &schema.Columns[j], &profiles[j]
		chosen := slices.Contains(o.Columns, c.Name) || slices.Contains(o.Category, c.Name)
		what, keep := p.useless(c.Name, chosen)
		switch {
		case what != "":
			return &Error{File: s.Name, Line: 1, Column: 1, Err: fmt.Errorf("column %q %s: leave it out with --drop %q%s", c.Name, what, c.Name, keep)}
		case p.numbers > 0 && p.words > 0:
			return fmt.Errorf("%w, or --category %q reads all values as words", p.first, c.Name)
		}
		for value := range p.values {
			c.Categories = append(c.Categories, value)
		}
		slices.Sort(c.Categories)
	}
	if n := schema.Features(); n > mostFeatures {
		return fmt.Errorf("%s: %d features, want at most %d", s.Name, n, mostFeatures)
	}
	return nil
}

// leastIDs is the number of rows from which numbers in steps of 1 look like ids.
const leastIDs = 10

var idName = regexp.MustCompile(`(?i)^(id|.*[ _-]id|index|unnamed.*|row|row[ _]?(number|id))$`)

// useless says why a column cannot be a feature, and what the user can do to keep it, or
// returns "". A column that the user chose is accepted if possible.
func (p *profile) useless(name string, chosen bool) (what, keep string) {
	const category = ", or name it in --category to use its words"
	switch n := len(p.values); {
	case p.rows == 0:
		return "has no value", ""
	case n > mostCategories:
		return fmt.Sprintf("has more than %d different words", mostCategories), ""
	case chosen:
		return "", ""
	case n > 0 && p.numbers == 0 && p.dates:
		return "has dates", category
	case n == p.rows && n >= leastIDs:
		return "has another word in every row, like an id", category
	case p.numbers == p.rows && p.whole && (idName.MatchString(name) || p.steps && p.rows >= leastIDs):
		return "looks like an id", ", or name it in --columns"
	}
	return "", ""
}

// isDate reports whether a word is a date in one of the usual forms.
func isDate(field string) bool {
	for _, form := range []string{time.DateOnly, time.DateTime, time.RFC3339, "2006/01/02", "02.01.2006", "2.1.2006", "01/02/2006", "1/2/2006", "02/01/2006", "2006-01-02T15:04:05", "2006-01-02 15:04", "02-Jan-2006", "Jan 2, 2006"} {
		if _, err := time.Parse(form, field); err == nil {
			return true
		}
	}
	return false
}

// discoverLIBSVM finds the number of features. No line states it, so this takes a pass.
func (s *Source) discoverLIBSVM(o Choice) (*Schema, error) {
	if o.Label != "" || len(o.Columns)+len(o.Drop)+len(o.Category) > 0 || o.Missing != MissingError {
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns and no missing values, so that --label, --columns, --drop, --category and --missing do not apply", s.Name)
	}
	n := s.Features
	if n == 0 {
		in, err := s.text("finding the highest feature")
		if err != nil {
			return nil, err
		}
		var x []float64
		for rows := libsvm.NewReader(in, s.Name, 0); err == nil; x, _, err = rows.Read() {
			n = max(n, len(x)) // as the reader grows its row
		}
		if err != io.EOF {
			return nil, err
		}
	}
	if n == 0 || n > mostFeatures {
		return nil, fmt.Errorf("%s: %d features, want 1 to %d", s.Name, n, mostFeatures)
	}
	schema := &Schema{Width: n + 1, Label: Column{Name: "label"}, Missing: o.Missing}
	for j, name := range numbered(n) {
		schema.Columns = append(schema.Columns, Column{Name: name, Position: j + 1})
	}
	return schema, nil
}
