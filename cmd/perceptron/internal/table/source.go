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

// A Source is a file of rows.
type Source struct {
	Name string // as the user wrote it
	Options

	// Watch, if not nil, shows the progress of a pass over size bytes; a size of 0 is
	// unknown.
	Watch func(r io.Reader, size int64, purpose string) io.Reader

	// Tell, if not nil, receives what the reader detected, once.
	Tell func(what string)

	copied *os.File // of input that can be read only once
	told   bool
}

// Open checks that the file can be read. If it will be read more than once, but is
// standard input or a pipe, Open copies it to a temporary file.
func Open(name string, o Options, again bool) (s *Source, err error) {
	s = &Source{Name: name, Options: o}
	if s.Format == "" {
		s.Format = formatOf(name)
	}
	in, regular := os.Stdin, false
	if name != StandardInput {
		if in, err = os.Open(name); err != nil {
			return nil, err
		}
	}
	info, err := in.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a directory", name)
	case again && (name == StandardInput || !info.Mode().IsRegular()):
		s.copied, err = spool(in)
	case name != StandardInput && !info.Mode().IsRegular():
		s.copied = in // a pipe: opening it a second time would wait for another writer
		return s, nil
	default:
		regular = true
	}
	if name != StandardInput {
		err = errors.Join(err, in.Close())
	}
	if err != nil && !regular {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

// Close removes the copy, if Open made one.
func (s *Source) Close() error {
	if s.copied == nil {
		return nil
	}
	return s.copied.Close()
}

// formatOf returns the format that the name of a file implies.
func formatOf(name string) string {
	switch name = strings.TrimSuffix(name, ".gz"); {
	case strings.HasSuffix(name, ".svm"), strings.HasSuffix(name, ".libsvm"):
		return "libsvm"
	}
	return "csv"
}

// spool copies in to a temporary file. The file has no name, so that nothing stays
// behind if the program is killed.
func spool(in io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", ".perceptron-*.tmp")
	if err != nil {
		return nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		_, err = io.Copy(f, in)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("copying to a temporary file: %w", err), f.Close())
	}
	return f, nil
}

// bytes opens the file for one pass. It returns a size of 0 if it is not known.
func (s *Source) bytes() (r io.Reader, size int64, closer io.Closer, err error) {
	none := io.NopCloser(nil)
	f := s.copied
	switch {
	case f != nil:
	case s.Name == StandardInput:
		return os.Stdin, 0, none, nil
	default:
		if f, err = os.Open(s.Name); err != nil {
			return nil, 0, nil, err
		}
		closer = f
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, 0, nil, err
	case closer != nil:
		return f, info.Size(), closer, nil
	case info.Mode().IsRegular():
		return io.NewSectionReader(f, 0, info.Size()), info.Size(), none, nil
	}
	return f, 0, none, nil
}

// buffer is the number of bytes read at once. They also show the separator of a file.
const buffer = 1 << 16

// text opens the file for one pass and decompresses it if needed. The purpose is shown
// beside the progress.
func (s *Source) text(purpose string) (*bufio.Reader, io.Closer, error) {
	r, size, closer, err := s.bytes()
	if err != nil {
		return nil, nil, err
	}
	if s.Watch != nil {
		r = s.Watch(r, size, purpose)
	}
	in := bufio.NewReaderSize(r, buffer)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" && !strings.HasSuffix(s.Name, ".gz") {
		return in, closer, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", s.Name, err), closer.Close())
	}
	return bufio.NewReaderSize(z, buffer), closer, nil
}

// SHA256 returns the checksum of the file, as it is stored.
func (s *Source) SHA256() (string, error) {
	r, _, closer, err := s.bytes()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, r)
	if err = errors.Join(err, closer.Close()); err != nil {
		return "", fmt.Errorf("%s: %w", s.Name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// auto reports whether the first line shows whether it has names.
func (s *Source) auto() bool { return s.Header == "" || s.Header == "auto" }

// tell passes on what the reader detected in the first pass.
func (s *Source) tell(format string, args ...any) {
	if s.Tell != nil && !s.told {
		s.told = true
		s.Tell(fmt.Sprintf(format, args...))
	}
}
