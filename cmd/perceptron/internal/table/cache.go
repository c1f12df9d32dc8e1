package table

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
)

// A cache keeps the rows of the first complete pass, as they were parsed. Later passes take them
// from memory, or from a binary file: to parse a number takes most of the time of a pass. All
// passes of a Source with a cache must have the same Schema and options.
type cache struct {
	folder  string // of the file
	most    int    // bytes in memory
	size    int    // bytes of the rows so far
	rows    []kept
	classes map[string]string // so that equal classes share their memory
	file    *os.File
	out     *bufio.Writer
	to      *gob.Encoder
	done    bool
	failed  error
}

// A kept row is what a Row is made of again.
type kept struct {
	X            Vector
	Class        string
	Missing      bool
	Line, Column int
	Unseen       []string
}

// Keep makes the first complete pass over the rows keep them: in memory, or in a file in the
// folder as soon as they take more bytes. The file has no name, so that nothing stays behind
// whatever ends the program.
func (s *Source) Keep(folder string, bytes int) {
	s.cache = &cache{folder: folder, most: bytes, classes: map[string]string{}}
}

// Kept returns the bytes of the rows that are kept in memory, and whether all are.
func (s *Source) Kept() (bytes int, all bool) {
	if s.cache == nil {
		return 0, true
	}
	return s.cache.size, s.cache.file == nil && s.cache.failed == nil
}

// pass yields the parsed rows and keeps them, or those that were kept.
func (c *cache) pass(s *Source, parsed iter.Seq2[*Row, error]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if c.done {
			c.each(s.Name, yield)
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
		if c.file != nil && c.failed == nil {
			c.failed = c.out.Flush()
		}
		if c.done = c.failed == nil; c.failed != before {
			s.Tell("each epoch reads the file again, because the rows cannot be stored: " + c.failed.Error())
		}
	}
}

var errEarly = errors.New("the first pass ended early")

// add keeps a row.
func (c *cache) add(r *Row) error {
	class, ok := c.classes[r.Class]
	if !ok {
		class = strings.Clone(r.Class) // which is a part of the line
		c.classes[class] = class
	}
	k := kept{r.X, class, r.Missing, r.Line, r.column, r.Unseen}
	if c.size += 192 + 8*len(k.X.Value) + 4*len(k.X.Index); c.size <= c.most {
		k.X, k.Unseen = Vector{slices.Clone(k.X.Index), slices.Clone(k.X.Value)}, slices.Clone(k.Unseen)
		c.rows = append(c.rows, k)
		return nil
	}
	if c.file == nil {
		var err error
		if c.file, err = os.CreateTemp(c.folder, ".perceptron-*.tmp"); err != nil {
			c.rows = nil
			return err
		}
		// A write of one row would take a system call, which takes longer than to parse the row.
		c.out = bufio.NewWriterSize(c.file, 1<<16)
		c.to = gob.NewEncoder(c.out)
		err = os.Remove(c.file.Name())
		for i := 0; i < len(c.rows) && err == nil; i++ {
			err = c.to.Encode(c.rows[i])
		}
		if c.rows = nil; err != nil {
			return err
		}
	}
	return c.to.Encode(k)
}

// each yields the rows. The caller may change a row, so that it gets a copy.
func (c *cache) each(name string, yield func(*Row, error) bool) {
	r := &Row{file: name}
	give := func(k *kept) bool {
		r.X = Vector{append(r.X.Index[:0], k.X.Index...), append(r.X.Value[:0], k.X.Value...)}
		r.Class, r.Missing, r.Line, r.column, r.Unseen = k.Class, k.Missing, k.Line, k.Column, k.Unseen
		return yield(r, nil)
	}
	for i := range c.rows {
		if !give(&c.rows[i]) {
			return
		}
	}
	if c.file == nil {
		return
	}
	// Each pass has a position of its own, so that two passes can overlap.
	in := gob.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(c.file, 0, math.MaxInt64), 1<<18))
	var k kept
	for {
		// gob leaves out what is zero or empty, so that nothing of the row before may stay.
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
