package table

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// told collects what a Source tells.
func told(s *Source) *[]string {
	all := new([]string)
	s.Tell = func(what string) { *all = append(*all, what) }
	return all
}

// TestZero: one index of 0 makes all count from 0, in the training file and in later ones. A byte
// order mark changes nothing.
func TestZero(t *testing.T) {
	for _, dense := range []string{"", " 1:2 2:3"} {
		text := "\ufeff1 2:5" + strings.Repeat(" 3:1", 1) + "\n0 0:7" + dense + "\n1 3:-1\n0 1:4\n"
		s := source(t, text, Options{Format: "libsvm"})
		said := told(s)
		schema, err := Discover(s, Choice{})
		if err != nil || schema.Features() != 4 || !schema.Zero || len(*said) != 1 || !strings.HasSuffix((*said)[0], "t.csv: the indices count from 0, so that feature x1 has index 0") {
			t.Fatalf("%+v, %v, %q", schema, err, *said)
		}
		var got []string
		for r, err := range s.Rows(schema, RowOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(r.Class, r.X.Full(4)))
		}
		second := map[string]string{"": "0[7 0 0 0]", " 1:2 2:3": "0[7 2 3 0]"}[dense]
		if want := []string{"1[0 0 5 1]", second, "1[0 0 0 -1]", "0[0 4 0 0]"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		later := source(t, "1 3:1\n0 4:1\n", Options{Format: "libsvm"})
		if rows, err := all(later, schema, RowOptions{Strict: true}); len(rows) != 1 || err == nil || !strings.Contains(err.Error(), ":2:3: index 4, want at most 3") {
			t.Errorf("%q, %v", rows, err)
		}
	}
	s := source(t, "1 1:5\n0 2:7\n", Options{Format: "libsvm"})
	schema, err := Discover(s, Choice{})
	if err != nil || schema.Zero || schema.Features() != 2 {
		t.Fatalf("%+v, %v", schema, err)
	}
	if _, err := all(source(t, "1 0:5\n", Options{Format: "libsvm"}), schema, RowOptions{}); err == nil || !strings.Contains(err.Error(), `index "0", want a positive integer`) {
		t.Error(err)
	}
}

// TestUnquoted: between tabs, a quote is data if the file does not parse with quotes, and a quote
// if it does. Of other separators it is an error.
func TestUnquoted(t *testing.T) {
	s := source(t, "ham\tsay \"hi\"\nspam\t\"win\nham\t\"\"\n", Options{Header: "no"})
	said := told(s)
	schema, err := Discover(s, Choice{Label: "x1", Hashing: Hashing{Text: []string{"x2"}, Ngrams: []int{1}, Hash: 3}})
	if err != nil || !schema.Unquoted || !strings.Contains(strings.Join(*said, "; "), "a quote is a character as any other") {
		t.Fatalf("%+v, %v, %q", schema, err, *said)
	}
	fields := func(s *Source) (all []string) {
		l, err := s.lines("")
		for ; err == nil; err = l.next() {
			all = append(all, strings.Join(l.fields, "|"))
		}
		if err != io.EOF {
			t.Error(err)
		}
		return all
	}
	if got, want := fields(s), []string{`ham|say "hi"`, `spam|"win`, `ham|""`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	later := source(t, "spam\t\"so\" it is\n", Options{})
	if rows, err := all(later, schema, RowOptions{}); err != nil || len(rows) != 1 {
		t.Errorf("%q, %v", rows, err)
	}
	s = source(t, "a\ty\n\"1\"\tu\n2\tv\n", Options{})
	if schema, err := Discover(s, Choice{}); err != nil || schema.Unquoted || schema.Columns[0].Categories != nil {
		t.Errorf("%+v, %v", schema, err)
	}
	s = source(t, "a,y\nsay \"hi\",u\n2,v\n", Options{})
	if _, err := Discover(s, Choice{}); err == nil || !strings.Contains(err.Error(), `bare "`) {
		t.Error(err)
	}
}

// TestTie: a first line with two separators equally often is a warning that names both.
func TestTie(t *testing.T) {
	for text, want := range map[string]string{
		"a,b;c,d;y\n1,k;m,4;u\n1,k;m,5;v\n": `[the first line has ',' and ';' equally often; the fields are separated by ',', unless --comma sets another]`,
		"a,b;c,y\n1,2;3,u\n1,2;3,v\n":       "[]",
		"a\n1\n":                            "[]",
	} {
		s := source(t, text, Options{})
		_, _ = Discover(s, Choice{Category: []string{}})
		if fmt.Sprint(s.Warnings) != want {
			t.Errorf("%q: %q", text, s.Warnings)
		}
		s = source(t, text, Options{Comma: "comma"})
		if _, _ = Discover(s, Choice{}); s.Warnings != nil {
			t.Errorf("%q with --comma: %q", text, s.Warnings)
		}
	}
}

// TestShort: the quick way to read a number gives the bits and the mark of strconv, and takes every
// number of up to 15 digits.
func TestShort(t *testing.T) {
	check := func(field string, quick bool) {
		t.Helper()
		v, mark, ok := short(field)
		if ok != quick {
			t.Errorf("short(%q): %v, want %v", field, ok, quick)
		}
		want, its, number := long(field)
		if ok && (!number || mark != its || math.Float64bits(v) != math.Float64bits(want)) {
			t.Errorf("short(%q) = %v, %q; strconv: %v, %q, %v", field, v, mark, want, its, number)
		}
	}
	for _, field := range []string{"0", "-0", "7.", ".7", "-,5", "0.1", "999999999999999", "0.00000000000001", "-12,34", "123456789.012345"} {
		check(field, true)
	}
	for _, field := range []string{"", "-", ".", "-.", "1.2.3", "1,2.3", "1.2,3", "+1", "1-", "--1", "1e5", "1_0", "0x1", "inf", "1 2", "1000000000000000", "0.000000000000001", "9007199254740993", "¼", "1:", "1/"} {
		check(field, false)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		digits := make([]byte, 1+random.IntN(mostDigits))
		for i := range digits {
			digits[i] = '0' + byte(random.IntN(10))
		}
		at := random.IntN(len(digits) + 1)
		for _, sign := range []string{"", "-"} {
			for _, mark := range []string{"", ".", ","} {
				check(sign+string(digits[:at])+mark+string(digits[at:]), true)
			}
		}
	}
}

// TestPairs: a file whose lines look like LIBSVM's, and whose name does not, is called so.
func TestPairs(t *testing.T) {
	for text, want := range map[string]bool{
		"+1 1:0.7 4:-2e3\n-1 2:1\n": true, "3 7:1 # note\n": true, "1 1:2 \r\n": true, "# made by x\n\n+1\n-1 \n1.0 qid:3 1:2": true,
		"at 12:30 we met\n": false, "word\n": false, "1 2 3\n": false, "1\n2\n": false,
	} {
		_, err := Discover(source(t, text, Options{}), Choice{})
		if err == nil || strings.Contains(err.Error(), "--format libsvm") != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBlankLines: in a table of one column an empty line is a row, unless it is at the end of the file, and
// a quoted field may have empty lines. In wider tables blank lines are left out. TestBlank has what predict answers.
func TestBlankLines(t *testing.T) {
	for text, want := range map[string][]string{
		"msg\na\n\nb\n":                  {"msg", "a", "", "b"},
		"msg\n\n\na":                     {"msg", "", "", "a"},
		"msg\r\na\r\n\r\nb\r\n\r\n\r\n":  {"msg", "a", "", "b"},
		"msg\n\"a\n\n\nb\"\n\nc\n":       {"msg", "a\n\n\nb", "", "c"},
		"1.5\n\n2\n\n":                   {"1.5", "", "2"},
		"a,b\n\n1,2\n \t \n\n3,4\n\n":    {"a|b", "1|2", "3|4"},
		"a\tb\n  \n\t\n1\t2":             {"a|b", "|", "1|2"},
		"\n \na;b\n1;2\n":                {"a|b", "1|2"},
		"msg\n\"say \"\"hi\"\"\"\n\nx\n": {"msg", `say "hi"`, "", "x"},
	} {
		l, err := source(t, text, Options{}).lines("")
		var got []string
		for ; err == nil; err = l.next() {
			got = append(got, strings.Join(l.fields, "|"))
		}
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
