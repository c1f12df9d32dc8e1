package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

// A filter passes on the lines of CSV text in a form that encoding/csv reads as this package needs it.
// That package leaves out empty lines; here a blank line has only spaces, and may be a row.
type filter struct {
	in     *bufio.Reader
	quotes bool   // quotes surround fields, which may have several lines
	spaces string // what a blank line may have
	blank  string // stands for a blank line
	runs   bool   // spaces and tabs separate fields, so that those at the end of a line mean nothing
	atOnce bool   // blank lines at the end are passed on too, so that no line waits for the next one

	open bool // the last line ended inside quotes
	part bool // the last piece did not end its line, because that is longer than the buffer
	out  []byte
	rest []byte // of out, what is not returned yet
	held []byte // blank lines after the last other line
	err  error
}

// notBlank stands for a blank line that is answered, in a table of several columns. No text has it.
const notBlank = "\x1f"

func (f *filter) Read(p []byte) (int, error) {
	for len(f.rest) == 0 && f.err == nil {
		f.fill()
	}
	n := copy(p, f.rest)
	if f.rest = f.rest[n:]; n == 0 && len(p) > 0 {
		return 0, f.err
	}
	return n, nil
}

// fill passes on all whole lines that have arrived. It waits only if there is none.
func (f *filter) fill() {
	lines, end := []byte(nil), 0
	for end == 0 && f.err == nil && len(lines) < f.in.Size() {
		_, f.err = f.in.Peek(len(lines) + 1)
		lines, _ = f.in.Peek(f.in.Buffered())
		end = bytes.LastIndexByte(lines, '\n') + 1
	}
	if end > 0 {
		lines, f.err = lines[:end], nil
	}
	_, _ = f.in.Discard(len(lines)) // cannot fail: they are in the buffer
	if f.plain(lines) {
		f.rest, f.part = lines, end == 0 && f.err == nil
		return
	}
	f.out = f.out[:0]
	for line := range bytes.Lines(lines) {
		f.add(line)
	}
	f.rest = f.out
}

// plain reports whether lines can be passed on as they are, and at once: none begins with a space, and none has a quote.
func (f *filter) plain(lines []byte) bool {
	if f.part || f.open || f.runs || len(f.held) > 0 || bytes.IndexByte(lines, '"') >= 0 {
		return false
	}
	for len(lines) > 0 && lines[0] > ' ' {
		i := bytes.IndexByte(lines, '\n')
		if i < 0 {
			return true
		}
		lines = lines[i+1:]
	}
	return len(lines) == 0
}

// add passes on a line, or a piece of a long one.
func (f *filter) add(line []byte) {
	begins := !f.part && !f.open
	f.part = line[len(line)-1] != '\n' && f.err == nil
	if begins && !f.part && line[0] <= ' ' && len(bytes.Trim(line, f.spaces)) == 0 {
		f.held = append(append(f.held, f.blank...), '\n')
		if f.atOnce {
			f.out, f.held = append(f.out, f.held...), f.held[:0]
		}
		return
	}
	if f.runs {
		line = f.spaced(line)
	}
	if f.quotes && bytes.Count(line, []byte{'"'})%2 != 0 {
		f.open = !f.open
	}
	f.out, f.held = append(append(f.out, f.held...), line...), f.held[:0]
}

// spaced replaces tabs outside quotes by spaces, and drops spaces at the end. So each field stays in its place.
func (f *filter) spaced(line []byte) []byte {
	open := f.open
	for i, c := range line {
		if c == '"' {
			open = !open
		} else if c == '\t' && !open {
			line[i] = ' '
		}
	}
	if open || f.part {
		return line
	}
	return append(bytes.TrimRight(line, " \r\n"), '\n')
}

// A replaced has another byte instead of one.
type replaced struct {
	io.Reader
	from, to byte
}

func (r replaced) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, b := range p[:n] {
		if b == r.from {
			p[i] = r.to
		}
	}
	return n, err
}

// mostTitles is the number of lines in which a table may begin after a title.
const mostTitles = 10

// join leaves out the empty fields between spaces that follow each other. A field in quotes is not left out, though
// it may be empty: the next field does not begin right after it.
func (l *lines) join() {
	l.places = l.places[:0]
	for i, field := range l.fields {
		if i+1 < len(l.fields) && field == "" {
			_, column := l.csv.FieldPos(i)
			if _, next := l.csv.FieldPos(i + 1); next == column+1 {
				continue
			}
		}
		l.fields[len(l.places)] = field
		l.places = append(l.places, i)
	}
	l.fields = l.fields[:len(l.places)]
}

// position returns the line and column of field i, or of the last field if i is too large.
func (l *lines) position(i int) (line, column int) {
	if i = min(i, len(l.fields)-1) + l.skip; l.csv.Comma == ' ' {
		i = l.places[i]
	}
	return l.csv.FieldPos(i)
}

// opening reads the first line that is not blank. It returns the number of blank lines before it, if
// they need answers. In a table of one column they are rows as any other.
func (s *Source) opening(schema *Schema, o RowOptions) (l *lines, blank int, err error) {
	_, size := s.bytes()
	one := o.Blank && len(schema.Columns) == 1 && s.Header != "yes"
	s.answers, s.single = o.Blank, one && size == 0
	for l, err = s.lines(o.Purpose); err == nil && !s.single && o.Blank && (l.blank || slices.Equal(l.fields, []string{""})); err = l.next() {
		blank++
	}
	if one && blank > 0 && (err == io.EOF || err == nil && l.width == 1 && !schema.recognises(l.fields)) {
		s.single, blank = true, 0
		l, err = s.lines(o.Purpose)
	}
	if err == io.EOF {
		err = fmt.Errorf("%s: no rows", s.Name)
	}
	return l, blank, err
}
