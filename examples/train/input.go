package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// spool copies standard input to a temporary file, because training reads its data
// more than once. The file has no name where the system allows it, so nothing is left
// behind if the program is killed.
func spool(in io.Reader) (f *os.File, remove func(), err error) {
	f, err = os.CreateTemp("", "train-*.tmp")
	if err != nil {
		return nil, nil, err
	}
	unlinked := os.Remove(f.Name()) == nil
	remove = func() {
		_ = f.Close()
		if !unlinked {
			_ = os.Remove(f.Name())
		}
	}
	if _, err = io.Copy(f, in); err != nil {
		remove()
		return nil, nil, fmt.Errorf("copying standard input to a temporary file: %w", err)
	}
	return f, remove, nil
}

// open opens the file for one pass and decompresses its text if needed. The purpose of
// the pass is shown beside its bar.
func (t *table) open(purpose string) (io.Reader, io.Closer, error) {
	var in io.Reader
	closer := io.NopCloser(nil)
	switch {
	case t.spooled != nil:
		info, err := t.spooled.Stat()
		if err != nil {
			return nil, nil, err
		}
		in = t.watch(io.NewSectionReader(t.spooled, 0, info.Size()), info.Size(), purpose)
	case t.file == standardInput:
		in = os.Stdin
	default:
		f, err := os.Open(t.file)
		if err != nil {
			return nil, nil, err
		}
		var size int64
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		in, closer = t.watch(f, size, purpose), f
	}
	text, err := decompress(in, strings.HasSuffix(t.file, ".gz"))
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", t.file, err), closer.Close())
	}
	return text, closer, nil
}

// decompress returns the text of r, which is compressed if it begins as a gzip file.
func decompress(r io.Reader, compressed bool) (io.Reader, error) {
	in := bufio.NewReaderSize(r, peeked)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" && !compressed {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, peeked), nil
}

// peeked is the number of bytes at the beginning of a file that show its separator.
const peeked = 1 << 16

// separator returns the character that separates the fields of CSV text: the one that
// each of the first lines has most often, and equally often.
func separator(text string) rune {
	lines := strings.Split(text, "\n")
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last line may be incomplete
	}
	lines = lines[:min(len(lines), 20)]
	best, most := ',', 0
	for _, comma := range []rune{'\t', ';', '|', ','} {
		n := count(lines[0], comma)
		for _, line := range lines[1:] {
			if line = strings.TrimSpace(line); line != "" && count(line, comma) < n {
				n = 0
			}
		}
		if n > most {
			best, most = comma, n
		}
	}
	return best
}

// count returns how often a line contains a character outside quotes.
func count(line string, comma rune) int {
	n, quoted := 0, false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if c == comma && !quoted {
			n++
		}
	}
	return n
}

// parseComma returns the separator that -comma names; 0 means detect it.
func parseComma(s string) (rune, error) {
	switch s {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	case "space":
		return ' ', nil
	}
	if r := []rune(s); len(r) == 1 && r[0] != '"' && r[0] != '\n' && r[0] != '\r' {
		return r[0], nil
	}
	return 0, fmt.Errorf("-comma is %q, want one character, tab or space", s)
}
