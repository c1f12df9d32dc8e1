// Package table reads labelled rows of numbers and words from a file: CSV in most of
// its forms, or LIBSVM's format. Every command uses it, so what one command
// understands, all do.
//
// A [Source] is a file. [Discover] reads it once and returns a [Schema]: which columns
// are the label and the features, and which words each column of words has. With the
// Schema, [Source.Rows] returns the rows as vectors, now or in another program.
//
// Nothing is guessed twice. Discover decides whether the first line has names and what each
// column means, and passes what it detected to [Source.Tell]. Later passes and other programs
// follow the Schema.
//
// The reader rejects what looks wrong and states its position. Where a flag can accept it, the
// message names that flag. Otherwise a table could be read in a way that its owner does not
// expect, and the model would look right.
package table

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"

	"perceptron/internal/libsvm"
)

// StandardInput is the file name that means standard input.
const StandardInput = "-"

// Error is an error at a position in a file.
type Error = libsvm.Error

// Options say how to read a file. The tags are those of the flags. The zero value detects
// everything. They belong to a file and not to a model: rows to predict may have another separator
// or decimal mark than those of training.
type Options struct {
	Format  string `enum:",csv,libsvm" default:"" placeholder:"NAME" help:"csv or libsvm; by default, .svm is LIBSVM."`
	Header  string `enum:"auto,yes,no" default:"auto" placeholder:"auto" help:"The first line has names: yes, no or auto."`
	Comma   string `enum:"auto,comma,semicolon,tab,bar,space,caret,tilde,none" default:"auto" placeholder:"auto" help:"comma semicolon tab bar space caret tilde none"`
	Decimal string `enum:"auto,point,comma" default:"auto" placeholder:"auto" help:"Decimal mark: point, comma or auto."`
}

// characters maps the values of Comma and Decimal to characters. A value that is not in the
// map, such as auto, lets the reader detect the character.
var characters = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "bar": '|', "space": ' ', "caret": '^', "tilde": '~', "none": nothing, "point": '.'}

// nothing separates fields of lines that are one field each. It is no character, so no text has it.
const (
	nothing  = '\uffff'
	oneField = "with --comma none each line is one field, which leaves none for a label or a second feature"
)

// A Remark says what looks odd in a file.
type Remark struct {
	Column string // or ""
	Line   int    // or 0
	Text   string
}

func (r Remark) String() string { return r.Text }

// MarshalText and UnmarshalText make the text the JSON of a Remark.
func (r Remark) MarshalText() ([]byte, error) { return []byte(r.Text), nil }

func (r *Remark) UnmarshalText(text []byte) error {
	r.Text = string(text)
	return nil
}

// A Source is a file of rows. The first pass over the rows stores in Options whether the
// first line has names, so that all passes agree.
type Source struct {
	Name string // as the user wrote it
	Options

	// Watch wraps the reader of a pass over size bytes to show the progress. A size of 0 means
	// that the size is not known.
	Watch func(r io.Reader, size int64, purpose string) io.Reader

	// Tell receives messages about what the reader detected in the file.
	Tell func(what string)

	// Warnings describe what looked odd to Discover, but was not an error. Likely is the flag of a column that may be
	// the label instead of the last one, or "".
	Warnings []Remark
	Likely   string

	file   *os.File // stays open, so that all passes see one file
	ours   bool     // Close closes the file
	comma  rune     // that separated the fields in the last pass
	skips  bool     // each line has a name of the row, and a remark says so
	warned bool     // a pass has warned that marks may separate thousands
	title  bool     // the first line has another separator than the lines below
	alone  bool     // the first line of the last pass has no separator other than spaces
	na     []string // further names of missing values

	answers  bool    // each line is a row, and blank ones too
	single   bool    // a blank first line is a row: the source is a stream of one column
	empty    []int   // columns that are left out, because they have no name and no value
	spaced   bool    // spaces and tabs separate fields, though --comma does not say it
	schema   *Schema // of the training file, if rows are read with it
	unquoted bool    // between tabs, a quote is data
	ahead    bool    // such quotes were looked for
	cache    *cache  // nil if every pass parses the file
}

// Open opens a file. Again says that the file will be read more than once. Then Open copies a
// pipe to a temporary file. Prediction reads its rows once, so it can read a pipe that never ends.
func Open(name string, o Options, again bool) (*Source, error) {
	file := os.Stdin
	if name != StandardInput {
		var err error
		if file, err = os.Open(name); err != nil {
			return nil, err
		}
	}
	s := newSource(name, o)
	s.file, s.ours = file, true
	if _, size := s.bytes(); !again || size > 0 {
		return s, nil
	}
	defer file.Close()
	return From(file, file, name, o)
}

// From returns a Source that reads a table again and again. If in is a file at its beginning, Close does not close it.
// Anything else is copied to a temporary file, as copy reads it.
func From(in, copy io.Reader, name string, o Options) (*Source, error) {
	s := newSource(name, o)
	if file, ok := in.(*os.File); ok {
		at, err := file.Seek(0, io.SeekCurrent)
		s.file = file
		if _, size := s.bytes(); err == nil && at == 0 && size > 0 {
			return s, nil
		}
	}
	if err := s.spool(copy); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// newSource returns a Source without its file.
func newSource(name string, o Options) *Source {
	o.Header = cmp.Or(o.Header, "auto")
	s := &Source{Name: name, Options: o, Tell: func(string) {}}
	s.Watch = func(r io.Reader, _ int64, _ string) io.Reader { return r }
	if plain := strings.TrimSuffix(name, ".gz"); s.Format == "" && (strings.HasSuffix(plain, ".svm") || strings.HasSuffix(plain, ".libsvm")) {
		s.Format = "libsvm"
	}
	return s
}

// Close closes the file and drops the rows that the cache keeps.
func (s *Source) Close() error {
	var err error
	if s.ours {
		err = s.file.Close()
	}
	return errors.Join(err, s.forget())
}

// spool copies in to a temporary file. It removes the name of the copy first, so that no file is left if the program
// is killed, or in panics.
func (s *Source) spool(in io.Reader) error {
	f, err := os.CreateTemp("", ".perceptron-*.tmp")
	if err != nil {
		return err
	}
	if err = os.Remove(f.Name()); err == nil {
		// The struct hides that the source is a file. Between two files, io.Copy would let the
		// system copy, and an error would name the copy.
		_, err = io.Copy(f, struct{ io.Reader }{in})
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	s.file, s.ours = f, true
	return nil
}

// bytes begins a pass and returns the bytes and their number, or 0 if it is not known. Each pass
// over a regular file has its own position, so that no pass disturbs another.
func (s *Source) bytes() (io.Reader, int64) {
	if info, err := s.file.Stat(); err == nil && info.Mode().IsRegular() {
		return io.NewSectionReader(s.file, 0, info.Size()), info.Size()
	}
	return s.file, 0
}

// Text returns a reader of the file, with its name.
func (s *Source) Text() io.Reader {
	r, _ := s.bytes()
	return text{r, s.Name}
}

type text struct {
	io.Reader
	name string
}

// Name returns the name of the file.
func (t text) Name() string { return t.name }

// buffer is the number of bytes read at once.
const buffer = 1 << 16

// foreign lists the first bytes of files that are not text. Without it, such files would cause
// misleading messages about fields and encodings.
var foreign = []struct{ begins, what string }{
	{"PK\x03\x04", "a workbook of a spreadsheet, or a zip file: save the table as CSV"},
	{"\xd0\xcf\x11\xe0", "an old workbook of a spreadsheet: save the table as CSV"},
	{"PAR1", "a Parquet file: convert it to CSV, for example with DuckDB or pandas"},
	{"\xfd7zXZ\x00", "compressed: decompress it with xz -d"},
	{"\x28\xb5\x2f\xfd", "compressed: decompress it with zstd -d"},
	{"BZh91AY&SY", "compressed: decompress it with bzip2 -d"},
	{"\xff\xfe", utf16}, {"\xfe\xff", utf16},
}

// vw makes a table of lines of Vowpal Wabbit that have one namespace.
const vw = `sed -E 's/^([^ |]*)[^|]*\|[^ ]* */\1\t/' makes a table of tabs, the label and a text of features without values, for --label x1 --text x2`

const utf16 = "text in UTF-16: convert it with iconv -f utf16 -t utf8"

// begins is the number of bytes that show the form of a text.
const begins = 1 << 14

// forms matches the beginnings of text files that are no tables.
var forms = []struct {
	begins *regexp.Regexp
	what   string
}{
	{regexp.MustCompile(`(?i)^\s*(%.*\s+)*@relation\s`), "an ARFF file: the lines after @DATA are the table; sed '1,/^@data/Id' removes the others"},
	{regexp.MustCompile(`^\s*(\{\s*("|$)|\[\s*([\[{]|$))`), "JSON: convert it to CSV, for example with jq or pandas"},
	{regexp.MustCompile(`(?i)^\s*(<!--|<(!doctype|\?xml|html|head|body|table|meta|title|script)\b|mime-version:|from: <saved by)`), "a page in HTML or XML, perhaps instead of the file that was asked for: save the table as CSV"},
	{regexp.MustCompile(`^version https://git-lfs\S*`), "a pointer of Git LFS instead of the file: git lfs pull gets it"},
	{regexp.MustCompile(`^.*\|.*\r?\n[ |:]*-{3,}:? *[+|][-+|: ]*\r?\n`), "a table as psql prints it, or as Markdown: psql --csv writes CSV; from Markdown, sed -E '2d; s/^ *\\| *| *\\| *$//g; s/ *\\| */\\t/g' makes a table of tabs"},
	{regexp.MustCompile(`(?i)^(--.*\n|\s)*(insert\s+into|create\s+table|drop\s+table)\b`), "a dump of SQL: load it into a database, and export the table as CSV"},
	{regexp.MustCompile(`^\+(-+\+)+\r?\n\|`), "a table as mysql prints it: mysql --batch writes one of tabs"},
	{regexp.MustCompile(`(?m)\A(?:__label__\S+[ ,\t].*\n)*?__label__\S+[ ,\t]+__label__`), "fastText's format with several labels in a line: the command learns one label for each row"},
	{regexp.MustCompile(`^__label__\S+[ ,\t]`), "fastText's format: sed -E 's/^__label__([^ ,\\t]+)[ ,\\t]*/\\1\\t/' makes a table of tabs, for --label x1 --text x2"},
	{regexp.MustCompile(`\A(?:[-+]?[\d.:]+(?: [-+\w.:]+)* (?:'[^|\s]*)?)?\|(?:[A-Za-z]\w*(?::[\d.]+)?(?: [^|\s]+)+| \S*:[-+\d.][^|]*)(?: ?\|.*)?\n(?:[-+]?[\d.:]+[^|\n]*)?\|`), "Vowpal Wabbit's format: " + vw},
	{regexp.MustCompile(`^.?\x00`), "no text, or in UTF-16: then convert it with iconv -f utf16le -t utf8"},
}

// known returns an error if a file begins as files do that are no tables.
func (s *Source) known(head []byte) error {
	for _, f := range foreign {
		if strings.HasPrefix(string(head), f.begins) {
			return fmt.Errorf("%s is %s", s.Name, f.what)
		}
	}
	for _, f := range forms {
		if characters[s.Comma] == 0 && f.begins.Match(bytes.TrimPrefix(head[:min(len(head), begins)], []byte("\ufeff"))) {
			return fmt.Errorf("%s is %s", s.Name, f.what)
		}
	}
	return nil
}

// explain returns err, or what is wrong with the encoding of a file: that is the cause of most other errors.
func (s *Source) explain(err error) error {
	if _, size := s.bytes(); err == nil || size == 0 || s.Format == "libsvm" {
		return err
	}
	in, failed := s.text("")
	var first *Error
	good, broken := 0, 0 // characters of several bytes, and bytes of none
	for line := 1; failed == nil; line++ {
		var text string
		text, failed = in.ReadString('\n')
		if at, bad := foreignByte(text); bad != nil && first == nil {
			first = &Error{File: s.Name, Line: line, Column: at + 1, Err: bad}
		}
		for _, r := range strings.ToValidUTF8(text, "\x00") {
			if r == 0 {
				broken++
			} else if r > unicode.MaxASCII {
				good++
			}
		}
	}
	if first == nil {
		return err
	}
	if good > broken {
		first.Err = fmt.Errorf("%w: %d others are whole, and %d are not: iconv -c -f utf8 -t utf8 drops these", errBroken, good, broken)
	}
	return first
}

var errBroken = errors.New("a character of UTF-8 is cut or damaged")

// text begins a pass. It decompresses a file that begins with the bytes of gzip, whatever its
// name; a file whose name ends with .gz must be compressed. The purpose is shown beside the
// progress. The progress counts compressed bytes, because only their number is known.
func (s *Source) text(purpose string) (*bufio.Reader, error) {
	r, size := s.bytes()
	in := bufio.NewReaderSize(s.Watch(r, size, purpose), buffer)
	_, _ = in.Peek(1) // waits for the first bytes; more may come only after an answer to them
	head, _ := in.Peek(in.Buffered())
	if strings.HasPrefix(string(head), "\x1f\x8b") || strings.HasSuffix(s.Name, ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		in = bufio.NewReaderSize(z, buffer)
		_, _ = in.Peek(1)
		head, _ = in.Peek(in.Buffered())
	}
	if i := bytes.IndexByte(head, '\r'); i >= 0 && i < len(head)-1 && bytes.IndexByte(head, '\n') < 0 {
		in = bufio.NewReaderSize(replaced{in, '\r', '\n'}, buffer) // as old spreadsheets end lines
	}
	return in, s.known(head)
}

// SHA256 returns the checksum of the stored bytes, compressed or not. Evaluation recognises the
// training file by its checksum, and then measures only the rows that were held out.
func (s *Source) SHA256() (string, error) {
	sum := sha256.New()
	r, _ := s.bytes()
	if _, err := io.Copy(sum, r); err != nil {
		return "", fmt.Errorf("%s: %w", s.Name, err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// settle stores for all passes whether the first line has names, and reports this with Tell.
func (s *Source) settle(names bool, more string) {
	what := "is a row"
	if s.Header = "no"; names {
		what, s.Header = "has names", "yes"
	}
	s.Tell(s.Name + ": the first line " + what + more)
}

// warn adds a warning.
func (s *Source) warn(column string, line int, format string, args ...any) {
	s.Warnings = append(s.Warnings, Remark{column, line, fmt.Sprintf(format, args...)})
}

// first returns err with the position of the first line.
func (s *Source) first(err error) error {
	return &Error{File: s.Name, Line: 1, Column: 1, Err: err}
}
