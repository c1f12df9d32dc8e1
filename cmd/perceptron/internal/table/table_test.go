package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// create writes a file and returns its name.
func create(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// source opens a file with the text.
func source(t testing.TB, text string, o Options) *Source {
	t.Helper()
	s, err := Open(create(t, "t.csv", text), o, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// all returns the rows as text: the features, then the class, then the id.
func all(s *Source, schema *Schema, o RowOptions) (rows []string, err error) {
	for r, err := range s.Rows(schema, o) {
		if err != nil {
			return rows, err
		}
		var fields []string
		for _, v := range r.X {
			fields = append(fields, strconv.FormatFloat(v, 'g', -1, 64))
		}
		rows = append(rows, strings.Join(append(fields, r.Class, r.ID), " "))
	}
	return rows, nil
}

// read discovers the columns of a text and returns its rows.
func read(t testing.TB, text string, o Options, c Choice) (*Schema, []string, error) {
	t.Helper()
	s := source(t, text, o)
	schema, err := Discover(s, c)
	if err != nil {
		return nil, nil, errors.New(strings.ReplaceAll(err.Error(), s.Name, "t.csv"))
	}
	rows, err := all(s, schema, RowOptions{NeedLabel: true})
	if err == nil {
		err = schema.Check()
	}
	return schema, rows, err
}

// TestForms: the same table in every form that the reader detects.
func TestForms(t *testing.T) {
	want := []string{"1.5 -2 no ", "300 0.25 yes ", "7 8 no "}
	for name, text := range map[string]string{
		"comma":         "a,b,y\n1.5,-2,no\n3e2,0.25,yes\n7,8,no\n",
		"semicolon":     "a;b;y\n1.5;-2;no\n3e2;0.25;yes\n7;8;no\n",
		"decimal comma": "a;b;y\n1,5;-2;no\n3e2;0,25;yes\n7;8;no\n",
		"as many":       "1,5;-2,0;no\n3e2;0,25;yes\n7,0;8,0;no\n",
		"quoted":        "\"a\";\"b\";\"y\"\n\"1,5\";\"-2\";\"no\"\n\"3e2\";\"0,25\";\"yes\"\n7;8;no\n",
		"tab":           "a\tb\ty\n1.5\t-2\tno\n3e2\t0.25\tyes\n7\t8\tno\n",
		"tab and comma": "a\tb\ty\n1,5\t-2\tno\n3e2\t0,25\tyes\n7\t8\tno\n",
		"bar":           "a|b|y\n1.5|-2|no\n3e2|0.25|yes\n7|8|no\n",
		"spaces":        "a, b, y\n 1.5 , -2 , no\n3e2, 0.25, yes \n7,8,no",
		"windows":       "\ufeffa,b,y\r\n1.5,-2,no\r\n3e2,0.25,yes\r\n\r\n7,8,no\r\n",
		"no header":     "1.5,-2,no\n3e2,0.25,yes\n7,8,no\n",
		"pandas":        "0,1,2\n1.5,-2,no\n3e2,0.25,yes\n7,8,no\n",
	} {
		schema, rows, err := read(t, text, Options{}, Choice{})
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("%s: %q, %v, want %q", name, rows, err, want)
		} else if schema.Label.Position != 2 || schema.Named == (name == "no header" || name == "as many") {
			t.Errorf("%s: %+v", name, schema)
		}
	}
}

// TestGzipPipe: a compressed pipe that is read twice.
func TestGzipPipe(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, "a,y\n1,no\n2,yes\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(packed.Bytes()); err != nil {
		t.Fatal(err)
	}
	w.Close()
	s, err := Open(fmt.Sprintf("/dev/fd/%d", r.Fd()), Options{}, true)
	if err != nil {
		t.Skip("no /dev/fd: ", err)
	}
	defer s.Close()
	schema, err := Discover(s, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := all(s, schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"1 no ", "2 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
	if sum, err := s.SHA256(); err != nil || len(sum) != 64 {
		t.Errorf("%q, %v", sum, err)
	}
}

// TestIsHeader: which first lines have names.
func TestIsHeader(t *testing.T) {
	for text, want := range map[string]bool{
		"a,b,y/1,2,no":                  true,
		"1,2,no/3,4,yes/5,6,no":         false,
		"0,1,y/5.1,3.5,a/4.9,3.0,b":     true,
		"0,1,y/0,1,a/1,1,b/1,0,a":       true, // the names recur, but count the columns
		"1,2,y/5.1,3.5,a/4.9,3.0,b":     true,
		"0,1,2/5.1,3.5,0/4.9,3.0,1":     true, // pandas without a name for the label
		"0,1,2/5.1,3.5,2/4.9,3.0,1":     false,
		"0,1,2,3,4/0,0,0,0,4/1,1,1,1,0": true,
		"2,3,4/5,6,0/7,8,1":             false,
		"1,a/1,b":                       false,
		"5.1,3.5,rare/4.9,3.0,a":        false, // 5.1 is no name
		"p,x,s/e,x,y/p,b,s":             false, // words that recur
		"class,cap,odor/p,x,s/e,x,y":    true,
		"2019,2020,y/1.5,2.5,a/1,2,b":   true,
		"a,a,y/1,2,no":                  true, // an error follows: the names are not unique
		"a,a,y/c,d,no/d,c,yes":          false,
		"1,1,y/5,6,no/7,8,yes":          false,
		"1,?,no/2,3,yes":                false,
		",b,y/0,1,no/1,2,yes":           true, // the index that pandas writes
		"a,b,y":                         true,
		"1,2,3":                         false,
	} {
		var rows [][]string
		for line := range strings.SplitSeq(text, "/") {
			rows = append(rows, strings.Split(line, ","))
		}
		if got := isHeader(rows[0], rows[1:]); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestHeaderFlag: --header overrules the first lines.
func TestHeaderFlag(t *testing.T) {
	text := "1,2,no\n3,4,yes\n5,6,no\n"
	if schema, rows, err := read(t, text, Options{Header: "yes"}, Choice{}); err != nil || len(rows) != 2 || schema.Label.Name != "no" {
		t.Errorf("%q, %v", rows, err)
	}
	if _, rows, err := read(t, "a,b,y\nc,d,z\na,d,z\n", Options{Header: "no"}, Choice{}); err != nil || len(rows) != 3 {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestTell: what was detected is said once, and only of CSV.
func TestTell(t *testing.T) {
	s := source(t, "a;y\n1,5;no\n2;yes\n", Options{})
	var said []string
	s.Tell = func(what string) { said = append(said, strings.ReplaceAll(what, s.Name, "t.csv")) }
	schema, err := Discover(s, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(s, schema, RowOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `t.csv: the first line has names (--header decides); the label is column "y" of "a", "y"; numbers have decimal commas`
	if !slices.Equal(said, []string{want}) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestWords: a column of words becomes one feature for each.
func TestWords(t *testing.T) {
	text := "size,colour,zip,y\n1,red,10,a\n2,green,20,b\n?,red,10,a\n3,?,20,b\n"
	schema, rows, err := read(t, text, Options{}, Choice{Category: []string{"zip"}, Missing: MissingMean})
	want := []string{"1 0 1 1 0 a ", "2 1 0 0 1 b ", "NaN 0 1 1 0 a ", "3 NaN NaN 0 1 b "}
	if err != nil || !slices.Equal(rows, want) {
		t.Fatalf("%q, %v, want %q", rows, err, want)
	}
	if got := fmt.Sprint(schema.Names()); got != "[size colour=green colour=red zip=10 zip=20]" {
		t.Error(got)
	}
	other := source(t, "zip,colour,size\n10,blue,1\n", Options{})
	if _, err := all(other, schema, RowOptions{}); err == nil || !strings.HasSuffix(err.Error(), `:2:4: column "colour": "blue" does not occur in the training file, which has "green", "red"; --unknown none accepts it`) {
		t.Error(err)
	}
	if rows, err := all(other, schema, RowOptions{SkipUnknown: true}); err != nil || !slices.Equal(rows, []string{"1 0 0 1 0  "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestOneWord: a column of one word is a column of words too.
func TestOneWord(t *testing.T) {
	schema, rows, err := read(t, "a,c,y\n1,red,no\n2,red,yes\n", Options{}, Choice{})
	if err != nil || !slices.Equal(rows, []string{"1 1 no ", "2 1 yes "}) || fmt.Sprint(schema.Names()) != "[a c=red]" {
		t.Errorf("%q, %v", rows, err)
	}
	if x, err := schema.Encoder(true).Encode(nil, []any{1.0, "blue"}); err != nil || x[1] != 0 {
		t.Errorf("%v, %v", x, err)
	}
	if _, _, err := read(t, "a,c,y\n1,2024-01-02,no\n2,2024-01-02,yes\n", Options{}, Choice{}); err == nil || !strings.Contains(err.Error(), "has dates") {
		t.Error(err)
	}
}

// TestSeparatorOnce: a character that only the header has is no separator.
func TestSeparatorOnce(t *testing.T) {
	if _, rows, err := read(t, "a;b,c,y\n1,2,no\n3,4,yes\n", Options{}, Choice{}); err != nil || !slices.Equal(rows, []string{"1 2 no ", "3 4 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestEncode: rows of values, as a server receives them, give the features of a file.
func TestEncode(t *testing.T) {
	schema := &Schema{Columns: []Column{{Name: "n"}, {Name: "c", Categories: []string{"7", "red"}}}}
	e := schema.Encoder(false)
	for _, c := range []struct {
		row  []any
		want string
	}{
		{[]any{1.5, "red"}, "[9 1.5 0 1]"},
		{[]any{" 2 ", 7.0}, "[9 2 1 0]"},
		{[]any{nil, "?"}, "[9 NaN NaN NaN]"},
		{[]any{1.0}, "1 value, want 2"},
		{[]any{"x", "red"}, `column "n": "x", want a finite number`},
		{[]any{"1,5", "red"}, `column "n": "1,5", want a finite number`},
		{[]any{math.Inf(1), "red"}, `column "n": +Inf, want a finite number`},
		{[]any{true, "red"}, `column "n": true, want a finite number`},
		{[]any{1.0, true}, `column "c": true, want a finite number`},
		{[]any{1.0, 8.0}, `column "c": "8" does not occur in the training file, which has "7", "red"; --unknown none accepts it`},
	} {
		x, err := e.Encode([]float64{9}, c.row)
		got := fmt.Sprint(x)
		if err != nil {
			if got = err.Error(); len(x) != 1 {
				t.Errorf("%v: x is %v after an error", c.row, x)
			}
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.row, got, c.want)
		}
	}
}

// TestErrors: each error states the position and the remedy.
func TestErrors(t *testing.T) {
	ids, dates, numbers, steps := "who,b,y\n", "when,b,y\n", "id,b,y\n", "n,b,y\n"
	for i := range 12 {
		ids += fmt.Sprintf("u%d,%d,%c\n", i, i*i, 'a'+i%2)
		dates += fmt.Sprintf("2024-01-%02d,%d,%c\n", 1+i%5, i*i, 'a'+i%2)
		numbers += fmt.Sprintf("%d,%d,%c\n", 1+i*7919%31, i*i, 'a'+i%2)
		steps += fmt.Sprintf("%d,%d,%c\n", 100+i, i*i, 'a'+i%2)
	}
	for _, c := range []struct {
		text   string
		choice Choice
		want   string
	}{
		{"", Choice{}, "t.csv: no rows"},
		{"a,b,y\n", Choice{}, "t.csv: no rows"},
		{"a,b,y\n1,2,no\n1,2\n", Choice{}, "t.csv:3:1: 2 fields separated by ',', want 3 as in the first line; --comma sets the separator"},
		{"a,b,y\n1,\"2,no\n", Choice{}, "t.csv:2:9: extraneous or missing \" in quoted-field"},
		{"a,b,y\n1,J\xfcrgen,no\n1,x,no\n", Choice{}, "t.csv:2:4: byte 0xfc is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8"},
		{"a,b,y\n1,2,no\n3,4,J\xfcrgen\n", Choice{}, "t.csv:3:6: byte 0xfc is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8"},
		{"\xff\xfea\x00", Choice{}, "t.csv: the text is UTF-16; save it as UTF-8"},
		{"a,b,y\n1,2,no\n?,2,no\n", Choice{}, "t.csv:3:1: column \"a\": \"?\": the value is missing; --missing mean or --missing drop accepts this"},
		{"a,b,y\n1,2,no\n2,inf,no\n", Choice{}, `t.csv:3:3: column "b": "inf", want a finite number; --drop "b" leaves the column out, or --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n2,1e999,no\n", Choice{}, `t.csv:3:3: column "b": "1e999", want a finite number; --drop "b" leaves the column out, or --category "b" reads all values as words`},
		{"a;b;y\n1,5;2;no\n1.5;2;no\n", Choice{}, `t.csv:3:1: column "a": "1.5", want a finite number: the numbers before it have decimal commas; --decimal sets the mark, or --category "a" reads all values as words`},
		{"a,b,y\n1,\"2,5\",no\n1,2,no\n", Choice{}, `t.csv:2:3: column "b": "2,5", want a finite number: the numbers before it have decimal points; --decimal sets the mark, or --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n", Choice{Label: "kind"}, `t.csv:1:1: no column "kind"; the columns are "a", "b", "y"`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"c"}}, `t.csv:1:1: no column "c"; the columns are "a", "b", "y"`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"a", "b"}}, "t.csv:1:1: 3 columns separated by ',', want a label and at least one feature; --comma sets the separator"},
		{"y\nno\nyes\n", Choice{}, "t.csv:1:1: 1 column separated by ',', want a label and at least one feature; --comma sets the separator"},
		{"a,a,y\n1,2,no\n", Choice{Label: "y"}, `t.csv:1:1: columns 1 and 2 are both named "a"`},
		{"a,b,y\n?,2,no\n,3,no\n", Choice{}, `t.csv:1:1: column "a" has no value: leave it out with --drop "a"`},
		{ids, Choice{}, `t.csv:1:1: column "who" has another word in every row, like an id: leave it out with --drop "who", or name it in --category to use its words`},
		{dates, Choice{}, `t.csv:1:1: column "when" has dates: leave it out with --drop "when", or name it in --category to use its words`},
		{numbers, Choice{}, `t.csv:1:1: column "id" looks like an id: leave it out with --drop "id", or name it in --columns`},
		{steps, Choice{}, `t.csv:1:1: column "n" looks like an id: leave it out with --drop "n", or name it in --columns`},
		{ids, Choice{Drop: []string{"who"}}, ""},
		{ids, Choice{Category: []string{"who"}}, ""},
		{dates, Choice{Category: []string{"when"}}, ""},
		{numbers, Choice{Columns: []string{"id", "b"}}, ""},
		{steps, Choice{Columns: []string{"n"}}, ""},
		{",b,y\n7,1,no\n9,2,yes\n", Choice{}, `t.csv:1:1: column "unnamed 1" looks like an id: leave it out with --drop "unnamed 1", or name it in --columns`},
		{",b,y\n7,1,no\n9,2,yes\n", Choice{Drop: []string{"unnamed 1"}}, ""},
		{"a,b,y,\n7,1,no,\n9,2,yes,\n", Choice{Label: "y"}, `t.csv:1:1: column "unnamed 4" has no value: leave it out with --drop "unnamed 4"`},
	} {
		_, _, err := read(t, c.text, Options{}, c.choice)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), filepath.Dir(strings.SplitN(err.Error(), ":", 2)[0])+"/", "")
		}
		if got != c.want {
			t.Errorf("%.40q %v:\n%s, want\n%s", c.text, c.choice, got, c.want)
		}
	}
}

// TestManyWords: a column of too many words is rejected, whatever the user says.
func TestManyWords(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,y\n")
	for i := range 2 * (mostCategories + 1) {
		fmt.Fprintf(&text, "w%d,%d,%c\n", i/2, i*i, 'a'+i%2)
	}
	want := `column "a" has more than 1000 different words: leave it out with --drop "a"`
	for _, c := range []Choice{{}, {Category: []string{"a"}}} {
		if _, _, err := read(t, text.String(), Options{}, c); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", c, err, want)
		}
	}
}

// TestMissingLabel: a missing label is a missing row, not a class.
func TestMissingLabel(t *testing.T) {
	for _, field := range []string{"", "?", "NA", "n/a", "NaN", "null", "NULL", "None", "<NA>", "#N/A"} {
		s := source(t, "a,y,b\n1,no,1\n2,"+field+",2\n3,yes,3\n", Options{})
		for rule, want := range map[string]string{
			MissingError: s.Name + ":3:3: the label is missing; --missing drop leaves out the row", MissingMean: "1 3", MissingDrop: "1 3",
		} {
			schema, err := Discover(s, Choice{Label: "y", Missing: rule})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for r, err := range s.Rows(schema, RowOptions{NeedLabel: true}) {
				if err != nil {
					t.Fatal(err)
				}
				ok, err := schema.Complete(r)
				if err != nil {
					got = []string{err.Error()}
					break
				}
				if ok {
					got = append(got, fmt.Sprint(r.X[0]))
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q, %s: %q, want %q", field, rule, got, want)
			}
		}
	}
	if _, rows, err := read(t, "a,y\n1,none\n2,mild\n3,none\n", Options{}, Choice{}); err != nil || len(rows) != 3 || rows[0] != "1 none " {
		t.Errorf(`"none" is a class: %q, %v`, rows, err)
	}
}

// TestLocate: a second file may have its columns in another order, beside others, or
// without names.
func TestLocate(t *testing.T) {
	first := source(t, "id,a,b,y,z\n7,1,2,no,0\n3,5,4,yes,1\n4,5,4,yes,1\n", Options{})
	schema, err := Discover(first, Choice{Label: "y", Drop: []string{"id"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		o    RowOptions
		want string
	}{
		{"id,a,b,y,z\n7,1,2,no,0\n", RowOptions{}, "1 2 0 no "},
		{"id,a,b,y,z,last\n7,1,2,no,0,9\n", RowOptions{}, "1 2 0 no "}, // not the last column
		{"z,b,a\n0,2,1\n", RowOptions{}, "1 2 0  "},
		{"z,b,a,name\n0,2,1,Eve\n", RowOptions{ID: "name"}, "1 2 0  Eve"},
		{"z,b,a,truth\n0,2,1,no\n", RowOptions{Label: "truth"}, "1 2 0 no "},
		{"7,1,2,no,0\n", RowOptions{}, "1 2 0 no "},
		{"7,1,2,no,0\n", RowOptions{ID: "x1"}, "1 2 0 no 7"},
		{"1,2,0\n", RowOptions{}, "1 2 0  "},
		{"z,b\n0,2\n", RowOptions{}, `:1:1: no column "a"; the columns are "z", "b"`},
		{"z,b,a,a\n0,2,1,1\n", RowOptions{}, `:1:1: two columns are named "a"`},
		{"u,v,w\n0,2,1\n", RowOptions{}, `:1:1: no column "a"; the columns are "u", "v", "w"`},
		{"1,2\n", RowOptions{}, ":1:1: 2 columns, want 5 as in the training file, or 3 without the label and the columns that are not used"},
		{"z,b,a\n0,2,1\n", RowOptions{NeedLabel: true}, `:1:1: no label: no column is named "y"; --label names it`},
		{"z,b,a\n0,2,1\n", RowOptions{ID: "name"}, `:1:1: no column "name"; the columns are "z", "b", "a"`},
	} {
		s := source(t, c.text, Options{})
		rows, err := all(s, schema, c.o)
		got := strings.Join(rows, "/")
		if err != nil {
			got = strings.TrimPrefix(err.Error(), s.Name)
		}
		if got != c.want {
			t.Errorf("%q %+v: %q, want %q", c.text, c.o, got, c.want)
		}
	}
}

// TestNumbersAsNames: where the names are numbers, a row is not mistaken for a header.
func TestNumbersAsNames(t *testing.T) {
	schema, _, err := read(t, "0,1,y\n5,6,no\n7,8,yes\n", Options{}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"1,0\n2,3\n":         "1 0  /2 3  ",
		"0,0,no\n0,1,yes\n":  "0 0 no /0 1 yes ",
		"0,1\n2,3\n":         "2 3  ", // has the names in their order
		"x,0,1\n9,2,3\n":     "2 3  ",
		"y,1,0\nno,2,3\n":    ":1:1: ", // in another order only with a flag
		"1,0,why\n2,3,no\n":  "1 0 why /2 3 no ",
		"a,b,c,d\n1,2,3,4\n": `:1:1: no column "0"; the columns are "a", "b", "c", "d"`,
	} {
		s := source(t, text, Options{})
		rows, err := all(s, schema, RowOptions{})
		got := strings.Join(rows, "/")
		if err != nil {
			got = strings.TrimPrefix(err.Error(), s.Name)
		}
		if got != want && (want != ":1:1: " || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if rows, err := all(source(t, "y,1,0\nno,2,3\n", Options{Header: "yes"}), schema, RowOptions{}); err != nil || rows[0] != "3 2 no " {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestUnnamed: a file with names fits a Schema without, by the order of its columns.
func TestUnnamed(t *testing.T) {
	schema, _, err := read(t, "1,2,no\n3,4,yes\n5,6,no\n", Options{}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := all(source(t, "a,b\n7,8\n", Options{}), schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"7 8  "}) {
		t.Errorf("%q, %v", rows, err)
	}
	s, err := Open(create(t, "t.svm", "1 1:3 2:4\n0 2:5\n"), Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := all(s, schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"3 4 1 ", "0 5 0 "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestLIBSVM: the number of features is the highest index.
func TestLIBSVM(t *testing.T) {
	s, err := Open(create(t, "t.svm", "+1 1:3 4:0.5 # 9:9\n-1 2:5\n"), Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := Discover(s, Choice{})
	if err != nil || schema.Check() != nil {
		t.Fatal(err, schema.Check())
	}
	if rows, err := all(s, schema, RowOptions{NeedLabel: true}); err != nil || !slices.Equal(rows, []string{"3 0 0 0.5 1 ", "0 5 0 0 -1 "}) {
		t.Errorf("%q, %v", rows, err)
	}
	if _, err := Discover(s, Choice{Drop: []string{"x"}}); err == nil || !strings.Contains(err.Error(), "do not apply") {
		t.Error(err)
	}
	s, _ = Open(create(t, "t.svm", "1 999999999:3\n"), Options{}, true)
	if _, err := Discover(s, Choice{}); err == nil || !strings.HasSuffix(err.Error(), "t.svm:1:3: index 999999999, want at most 134217728") {
		t.Error(err)
	}
}

// TestSchemaCheck: a Schema from a hostile file is rejected.
func TestSchemaCheck(t *testing.T) {
	good := func() *Schema {
		return &Schema{Width: 3, Label: Column{Name: "y", Position: 2}, Missing: MissingError,
			Columns: []Column{{Name: "a"}, {Name: "b", Position: 1, Categories: []string{"u", "v"}}}}
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Schema){
		"2 columns of 2, want at least one beside the label":             func(s *Schema) { s.Width = 2 },
		"0 columns of 3, want at least one beside the label":             func(s *Schema) { s.Columns = nil },
		"label at position 3 of 3":                                       func(s *Schema) { s.Label.Position = 3 },
		"label at position -1 of 3":                                      func(s *Schema) { s.Label.Position = -1 },
		"the label has categories":                                       func(s *Schema) { s.Label.Categories = []string{"u"} },
		`missing "never", want error, mean or drop`:                      func(s *Schema) { s.Missing = "never" },
		`column "a": position 1 of 3, want one that no other column has`: func(s *Schema) { s.Columns[0].Position, s.Columns[1].Position = 1, 0; s.Label.Position = 1 },
		`column "b": position 9 of 3, want one that no other column has`: func(s *Schema) { s.Columns[1].Position = 9 },
		`two columns are named "a"`:                                      func(s *Schema) { s.Columns[1].Name = "a" },
		`two columns are named "y"`:                                      func(s *Schema) { s.Columns[1].Name = "y" },
		`column "b": categories ["v" "u"], want them sorted and different`: func(s *Schema) {
			s.Columns[1].Categories = []string{"v", "u"}
		},
		`column "b": categories ["u" "u"], want them sorted and different`: func(s *Schema) {
			s.Columns[1].Categories = []string{"u", "u"}
		},
	} {
		s := good()
		change(s)
		if err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// FuzzRead: no text makes the reader panic, and what it accepts has finite numbers.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b,y\n1,2,no\n", "1;2,5;x\n", "\"a\"\tb\n", "a,y\n?,1\n2,NA\n", "\xff\xfe", "a|b\n\n\n1|2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := source(t, text, Options{})
		schema, err := Discover(s, Choice{Missing: MissingMean})
		if err != nil {
			return
		}
		if err := schema.Check(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for r, err := range s.Rows(schema, RowOptions{}) {
			if err != nil {
				t.Fatalf("%q: accepted at first, and then: %v", text, err)
			}
			for _, v := range r.X {
				if math.IsInf(v, 0) || math.IsNaN(v) && !r.Missing {
					t.Errorf("%q: %v", text, r.X)
				}
			}
		}
	})
}
