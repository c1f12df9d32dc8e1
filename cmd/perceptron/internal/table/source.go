// Package table reads labelled rows of numbers and words from a file: CSV in most of
// its forms, or LIBSVM's format. Every command uses it, so what one command
// understands, all do.
//
// A [Source] is a file. [Discover] reads it once and returns a [Schema]: which columns
// are the label and the features, and which words each column of words has. With the
// Schema, [Source.Rows] returns the rows as vectors, now or in another program.
package table

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"perceptron/internal/libsvm"
)

// StandardInput is the file name that means standard input.
const StandardInput = "-"

// Error is an error at a position in a file.
type Error = libsvm.Error

// Options say how to read a file. The zero value detects everything.
type Options struct {
	Format   string // csv or libsvm; "" means by the name of the file
	Comma    rune   // separates the fields of CSV; 0 means detect it
	Decimal  byte   // '.' or ','; 0 means detect it
	Header   string // yes, no, or auto, which "" means too
	Features int    // of a LIBSVM file; 0 means count them
}

// A Source is a file of rows. The first pass stores in Options which character separates
// the fields and whether the first line has names, so that all passes agree.
type Source struct {
	Name string // as the user wrote it
	Options

	// Watch, if not nil, shows the progress of a pass over size bytes; a size of 0 is
	// unknown.
	Watch func(r io.Reader, size int64, purpose string) io.Reader

	// Tell, if not nil, receives what the reader detected, once.
	Tell func(what string)

	file *os.File // stays open, so that all passes see one file
}

// Open opens a file. If it will be read more than once, but is a pipe, Open copies it to
// a temporary file.
func Open(name string, o Options, again bool) (*Source, error) {
	s := &Source{Name: name, Options: o, file: os.Stdin}
	if plain := strings.TrimSuffix(name, ".gz"); s.Format == "" && (strings.HasSuffix(plain, ".svm") || strings.HasSuffix(plain, ".libsvm")) {
		s.Format = "libsvm"
	}
	var err error
	if name != StandardInput {
		if s.file, err = os.Open(name); err != nil {
			return nil, err
		}
	}
	info, err := s.file.Stat()
	switch {
	case err == nil && info.IsDir():
		err = errors.New("it is a directory")
	case err == nil && again && !info.Mode().IsRegular():
		err = s.spool()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), s.Close())
	}
	return s, nil
}

// Close closes the file.
func (s *Source) Close() error { return s.file.Close() }

// spool replaces the file by a copy without a name, so that nothing stays behind if the
// program is killed.
func (s *Source) spool() error {
	f, err := os.CreateTemp("", ".perceptron-*.tmp")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, s.file)
	err = errors.Join(err, os.Remove(f.Name()), s.file.Close())
	s.file = f
	return err
}

// bytes begins a pass. The size is 0 if it is not known.
func (s *Source) bytes() (io.Reader, int64) {
	if info, err := s.file.Stat(); err == nil && info.Mode().IsRegular() {
		return io.NewSectionReader(s.file, 0, info.Size()), info.Size()
	}
	return s.file, 0
}

// buffer is the number of bytes read at once. They also show the separator and the
// header of a file.
const buffer = 1 << 16

// text begins a pass and decompresses the file if needed. The purpose is shown beside
// the progress.
func (s *Source) text(purpose string) (*bufio.Reader, error) {
	r, size := s.bytes()
	if s.Watch != nil {
		r = s.Watch(r, size, purpose)
	}
	in := bufio.NewReaderSize(r, buffer)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" && !strings.HasSuffix(s.Name, ".gz") {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return bufio.NewReaderSize(z, buffer), nil
}

// SHA256 returns the checksum of the file, as it is stored.
func (s *Source) SHA256() (string, error) {
	sum := sha256.New()
	r, _ := s.bytes()
	if _, err := io.Copy(sum, r); err != nil {
		return "", fmt.Errorf("%s: %w", s.Name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// auto reports whether the first line shows whether it has names.
func (s *Source) auto() bool { return s.Header == "" || s.Header == "auto" }

// took settles for all passes whether the first line has names, and describes it.
func (s *Source) took(names bool) string {
	if names {
		s.Header = "yes"
		return "the first line has names"
	}
	s.Header = "no"
	return "the first line is a row"
}

// tell passes on what the reader detected.
func (s *Source) tell(format string, args ...any) {
	if s.Tell != nil {
		s.Tell(fmt.Sprintf(format, args...))
	}
}

// first returns an error about the first line.
func (s *Source) first(format string, args ...any) error {
	return &Error{File: s.Name, Line: 1, Column: 1, Err: fmt.Errorf(format, args...)}
}
