package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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
		for _, v := range r.X.Full(schema.Features()) {
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
		"marked":        "\ufeff\"a\",b,y\n1.5,-2,no\n3e2,0.25,yes\n7,8,no\n",
		"Excel":         "\ufeffsep=;\r\na;b;y\r\n1,5;-2;no\r\n3e2;0,25;yes\r\n7;8;no\r\n",
		"Excel, bar":    "sep=|\na|b|y\n1.5|-2|no\n3e2|0.25|yes\n7|8|no\n",
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

// TestSeparator: the separator is the character that the first line has most often, unless the lines below show another.
func TestSeparator(t *testing.T) {
	for line, want := range map[string]rune{
		"a;b,c,y":       ',', // a name has the semicolon
		"\"a;b;c;d\",y": ',',
		"a;\"b,c,d\";y": ';',
		"1,5;2,5;3,5":   ';', // numbers have commas
		"1,5;-2,0;no":   ';',
		"1,2":           ',',
		"5,3,a|b":       ',',
		"a|b|c;d":       '|',
		"\ty":           '\t', // pandas writes the index without a name
		"y":             ',',
		"":              ',',
	} {
		for _, line := range []string{line, line + "\n", line + "\n" + line + "\r\n" + line} {
			if got, _, title := separator(line, "t.csv"); got != want || title {
				t.Errorf("%q: %q, want %q, %v", line, got, want, title)
			}
		}
	}
	for text, want := range map[string]rune{
		"ham\tSee you, then\nspam\tWin cash now\nham\tOk\n":          '\t',
		"ham\tSo, see, you\nspam\tWin\n":                             '\t',
		"ham\tSo, see\nspam\tWin, cash\nham\tOk, go":                 '\t',
		"a,\tb,\tc\n1,\t2,\t3\n":                                     ',',
		"a,b\tc,d\n1,2,3\n1,2,3\n":                                   ',',
		"t.tsv a\tb\tc, d, e\n1\t2\n3\t4\n":                          '\t', // by its name
		"title |1x3 set\n1,2,a\n3,1,b\n":                             ',',
		"title Report; 2024\n1\t2\ta\n3\t1\tb\n":                     '\t',
		"title Report, 2024\na;b;y\n1,5;2;u\n3;1,5;v\n":              ';',
		"a;b;c\n\"x,y\";\"u,v\";1\n\"x,y\";\"u,v\";1\n":              ';',
		"a;b;c\n1,5;2,5;u\n1,5;2,5;v\n":                              ';',
		"a,b\n\"x\ny; z\",1\n\"x\ny; z\",1\n\"x\ny; z\",1\n":         ',',
		"text;label\nso, it is;a\nno, it is;b\nso, no;a\nno, so;b\n": ';',
		"first\nname;label\nso;a\n":                                  ',', // an error names the title
	} {
		name := strings.Fields(text)[0]
		text = strings.TrimPrefix(text, "t.tsv ")
		if got, _, title := separator(strings.TrimPrefix(text, "title "), name); got != want || title != strings.HasPrefix(text, "title ") {
			t.Errorf("%q: %q, want %q, %v", text, got, want, title)
		}
	}
}

// TestCommaFlag: --comma overrules the first line.
func TestCommaFlag(t *testing.T) {
	text := "a;b;c,y\n1,no\n2,yes\n"
	if _, rows, err := read(t, text, Options{Comma: "comma"}, Choice{Label: "y"}); err != nil || !slices.Equal(rows, []string{"1 no ", "2 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestExcel: Excel's first line is a line, and no column of a table without other columns.
func TestExcel(t *testing.T) {
	if _, _, err := read(t, "sep=;\na;b;y\n1;2;no\n1;2\n", Options{}, Choice{}); err == nil || err.Error() != "t.csv:4:1: 2 fields separated by ';', want 3 as in the first line; --comma sets the separator" {
		t.Error(err)
	}
	if _, rows, err := read(t, "sep=;\na,y\n1,no\n2,yes\n", Options{Comma: "comma"}, Choice{}); err != nil || !slices.Equal(rows, []string{"1 no ", "2 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
	if schema, _, err := read(t, "sep=,y\n1,no\n2,yes\n", Options{}, Choice{}); err != nil || schema.Columns[0].Name != "sep=" {
		t.Errorf("%+v, %v", schema, err)
	}
}

// TestForeign: a file that is no text is named, whatever its name.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"PK\x03\x04\x14\x00":   "t.csv is a workbook of a spreadsheet, or a zip file: save the table as CSV",
		"\xd0\xcf\x11\xe0\xa1": "t.csv is an old workbook of a spreadsheet: save the table as CSV",
		"PAR1\x15\x04":         "t.csv is a Parquet file: convert it to CSV, for example with DuckDB or pandas",
		"\xfd7zXZ\x00\x00":     "t.csv is compressed: decompress it with xz -d",
		"\x28\xb5\x2f\xfd\x04": "t.csv is compressed: decompress it with zstd -d",
		"BZh91AY&SY\x00":       "t.csv is compressed: decompress it with bzip2 -d",
	} {
		if _, _, err := read(t, text, Options{}, Choice{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestDecimalFlag: --decimal allows decimal commas between commas.
func TestDecimalFlag(t *testing.T) {
	text := "a,y\n\"1,5\",no\n\"2\",yes\n"
	if _, rows, err := read(t, text, Options{Decimal: "comma"}, Choice{}); err != nil || !slices.Equal(rows, []string{"1.5 no ", "2 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// FuzzRead: no text makes the reader panic, and what it accepts has finite numbers.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b,y\n1,2,no\n", "1;2,5;x\n", "\"a\"\tb\n", "a,y\n?,1\n2,NA\n", "\xff\xfe", "a|b\n\n\n1|2\n", ",\n0\n", strings.Repeat("\n", 1<<16) + "a,y\n1,b\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := time.Now()
		defer func() {
			if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 3000*uint64(len(text))+64<<20 || time.Since(begin) > time.Minute {
				t.Errorf("%q: %d bytes allocated in %v", text, after.TotalAlloc-before.TotalAlloc, time.Since(begin))
			}
		}()
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
			for _, v := range r.X.Value {
				if math.IsInf(v, 0) || math.IsNaN(v) && !r.Missing {
					t.Errorf("%q: %v", text, r.X)
				}
			}
		}
	})
}

// warned returns the texts of the warnings, in lines.
func warned(s *Source) (text string) {
	for i, r := range s.Warnings {
		text += map[bool]string{true: "\n"}[i > 0] + r.Text
	}
	return text
}
