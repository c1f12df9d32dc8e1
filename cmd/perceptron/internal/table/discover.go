package table

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"perceptron/internal/libsvm"
)

// Choice says which columns of a new file to use. The tags are those of the flags.
type Choice struct {
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."` // and the label
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`
	Missing  string   `enum:",error,mean,drop" default:"" placeholder:"error" help:"Missing values: error, mean, or drop the row."` // "" means MissingError
}

// Discover reads the file once and returns its Schema.
func Discover(s *Source, o Choice) (*Schema, error) {
	if o.Missing == "" {
		o.Missing = MissingError
	}
	if s.Format == "libsvm" {
		return s.discoverLIBSVM(o)
	}
	in, err := s.text("reading the columns")
	if err != nil {
		return nil, err
	}
	l, sample, err := s.newLines(in)
	if err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	schema, err := o.choose(s, l.fields, sample)
	if err == nil {
		err = s.survey(schema, l, o)
	}
	return schema, err
}

// choose selects the columns by name. A name in a flag shows that the first line has
// names, and so may the sample of rows.
func (o Choice) choose(s *Source, first []string, sample [][]string) (*Schema, error) {
	wanted := slices.Concat(o.Columns, o.Drop, o.Category)
	if o.Label != "" {
		wanted = append(wanted, o.Label)
	}
	inFirst := func(name string) bool { return slices.Contains(first, name) }
	header := s.Header == "yes" || s.auto() && (slices.ContainsFunc(wanted, inFirst) || isHeader(sample))
	names := numbered(len(first))
	if header {
		names = named(first)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, s.first("%w", noColumn(name, names))
		}
	}
	o.Label = cmp.Or(o.Label, names[len(names)-1])
	schema := &Schema{Named: header, Width: len(names), Label: Column{Name: o.Label, Position: slices.Index(names, o.Label)}, Missing: o.Missing}
	for j, name := range names {
		if j != schema.Label.Position && (o.Columns == nil || slices.Contains(o.Columns, name)) && !slices.Contains(o.Drop, name) {
			schema.Columns = append(schema.Columns, Column{Name: name, Position: j})
		}
	}
	if len(schema.Columns) == 0 {
		return nil, s.first("%s separated by %q, want a label and at least one feature; --comma sets the separator", Counted(len(names), "column"), s.Comma)
	}
	return schema, nil
}

// mostCategories limits the features that one column can become.
const mostCategories = 1000

// A profile describes the fields of one column. It shows whether they are numbers or
// words, and whether they can help a model at all.
type profile struct {
	rows, numbers, words int
	first                error           // at the first word
	values               map[string]bool // the words, or all fields of a category
	dates                bool            // all words are dates
	whole, steps         bool            // all numbers are whole; each is one more than the last
	last                 float64
}

// survey reads the file, the first line of which l has read, to find out which columns
// have words, and which words. It tells what the reader has detected.
func (s *Source) survey(schema *Schema, l *lines, o Choice) error {
	profiles := make([]profile, len(schema.Columns))
	for j := range profiles {
		profiles[j] = profile{values: map[string]bool{}, dates: true, whole: true, steps: true}
	}
	var err error
	if schema.Named {
		err = l.open() // the first row
	}
	for ; err == nil; err = l.next() {
		for j, c := range schema.Columns {
			profiles[j].add(l, c, slices.Contains(o.Category, c.Name))
		}
	}
	if err != io.EOF {
		return err
	}
	for j := range schema.Columns {
		c, p := &schema.Columns[j], &profiles[j]
		if err := p.accept(c.Name, slices.Contains(slices.Concat(o.Columns, o.Category), c.Name)); err != nil {
			return s.first("%w", err)
		}
		if p.numbers > 0 && p.words > 0 {
			return fmt.Errorf("%w; --drop %q leaves the column out, --category %q reads all values as words", p.first, c.Name, c.Name)
		}
		c.Categories = slices.Sorted(maps.Keys(p.values))
	}
	marks := ""
	if l.mark == ',' {
		marks = "; numbers have decimal commas"
	}
	s.tell("%s: %s (--header decides); the label is column %q%s", s.Name, s.took(schema.Named), schema.Label.Name, marks)
	if err := schema.Check(); err != nil {
		return s.first("%w", err)
	}
	return nil
}

// add adds the field of the current line.
func (p *profile) add(l *lines, c Column, category bool) {
	field := l.fields[c.Position]
	if missing(field) {
		return
	}
	p.rows++
	if !category {
		if v, ok := l.mark.number(field); ok {
			p.whole = p.whole && v == math.Trunc(v)
			p.steps = p.steps && (p.numbers == 0 || v == p.last+1)
			p.last = v
			p.numbers++
			return
		}
	}
	if p.words++; p.words == 1 {
		p.first = l.bad(c.Position, "%w", l.mark.want(c.Name, field))
	}
	p.dates = p.dates && isDate(field)
	if len(p.values) <= mostCategories && !p.values[field] {
		p.values[strings.Clone(field)] = true // the field is a part of the line
	}
}

// A model that learns ids by heart predicts nothing. The reader refuses columns that look
// like ids, rather than leave them out silently, because it may be wrong.
//
// leastIDs is the number of rows from which numbers in steps of 1 look like ids.
const leastIDs = 10

var idName = regexp.MustCompile(`(?i)^(id|.*[ _-]id|index|unnamed.*|row|row[ _]?(number|id))$`)

// accept returns an error for a column that cannot help a model. A column that the user
// chose by name is accepted if possible.
func (p *profile) accept(name string, chosen bool) error {
	const category = ", or name it in --category to use its words"
	what, keep := "", ""
	switch n := len(p.values); {
	case p.rows == 0:
		what = "has no value"
	case n > mostCategories:
		what = fmt.Sprintf("has more than %d different words", mostCategories)
	case chosen:
		return nil
	case n > 0 && p.numbers == 0 && p.dates:
		what, keep = "has dates", category
	case n == p.rows && n >= leastIDs:
		what, keep = "has another word in every row, like an id", category
	case p.numbers == p.rows && p.whole && (idName.MatchString(name) || p.steps && p.rows >= leastIDs):
		what, keep = "looks like an id", ", or name it in --columns"
	default:
		return nil
	}
	return fmt.Errorf("column %q %s: leave it out with --drop %q%s", name, what, name, keep)
}

// isDate reports whether a word is a date in one of the usual forms. As a category, a date
// would never occur again; as a number, it would have no useful scale.
func isDate(field string) bool {
	for _, form := range []string{time.DateOnly, time.DateTime, time.RFC3339, "2006/01/02", "02.01.2006", "2.1.2006", "01/02/2006", "1/2/2006", "02/01/2006", "2006-01-02T15:04:05", "2006-01-02 15:04", "02-Jan-2006", "Jan 2, 2006"} {
		if _, err := time.Parse(form, field); err == nil {
			return true
		}
	}
	return false
}

// discoverLIBSVM names the columns x1, x2, … as those of a CSV file without a header, so
// that a model of one can predict rows of the other. It finds the number of features. No line states it, so this takes a pass.
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
	if n < 1 || n > mostFeatures {
		return nil, fmt.Errorf("%s: %d features, want 1 to %d", s.Name, n, mostFeatures)
	}
	schema := &Schema{Width: n + 1, Label: Column{Name: "label"}, Missing: o.Missing}
	for j, name := range numbered(n) {
		schema.Columns = append(schema.Columns, Column{Name: name, Position: j + 1})
	}
	return schema, nil
}

// named returns the names of the columns by the first line. A column without a name,
// such as the index that pandas writes, gets one.
func named(first []string) []string {
	names := slices.Clone(first)
	for j, name := range names {
		if name == "" {
			names[j] = "unnamed " + strconv.Itoa(j+1)
		}
	}
	return names
}

// numbered returns the names of n columns without a header.
func numbered(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = "x" + strconv.Itoa(j+1)
	}
	return names
}

// isHeader reports whether the first row has names:
//
//   - a word stands over numbers, or
//   - the names are unique, no word recurs below it, and the numbers are whole and do
//     not recur either, or count the columns, as pandas names them.
func isHeader(rows [][]string) bool {
	if len(rows) == 0 {
		return false
	}
	first := rows[0]
	words, like, whole, same := 0, false, true, false
	for j, name := range first {
		var numbers, others int
		numbers, others, same = below(rows, j)
		switch {
		case name == "": // pandas writes the index of the rows without a name
		case isNumber(name):
			_, err := strconv.ParseUint(name, 10, 64)
			whole = whole && err == nil && !same
		case missing(name):
			like = true
		case numbers > 0 && others == 0:
			return true
		default:
			words++
			like = like || same
		}
		like = like || slices.Index(first, name) < j
	}
	switch {
	case like || len(rows) == 1 && words < len(first):
		return false
	case words > 0:
		return whole || counting(first)
	}
	return counting(first) && (len(first) > 4 || !same)
}

// below counts the numbers and the words under a name, and reports whether one of them
// equals it.
func below(rows [][]string, j int) (numbers, words int, same bool) {
	for _, row := range rows[1:] {
		switch field := row[j]; {
		case missing(field):
		case isNumber(field):
			numbers++
		default:
			words++
		}
		same = same || row[j] == rows[0][j]
	}
	return numbers, words, same
}

// counting reports whether at least two numbers among the names count the columns, from
// 0 or 1. A name that is no number, such as that of a label, has its place too.
func counting(names []string) bool {
	numbers, from0, from1 := 0, 0, 0
	for j, name := range names {
		switch {
		case name == strconv.Itoa(j):
			from0++
		case name == strconv.Itoa(j+1):
			from1++
		}
		if isNumber(name) {
			numbers++
		}
	}
	return numbers > 1 && max(from0, from1) == numbers
}
