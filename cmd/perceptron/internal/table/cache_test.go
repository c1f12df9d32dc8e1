package table

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestKeep: later passes yield the rows of the first one, bit for bit, from memory, from a file, or
// from both. This holds even if a caller changes a row, and after a pass that ended early.
func TestKeep(t *testing.T) {
	text := "a,b,c,y\n-0,1e300,red,no\n5e-324,2,blue,yes\n3,?,red,yes\n0.1,-7,blue,no\n"
	for _, o := range []Choice{{Missing: MissingMean}, {Missing: MissingMean, Hashing: Hashing{Text: []string{"c"}, Ngrams: []int{1}, Hash: 12}}} {
		for _, bytes := range []int{0, 400, 1 << 20} {
			s := source(t, text, Options{})
			schema, err := Discover(s, o)
			if err != nil {
				t.Fatal(err)
			}
			pass := func() (all []string) {
				for r, err := range s.Rows(schema, RowOptions{}) {
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, fmt.Sprint(r.X, math.Signbit(r.X.Value[0]), r.Missing, r.Class, r.Line, r.At(errEarly)))
					r.X.Value[0] = 77
				}
				return all
			}
			want := pass()
			s.Keep(t.TempDir(), bytes)
			if got := pass(); !slices.Equal(got, want) || len(want) != 4 {
				t.Errorf("%d bytes: the first pass: %q, want %q", bytes, got, want)
			}
			s.file = nil // no further pass over the file
			for range 2 {
				if got := pass(); !slices.Equal(got, want) {
					t.Errorf("%d bytes: %q, want %q", bytes, got, want)
				}
			}
			if n, all := s.Kept(); n < 400 || all != (bytes == 1<<20) || (s.cache.file != nil) == all {
				t.Errorf("%d bytes: kept %d, all %v", bytes, n, all)
			}
		}
	}
	s := source(t, text, Options{})
	schema, err := Discover(s, Choice{Missing: MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	s.Keep(t.TempDir(), 1<<20)
	for range s.Rows(schema, RowOptions{}) {
		break
	}
	if rows, err := all(s, schema, RowOptions{}); err != nil || len(rows) != 4 {
		t.Errorf("after a pass that ended early: %q, %v", rows, err)
	}
}

// TestKeepLIBSVM: Discover keeps the rows of a LIBSVM file, and no further pass reads it. They have the
// form of the Schema, even if the Schema is chosen later.
func TestKeepLIBSVM(t *testing.T) {
	var wide, zero strings.Builder
	for i := range 5000 { // many blocks
		fmt.Fprintf(&wide, "%d %d:0.5 60:%d\n", i%3, 1+i%59, i)
		fmt.Fprintf(&zero, "%d 0:%d 1:-3\n", i%2, i-4500)
	}
	for _, text := range []string{wide.String(), zero.String(), "1\n2 1:5\n"} {
		for _, bytes := range []int{0, 2000, 1 << 24} {
			plain, s := source(t, text, Options{Format: "libsvm"}), source(t, text, Options{Format: "libsvm"})
			schema, err := Discover(plain, Choice{})
			if err != nil {
				t.Fatal(err)
			}
			s.Keep(t.TempDir(), bytes)
			kept, err := Discover(s, Choice{})
			if err != nil || !reflect.DeepEqual(kept, schema) {
				t.Fatalf("%v, %v, want %v", kept, err, schema)
			}
			s.file = nil // no further pass over the file
			for range 2 {
				want, err := all(plain, schema, RowOptions{})
				got, e := all(s, schema, RowOptions{})
				if err != nil || e != nil || !slices.Equal(got, want) || len(want) != strings.Count(text, "\n") {
					t.Fatalf("%d bytes: %d rows of %d, %v, %v", bytes, len(got), len(want), e, err)
				}
				schema.Sparse = false // as the batch rule wants it
			}
		}
	}
}

// TestKeepNumbers: Discover keeps the rows of a CSV file whose features are numbers, as a pass without
// a cache yields them. With a word, or a row that is an error, the next pass over the file keeps them.
func TestKeepNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		o     Choice
		again bool // a second pass reads the file
	}{
		{"a,b,y\n-0,1e300,no\n5e-324,2,yes\n1,1,no\n", Choice{}, false},
		{"y;b;a\nno;1,5;0\nyes;2;0,25\n", Choice{Label: "y"}, false},
		{"a,b,y\nr1,1,2,no\nr2,3,4,yes\n", Choice{}, false}, // as R writes rows with names
		{"a,b,y\n1,?,no\n3,4,\n5,6,yes\n", Choice{Missing: MissingMean}, false},
		{"a,b,y\n1,?,no\n3,4,NA\n5,6,yes\n", Choice{Missing: MissingDrop, Drop: []string{"a"}}, false},
		{"a,b,y\n1,2,no\n3,x,yes\n5,x,yes\n5,u,yes\n", Choice{}, true},
		{"a,b,y\n1,2,no\n3,4,yes\n", Choice{Category: []string{"b"}}, true},
		{"a,b,y\n1,2,no\n3,4,yes\n", Choice{Hashing: Hashing{Text: []string{"b"}, Ngrams: []int{1}, Hash: 3}}, true},
		{"a,b,y\n1,2,no\n3,?,yes\n", Choice{}, true},
		{"a,b,y\n1,2,no\n3,4,\n", Choice{}, true},
	} {
		for _, bytes := range []int{0, 1 << 20} {
			plain, s := source(t, c.text, Options{}), source(t, c.text, Options{})
			schema, err := Discover(plain, c.o)
			if err != nil {
				t.Fatal(c.text, err)
			}
			s.Keep(t.TempDir(), bytes)
			kept, err := Discover(s, c.o)
			if err != nil || !reflect.DeepEqual(kept, schema) || s.cache.done == c.again {
				t.Fatalf("%q: kept %v, %v, %v, want %v", c.text, s.cache.done, kept, err, schema)
			}
			pass := func(s *Source) (all []string) {
				for r, err := range s.Rows(schema, RowOptions{NeedLabel: true}) {
					if err == nil {
						all = append(all, fmt.Sprint(r.X, r.Missing, r.Class))
						err = r.At(errEarly)
					}
					all = append(all, strings.TrimPrefix(err.Error(), s.Name)) // with the position
				}
				return all
			}
			for range 2 { // what the first of them keeps, the second yields
				if got, want := pass(s), pass(plain); !slices.Equal(got, want) {
					t.Errorf("%q, %d bytes: %q, want %q", c.text, bytes, got, want)
				}
			}
		}
	}
}
