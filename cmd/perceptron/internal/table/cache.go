package table

import (
	"bufio"
	"cmp"
	"encoding/gob"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
)

// A cache keeps the parsed rows of one complete pass. Later passes read these rows from memory or
// from a binary file, because parsing takes most of the time of a pass. If all features are numbers,
// the cache keeps the rows of Discover's pass. Otherwise it keeps those of the next pass, because
// the features of words are known only after Discover. If that pass ends early, nothing is kept.
// All passes of a Source with a cache must have the same Schema and options.
type cache struct {
	folder  string            // where the file is created
	most    int               // limit of the bytes in memory
	size    int               // bytes of the rows so far
	rows    [][]kept          // in blocks, because a slice that grows is copied again and again
	classes map[string]string // so that equal classes share their memory
	file    *os.File          // has all rows if they take more bytes than most; else nil
	out     *bufio.Writer     // writes to file
	to      *gob.Encoder      // writes to out
	done    bool              // a complete pass has kept all rows
	failed  error             // why rows cannot be kept, or nil
}

// A kept has the fields of a Row that differ from row to row.
type kept struct {
	X            Vector
	Class, ID    string
	Missing      bool
	Line, Column int
	Unseen       []string
}

// Keep makes the next pass over the rows keep them in memory. If they take more than the given
// number of bytes, they are kept in a temporary file in the folder instead. The name of the file is
// removed at once, so that no file is left however the program ends. If the pass ends early,
// nothing is kept.
func (s *Source) Keep(folder string, bytes int) {
	s.forget()
	s.cache = &cache{folder: folder, most: bytes, classes: map[string]string{}}
}

// restart drops the rows that were kept, and reports whether the next pass keeps them.
func (s *Source) restart() bool {
	if s.cache == nil {
		return false
	}
	s.Keep(s.cache.folder, s.cache.most)
	return true
}

// keep adds the row r of a CSV file to the cache, with the label of the current line. It returns
// false if [Source.Rows] would reject the row, or if the cache fails.
func (s *Source) keep(r *Row, l *lines, schema *Schema) bool {
	at := schema.Label.Position
	if r.Class = l.fields[at]; missing(r.Class) {
		r.Class = ""
	}
	r.Missing = slices.ContainsFunc(r.X.Value, math.IsNaN)
	if (r.Missing || r.Class == "") && schema.Missing == MissingError {
		return false
	}
	r.Line, r.column = l.position(at)
	s.cache.failed = s.cache.add(r)
	return s.cache.failed == nil
}

// forget drops the rows that were kept.
func (s *Source) forget() (err error) {
	if s.cache != nil && s.cache.file != nil {
		err = s.cache.file.Close()
	}
	s.cache = nil
	return err
}

// Kept returns the approximate number of bytes of the rows given to the cache, and reports whether
// all of them are in memory. Without a cache, it returns 0 and true.
func (s *Source) Kept() (bytes int, all bool) {
	if s.cache == nil {
		return 0, true
	}
	return s.cache.size, s.cache.file == nil && s.cache.failed == nil
}

// pass yields the kept rows, if an earlier pass has kept all of them. Otherwise it yields the
// parsed rows and keeps them.
func (c *cache) pass(s *Source, schema *Schema, parsed iter.Seq2[*Row, error]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if c.done {
			c.each(s.Name, schema, yield)
			return
		}
		before := c.failed
		for r, err := range parsed {
			if err == nil && c.failed == nil {
				c.failed = c.add(r)
			}
			if !yield(r, err) || err != nil {
				c.failed = errEarly
				return
			}
		}
		c.finish(s, before)
	}
}

// finish ends a complete pass. before is the value of c.failed before the pass: finish reports a
// failure with Tell only if the failure is new.
func (c *cache) finish(s *Source, before error) {
	if c.file != nil && c.failed == nil {
		c.failed = c.out.Flush()
	}
	if c.done = c.failed == nil; c.failed != before {
		s.Tell("each epoch reads the file again, because the rows cannot be stored: " + c.failed.Error())
	}
}

var errEarly = errors.New("the first pass ended early")

// add adds a copy of a row to the cache.
func (c *cache) add(r *Row) error {
	for _, name := range []string{r.Class, r.ID} {
		if _, ok := c.classes[name]; !ok {
			name = strings.Clone(name) // without the clone, the cache would keep the whole line
			c.classes[name] = name
		}
	}
	k := kept{r.X, c.classes[r.Class], c.classes[r.ID], r.Missing, r.Line, r.column, r.Unseen}
	if c.size += 192 + 8*len(k.X.Value) + 4*len(k.X.Index); c.size <= c.most {
		k.X, k.Unseen = Vector{slices.Clone(k.X.Index), slices.Clone(k.X.Value)}, slices.Clone(k.Unseen)
		if n := len(c.rows); n == 0 || len(c.rows[n-1]) == cap(c.rows[n-1]) {
			c.rows = append(c.rows, make([]kept, 0, 16<<min(n, 8)))
		}
		block := &c.rows[len(c.rows)-1]
		*block = append(*block, k)
		return nil
	}
	if c.file == nil {
		var err error
		if c.file, err = os.CreateTemp(c.folder, ".perceptron-*.tmp"); err != nil {
			c.rows = nil
			return err
		}
		// Without the buffer, each row would need a system call, which is slower than parsing.
		c.out = bufio.NewWriterSize(c.file, 1<<16)
		c.to = gob.NewEncoder(c.out)
		err = os.Remove(c.file.Name())
		for k := range c.inMemory() {
			err = cmp.Or(err, c.to.Encode(*k))
		}
		if c.rows = nil; err != nil {
			return err
		}
	}
	return c.to.Encode(k)
}

// inMemory yields the rows in memory.
func (c *cache) inMemory() iter.Seq[*kept] {
	return func(yield func(*kept) bool) {
		for _, block := range c.rows {
			for i := range block {
				if !yield(&block[i]) {
					return
				}
			}
		}
	}
}

// each yields a copy of each kept row, dense or sparse as the Schema says. The copy protects the
// kept rows, because the caller may change the Row.
func (c *cache) each(name string, schema *Schema, yield func(*Row, error) bool) {
	r := &Row{file: name}
	give := func(k *kept) bool {
		if schema.Sparse || k.X.Dense() {
			r.X = Vector{append(r.X.Index[:0], k.X.Index...), append(r.X.Value[:0], k.X.Value...)}
		} else { // discoverLIBSVM keeps all rows sparse, before it knows whether the Schema is
			r.X.Value = slices.Grow(r.X.Value[:0], schema.Features())[:schema.Features()]
			k.X.fill(r.X.Value)
		}
		r.Class, r.ID, r.Missing, r.Line, r.column, r.Unseen = k.Class, k.ID, k.Missing, k.Line, k.Column, k.Unseen
		return yield(r, nil)
	}
	for k := range c.inMemory() {
		if !give(k) {
			return
		}
	}
	if c.file == nil {
		return
	}
	// Each pass has its own position in the file, so that two passes can overlap.
	in := gob.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(c.file, 0, math.MaxInt64), 1<<18))
	var k kept
	for {
		// gob omits fields that are zero or empty, so those of the row before must be cleared.
		k = kept{X: Vector{k.X.Index[:0], k.X.Value[:0]}}
		if err := in.Decode(&k); err == io.EOF {
			return
		} else if err != nil {
			yield(nil, err)
			return
		}
		if !give(&k) {
			return
		}
	}
}
