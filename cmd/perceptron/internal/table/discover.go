package table

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Choice says which columns of a training file to use. The tags define the flags. Columns are
// chosen by name, because their positions change when a program adds a column. The Schema that
// results is saved with the model, so that later commands need not repeat the flags.
type Choice struct {
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."` // the label is always used
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`                                           // the label's words are its classes
	Missing  string   `enum:",error,mean,drop" default:"" placeholder:"error" help:"Missing values: error, mean, or drop the row."` // "" means MissingError
	NA       []string `name:"na" placeholder:"TEXT" help:"This text is a missing value too."`
	Word     []string `name:"word" placeholder:"TEXT" help:"In columns of words, this missing value is a word."`
	Features int      `placeholder:"N" help:"Features of LIBSVM; by default the highest."`
	Group    string   `kong:"-"` // is no feature; the rows have it as their ID
	Hashing  `kong:"-"`
}

// Hashing says which columns are text, and how to hash them. Only training has these flags: a proof
// or a picture would show nothing useful about hashed words.
type Hashing struct {
	Text   []string `placeholder:"NAME" help:"These columns are text: hash their words."`
	Ngrams []int    `default:"1,2" placeholder:"1,2" help:"Hash this many words at once."`
	Hash   int      `default:"18" placeholder:"18" help:"Hash to two to this power features."`
}

// Check returns an error if there are columns of text, and Ngrams or Hash is out of range.
func (h Hashing) Check() error {
	if len(h.Text) == 0 || (&Hash{Ngrams: h.Ngrams, Bits: h.Hash}).valid() {
		return nil
	}
	return fmt.Errorf("--ngrams is %v, --hash %d: want ascending numbers from 1 to %d, and 1 to %d", h.Ngrams, h.Hash, mostWords, mostBits)
}

// mostDense is the number of features up to which the rows of a CSV file are always dense.
const mostDense = 1000

// Discover reads the file and returns its Schema. For a CSV file, it first reads up to 100 lines,
// which show whether the first line has names. Then it makes a pass over the whole file to find
// out which columns have numbers and which have words.
func Discover(s *Source, o Choice) (*Schema, error) {
	o.Missing = cmp.Or(o.Missing, MissingError)
	if s.Format == "libsvm" {
		return s.discoverLIBSVM(o, false)
	}
	if o.Features != 0 {
		return nil, fmt.Errorf("%s: --features applies to LIBSVM files only; the columns of a CSV file set the number", s.Name)
	}
	if characters[s.Comma] == nothing {
		return nil, fmt.Errorf("%s: %s", s.Name, oneField)
	}
	s.na, s.schema, s.spaced, s.empty, s.Warnings, s.ahead = o.NA, nil, false, nil, nil, true
	rows, err := s.sample()
	if (s.alone || s.comma == '\t' && err != nil) && characters[s.Comma] == 0 {
		comma, skips := s.comma, s.skips
		s.spaced = true
		more, also := s.sample()
		if s.spaced = also == nil && len(more) > 1 && len(more[0]) > 1; s.spaced {
			rows, err = more, nil
			s.Tell(s.Name + ": spaces separate the fields: each line has as many of them (--comma decides)")
		} else {
			s.comma, s.skips = comma, skips
		}
	}
	var schema *Schema
	if err == nil {
		if schema, err = o.choose(s, rows); err != nil {
			err = s.first(err)
		} else {
			err = s.survey(schema, o)
		}
	}
	if s.bare(err) {
		return Discover(s, o)
	}
	if err != nil && strings.Contains(err.Error(), " separated by ") {
		err = fmt.Errorf("%w%s", err, s.wrapped())
	}
	if err != nil && s.title && !strings.Contains(err.Error(), "tail -n") {
		err = fmt.Errorf("%w; tail -n +2 removes the first line, if it is a title", err)
	}
	return schema, s.explain(err)
}

// bare reports whether an error says that quotes between tabs are characters as any other. Then later passes
// take them so.
func (s *Source) bare(err error) bool {
	if s.comma != '\t' || s.unquoted || !errors.Is(err, csv.ErrBareQuote) && !errors.Is(err, csv.ErrQuote) {
		return false
	}
	s.unquoted = true
	s.Tell(s.Name + ": a quote is a character as any other, because the fields do not parse with quotes")
	return true
}

// wrapped returns the advice to join lines, if their numbers of fields show that each row has several, or "".
func (s *Source) wrapped() string {
	in, err := s.text("")
	var counts []int
	for line := ""; err == nil && len(counts) < 100; {
		line, err = in.ReadString('\n')
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == s.comma || unicode.IsSpace(r) })
		if counts == nil && len(fields) > 0 && !slices.ContainsFunc(fields, isNumber) {
			return "" // the lines below names are rows
		} else if len(fields) > 0 {
			counts = append(counts, len(fields))
		}
	}
	for n := 2; 3*n <= len(counts) && slices.Min(counts) < slices.Max(counts); n++ {
		if slices.Equal(counts[n:], counts[:len(counts)-n]) {
			return fmt.Sprintf("; if each row has %d lines, paste -d ' '%s joins them", n, strings.Repeat(" -", n))
		}
	}
	return ""
}

// sample returns the first lines of the file, split into fields.
func (s *Source) sample() (rows [][]string, err error) {
	const most = 100
	l, err := s.lines("")
	if err == nil {
		l.named = s.Header != "no"
	}
	for ; err == nil && len(rows) < most; err = l.next() {
		rows = append(rows, slices.Clone(l.fields))
		s.skips = l.skip == 1
	}
	if err == io.EOF {
		err = nil
	}
	return rows, err
}

// choose selects the columns by name. --header says whether the first line has names. If it is auto,
// the line has names if it contains a name that is in a flag, or if isHeader finds names.
func (o Choice) choose(s *Source, rows [][]string) (*Schema, error) {
	if o.Group != "" {
		o.Drop = append(slices.Clip(o.Drop), o.Group)
	}
	flags := slices.Concat(o.Columns, o.Drop, o.Category, o.Text, []string{o.Label})
	inFirst := func(name string) bool { return name != "" && slices.Contains(rows[0], name) }
	// A name in a flag is better evidence than isHeader, which cannot be certain if all columns
	// have words.
	header := s.Header == "yes" || s.Header == "auto" && (slices.ContainsFunc(flags, inFirst) || isHeader(rows))
	names := named(rows[0], header)
	f := newFinder(names)
	for _, name := range flags {
		// Columns that --drop leaves out may share a name.
		if name != "" && !(slices.Contains(o.Drop, name) && slices.Contains(names, name)) {
			f.find(name)
		}
	}
	// Columns without a name and without a value come from separators at the end of lines.
	empty := func(j int) bool {
		return !slices.Contains(flags, names[j]) && !slices.ContainsFunc(rows, func(row []string) bool { return row[j] != "" })
	}
	last := len(names) - 1
	for last > 0 && empty(last) {
		last--
	}
	for j := range names {
		if empty(j) {
			s.empty = append(s.empty, j)
		}
	}
	if len(s.empty) > 0 {
		s.Tell(fmt.Sprintf("%s: %s without a name and without a value left out", s.Name, Counted(len(s.empty), "column")))
	}
	// Most tables for learning have the label at the end. A note at the end of some rows is none.
	label := last
	for label > 0 && header && rows[0][label] == "" && len(column(rows, label)) < len(rows)-1 {
		label--
	}
	if j := slices.IndexFunc(names[:label], isLabel); header && o.Label == "" && !isLabel(names[label]) && (j == 0 || j == 1 && isID(names[0])) {
		s.Likely = Flag("label", names[j])
		s.warn(names[j], 1, "the label is the last column, %q, but column %q has the name of a label: %s uses it", names[label], names[j], s.Likely)
	}
	o.Label = cmp.Or(o.Label, names[label])
	if f.err == nil && slices.Contains(o.Drop, o.Label) {
		f.err = fmt.Errorf("--drop %q is the label; --label names another", o.Label)
	}
	schema := &Schema{Named: header, Width: last + 1, Label: Column{Name: o.Label, Position: slices.Index(names, o.Label)}, Missing: o.Missing, NA: o.NA, Unquoted: s.unquoted}
	for j, name := range names {
		if j != schema.Label.Position && (o.Columns == nil || slices.Contains(o.Columns, name)) && !slices.Contains(o.Drop, name) && !slices.Contains(s.empty, j) {
			c := Column{Name: name, Position: j}
			if slices.Contains(o.Text, name) {
				c.Text = &Hash{Ngrams: o.Ngrams, Bits: o.Hash, Marks: true}
			}
			schema.Columns = append(schema.Columns, c)
		}
	}
	for _, name := range o.Text {
		if f.err == nil && !slices.ContainsFunc(schema.Columns, func(c Column) bool { return c.Name == name && !slices.Contains(o.Category, name) }) {
			f.err = fmt.Errorf("--text %q is the label, or another flag leaves it out or says what it is", name)
		}
	}
	if k := titled(rows, s.skips); f.err == nil && k > 0 {
		f.err = fmt.Errorf("row %d has words above numbers, as names are: tail -n +%d removes the rows above, if they are a title; sed %dd removes this row, if it has units or a second part of the names", k+1, k+1, k+1)
	}
	switch {
	case f.err != nil:
	case len(schema.Columns) == 0 && len(names) == 1:
		f.err = fmt.Errorf("1 column separated by %q, want a label and at least one feature%s; --comma sets the separator", s.comma, cause(rows))
	case len(schema.Columns) == 0:
		f.err = fmt.Errorf("--drop and --columns leave no feature of %s, want a label and at least one feature", Counted(len(names), "column"))
	case transposed(rows):
		f.err = errors.New("each line has the values of one column below its name: exchange lines and columns, for example with pandas' T or datamash transpose")
	}
	return schema, f.err
}

// survey reads the whole file and sets the categories and the other properties of each column. It
// reports with Tell what the reader has detected. If all features are numbers, the cache keeps
// the rows of this pass.
func (s *Source) survey(schema *Schema, o Choice) error {
	l, err := s.lines("reading the columns")
	if err == nil && schema.Named {
		l.named = true
		err = l.next()
	}
	// Each column that may become features has a profile. The label has none: the caller counts
	// the classes when it splits the rows.
	profiles, labels := make([]profile, len(schema.Columns)), map[string]int{}
	keeps, row := s.restart() && o.Group == "", Row{X: Vector{Value: make([]float64, len(schema.Columns))}}
	var repeats repetition
	var stray error // of the first row that may have swallowed others, whose labels are
	var swallowed []string
	for ; err == nil; err = l.next() {
		for _, j := range s.empty {
			if l.fields[j] != "" {
				return l.bad(j, "%q is the first value of a column without a name: name the column, or %s leaves it out", l.fields[j], Flag("drop", "unnamed "+strconv.Itoa(j+1)))
			}
		}
		label := l.fields[schema.Label.Position]
		repeated := repeats.add(l.fields, schema)
		if rows := l.swallowed(); rows != nil && stray == nil {
			stray = l.stray()
			for _, row := range rows {
				swallowed = append(swallowed, row[schema.Label.Position])
			}
		}
		if n := labels[label]; !repeated && (n > 0 || len(labels) <= mostCategories) {
			labels[strings.Clone(label)] = n + 1
		}
		for j := range schema.Columns {
			c := &schema.Columns[j]
			if !repeated {
				profiles[j].decides.add(l.fields[c.Position], label)
			}
			if c.Text != nil {
				profiles[j].hash(c.Text, l.fields[c.Position])
				keeps = false
				continue
			}
			if mark := l.fields[c.Position]; slices.Contains(o.Word, mark) && missing(mark) && !slices.Contains(profiles[j].marks, mark) {
				profiles[j].marks = append(profiles[j].marks, strings.Clone(mark))
			}
			v, number := profiles[j].add(l, c, slices.Contains(o.Category, c.Name))
			row.X.Value[j], keeps = v, keeps && number
		}
		if keeps {
			keeps = s.keep(&row, l, schema)
		}
	}
	if err != io.EOF {
		return err
	}
	if stray != nil && !slices.ContainsFunc(swallowed, func(label string) bool { return missing(label) || labels[label] == 0 }) {
		return stray
	}
	if keeps {
		s.cache.finish(s, nil)
	} else {
		s.restart() // the next pass keeps the rows
	}
	groups := make([]grouping, len(profiles))
	for j, p := range profiles {
		groups[j] = p.groups
	}
	warning, all := s.thousands(schema.Columns, groups, l.mark)
	s.warned = true
	if all {
		return fmt.Errorf("%s: %s", s.Name, warning)
	} else if warning != "" {
		s.warn("", 0, "%s", warning)
	}
	var parts, classes []string // columns that are one class of many
	// Errors are returned before settle reports the header: that report would only distract.
	for j, p := range profiles {
		c := &schema.Columns[j]
		if p.word == nil {
			p.words = nil // the column has numbers only
		}
		if p.rows == 0 && c.Text == nil && repeats.all > 0 {
			return s.first(fmt.Errorf("column %q has no value: %s leaves it out", c.Name, Flag("drop", c.Name)))
		}
		if err := p.mixed(c.Name, l.mark); err != nil && !slices.Contains(o.Category, c.Name) {
			return err
		}
		chosen := slices.Contains(o.Columns, c.Name) || slices.Contains(o.Category, c.Name)
		if err := p.accept(c.Name, chosen, len(schema.Columns) == 1); err != nil {
			return s.first(err)
		}
		for _, mark := range p.marks {
			if p.word != nil {
				p.words[mark] = kind{}
			}
		}
		if p.word != nil && !chosen && isID(c.Name) {
			s.warn(c.Name, 0, "column %q is used, though its name says that it is an id: if new rows have new ids, %s leaves it out", c.Name, Flag("drop", c.Name))
		}
		if p.zero != "" && p.word == nil {
			s.warn(c.Name, p.zeroLine, "column %q has numbers such as %q: if they are codes, %s reads them as words", c.Name, p.zero, Flag("category", c.Name))
		}
		if far := p.sentinel(); far.rows > 0 && p.word == nil {
			s.warn(c.Name, far.line, "column %q has %s in %d of %d rows, far from all others: if it means that the value is missing, --na=%s and --missing mean read it so", c.Name, far.field, far.rows, p.rows, pointed(far.field)) // a comma would separate two names
		}
		if c.Categories, c.Values = slices.Sorted(maps.Keys(p.words)), p.values(); c.Number() && p.numbers > 0 {
			c.Range = []float64{0 - p.ends[0].at, p.ends[1].at}
		}
		if warning := p.decides.warning(c.Name, p.word == nil); warning != "" && (c.Text == nil || p.decides.few()) {
			s.warn(c.Name, 0, "%s", warning)
		} else if p.decides.class != "" {
			parts, classes = append(parts, c.Name), append(classes, p.decides.class)
		}
	}
	if parts != nil {
		s.warn(parts[0], 0, "of the two values of column %s, one is the class %s. If the columns are not known before the label, --drop leaves them out", Short(parts), Short(classes))
	}
	if warning := repeats.warning(); warning != "" {
		s.warn("", 0, "%s", warning)
	}
	if len(l.unused) > 0 {
		s.warn("", 0, "%s", "no field is what --na names: "+Short(l.unused))
	}
	// Such a row has many more features than columns, so most features belong to words or text,
	// and are 0.
	schema.Sparse = schema.Features() > max(mostDense, 2*len(schema.Columns))
	for j, c := range schema.Columns {
		if c.Text != nil {
			c.Text.Seen = profiles[j].seen()
		}
	}
	marks := map[decimal]string{',': "; numbers have decimal commas"}[l.mark] + map[int]string{1: "; it names no column for the names of the rows, as in R"}[l.skip]
	s.settle(schema.Named, fmt.Sprintf(" (--header decides); the label is column %q%s", schema.Label.Name, marks))
	if l.tie != 0 && characters[s.Comma] == 0 {
		s.warn("", 1, "the first line has %q and %q equally often; the fields are separated by %q, unless --comma sets another", s.comma, l.tie, s.comma)
	}
	if len(labels) == 1 && missing(slices.Collect(maps.Keys(labels))[0]) {
		return s.first(fmt.Errorf("column %q, the label, has no value: --label names another", schema.Label.Name))
	}
	if err := schema.Check(); err != nil {
		return s.first(err)
	}
	return nil
}

// mostCategories limits the features that one column can become. A column with more words
// is text or an id.
const mostCategories = 1000

// mostValues limits Column.Values. If a column has at most mostValues different whole numbers, the
// report says that they may be codes. They stay numbers, because most such columns are counts,
// grades or years, which have an order.
const mostValues = 10
