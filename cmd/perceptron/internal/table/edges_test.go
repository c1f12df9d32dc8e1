package table

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// trains returns the schema of a text as "names -> label", and what was said; or the error, without the file's folder.
func trains(t *testing.T, text string, o Options, c Choice) (schema *Schema, got, said string) {
	t.Helper()
	s := source(t, text, o)
	s.Tell = func(what string) { said += what + "\n" }
	schema, err := Discover(s, c)
	if err != nil {
		return nil, strings.ReplaceAll(err.Error(), strings.TrimSuffix(s.Name, "t.csv"), ""), said
	}
	rows, err := all(s, schema, RowOptions{})
	if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	return schema, strings.Join(schema.Names(), " ") + " -> " + schema.Label.Name + ": " + strings.Join(rows, "|"), said
}

// TestSpaces: runs of spaces and tabs are one separator. The program finds this out without a flag, in
// training and in later files.
func TestSpaces(t *testing.T) {
	for text, want := range map[string]string{
		" 8.1 -3.5  a\n -6.2 2.0  b\n":                      "x1 x2 -> x3: 8.1 -3.5 a |-6.2 2 b ",
		"1.0 2.5 a \n3 4 b \t\n":                            "x1 x2 -> x3: 1 2.5 a |3 4 b ",
		"\t1,5  2,5\ta\r\n\r\n   \n3 4 b":                   "x1 x2 -> x3: 1.5 2.5 a |3 4 b ",
		"u v  \"the class\"\n1 2  \"a b\"\n3 4 \"\"\n5 6 c": "u v -> the class: 1 2 a b |3 4  |5 6 c ",
		"u v c\nr1 1 2 a\nr2 3 4 b":                         "u v -> c: 1 2 a |3 4 b ", // as R writes it
		"u \"\" v\n\"a\tb\" \"\" x\n\"c\" \"\" y\n":         "u=a\tb u=c -> v: 1 0 x |0 1 y ",
	} {
		for _, o := range []Options{{Comma: "space"}, {}} {
			if _, got, said := trains(t, text, o, Choice{Missing: MissingDrop}); got != want || strings.Contains(said, "spaces separate the fields") != (o.Comma == "") {
				t.Errorf("%q, %q: %s, want %s; said %s", text, o.Comma, got, want, said)
			}
		}
	}
	for text, want := range map[string]string{
		"1.5 2.0\ta\n2.0 1.0\ta\n":          `t.csv:1:1: column "x1": "1.5 2.0", want a finite number; it has several numbers in one field: --comma sets the separator, such as space`,
		"1.5 2 a\n3 4 5 6 b\n":              `t.csv:1:1: 1 column separated by ',', want a label and at least one feature; --comma sets the separator`,
		"a;b\n1 2;x\n3 4;y\n":               `t.csv:2:1: column "a": "1 2", want a finite number; it has several numbers in one field: --comma sets the separator, such as space`,
		"a,b;c,d;y\n1,2;3,4;u\n1,2;3,5;v\n": `t.csv:2:3: column "b;c": "2;3", want a finite number; it has several numbers in one field: --comma sets the separator, such as space`,
		"a,b\n\"[1, 2]\",x\n":               `t.csv:2:1: column "a": "[1, 2]", want a finite number; it has several numbers in one field: --comma sets the separator, such as space`,
	} {
		if _, got, _ := trains(t, text, Options{}, Choice{}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, got, _ := trains(t, "u v c\n1  2 a\n3   x b\n", Options{}, Choice{}); !strings.HasPrefix(got, `t.csv:3:5: column "v": "x", want a finite number`) {
		t.Errorf("position: %s", got)
	}
	schema, _, _ := trains(t, "1.5 2 a\n3 4 b\n", Options{}, Choice{})
	text, _, _ := trains(t, "msg,c\nso it is,a\nno it is not,b\n", Options{}, Choice{Hashing: Hashing{Text: []string{"msg"}, Ngrams: []int{1}, Hash: 4}})
	for _, c := range []struct {
		schema *Schema
		later  string
		rows   int
	}{{schema, "5  6 a\n\n7 8\tb\n", 2}, {schema, " 5  6\n", 1}, {schema, "x2 x3 x1\n1 c 2\n", 1}, {text, "so it\n\nno\n", 3}, {text, "so is\n", 1}} {
		rows, err := all(source(t, c.later, Options{}), c.schema, RowOptions{})
		if err != nil || len(rows) != c.rows {
			t.Errorf("%q: %q, %v", c.later, rows, err)
		}
	}
}

// TestTrailing: columns without a name and without a value are left out, a column with a name is not, and a
// separator at the end of the rows alone is called so.
func TestTrailing(t *testing.T) {
	left := func(n int) string {
		return fmt.Sprintf("t.csv: %s without a name and without a value left out", Counted(n, "column"))
	}
	for text, want := range map[string][2]string{
		"v1,v2,,,\nham,hello,,,\nspam,win,,,\n":                   {"v1=ham v1=spam -> v2: 1 0 hello |0 1 win ", left(3)},
		"x,y,c,\n1,2,a,\n2,1,b,\n":                                {"x y -> c: 1 2 a |2 1 b ", left(1)},
		"1.5;2;a;;\n2;1;b;;":                                      {"x1 x2 -> x3: 1.5 2 a |2 1 b ", left(2)},
		",x,,c\n,1,,a\n,2,,b":                                     {"x -> c: 1 a |2 b ", left(2)},
		"x\tc\t \n1\ta\t\n2\tb\t\n":                               {"x -> c: 1 a |2 b ", left(1)},
		"x,y,c\n1,2,a,\n2,1,b,\n":                                 {`t.csv:2:7: the rows end with ',', and the first line does not; sed -E 's/,\r?$//' removes it`, ""},
		"x;c\n1;a;\r\n2;b;\r\n":                                   {`t.csv:2:5: the rows end with ';', and the first line does not; sed -E 's/;\r?$//' removes it`, ""},
		"x,y,c\n1,2,a,z\n1,1,b,z\n":                               {`t.csv:3:1: the rows have one field more than the first line, and the first is no name of the row, because "1" repeats: a ',' inside a field, such as a decimal mark, needs quotes`, ""},
		"x,c,,\n1,a,,\n2,b,see,\n3,a,,\n":                         {"x unnamed 3=see -> c: 1 NaN a |2 1 b |3 NaN a ", left(1)},
		"x,c,z\n1,a,\n2,b,\n":                                     {`t.csv:1:1: column "z", the label, has no value: --label names another`, ""},
		"x,z,c\n1,,a\n2,NA,b\n":                                   {`t.csv:1:1: column "z" has no value: --drop "z" leaves it out`, ""},
		"x,c," + strings.Repeat("\n1,a,\n2,b,", 60) + "\n3,a,7\n": {`t.csv:122:5: "7" is the first value of a column without a name: name the column, or --drop "unnamed 3" leaves it out`, left(1)},
	} {
		missing := map[bool]string{true: MissingMean}[strings.Contains(text, "see")]
		_, got, said := trains(t, text, Options{}, Choice{Missing: missing})
		if got != want[0] || !strings.Contains(strings.ReplaceAll(said, "/", "\n"), want[1]) {
			t.Errorf("%q: %s; said %s; want %q", text, got, said, want)
		}
	}
	schema, _, _ := trains(t, "1.5;2;a;;\n2;1;b;;", Options{}, Choice{})
	for _, later := range []string{"1;2;a", "1;2;a;", "1;2;a;;", "1;2", "1;2;;;;"} {
		if rows, err := all(source(t, later, Options{}), schema, RowOptions{}); err != nil || len(rows) != 1 || !strings.HasSuffix(strings.TrimSpace(strings.TrimSuffix(rows[0], "a ")), " 2") {
			t.Errorf("%q: %q, %v", later, rows, err)
		}
	}
}

// TestNoTable: what is wrong with the file as a whole is said first, and flags for columns are not offered.
func TestNoTable(t *testing.T) {
	wide := func(text string, order func(r rune) []byte) string {
		all := ""
		for _, r := range text {
			all += string(order(r))
		}
		return all
	}
	little := func(r rune) []byte { return []byte{byte(r), 0} }
	big := func(r rune) []byte { return []byte{0, byte(r)} }
	const table = "x,y,c\n1,2,a\n2,1,b\n"
	for text, want := range map[string]string{
		"Report of 2020\n" + table:                                                  "tail -n +2 removes the lines above",
		"Report\nof 2020\n\n" + table:                                               "tail -n +4 removes the lines above",
		"Report,,\n" + table:                                                        "tail -n +2 removes the rows above",
		"Report,,\nof 2020,,\n" + table:                                             "tail -n +3 removes the rows above",
		"Report\n" + strings.ReplaceAll(table, ",", ";"):                            "tail -n +2 removes the rows above",
		"Report; 2020\n" + table:                                                    "tail -n +2 removes the lines above",
		"Report; 2020\nx,c\n1,a\n2,b\n":                                             "tail -n +2 removes the first line, if it is a title",
		"|1x3 Report\n1,a\n2,b\n1.5,a\n":                                            "tail -n +2 removes the first line, if it is a title",
		"Report, 2020\n" + strings.ReplaceAll(table, ",", "\t"):                     "tail -n +2 removes the rows above",
		"Report, 2020\n" + table:                                                    "tail -n +2 removes the rows above",
		"x,y,c\ncm,kg,-\n1,2,a\n2,1,b\n":                                            "sed 2d removes this row",
		"% about\n@RELATION r\n@ATTRIBUTE x REAL\n@DATA\n1,a\n":                     "is an ARFF file",
		"\n@relation 'a b'\n@data\n1,a\n":                                           "is an ARFF file",
		"{\"x\": 1, \"c\": \"a\"}\n{\"x\": 2, \"c\": \"b\"}\n":                      "is JSON",
		"[\n  {\"x\": 1}\n]\n":                                                      "is JSON",
		"{\n\"x\": [1, 2]}\n":                                                       "is JSON",
		"<!DOCTYPE html>\n<html><body>not found</body></html>":                      "is a page in HTML or XML",
		"\n<table><tr><td>1</td></tr></table>":                                      "is a page in HTML or XML",
		"<?xml version='1.0'?>\n<a/>":                                               "is a page in HTML or XML",
		"<!-- saved from url=(0014)about:internet -->\n<html>\n":                    "is a page in HTML or XML",
		"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n":                           "is a page in HTML or XML",
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n": "is a pointer of Git LFS",
		" id | name \n----+------\n  1 | a\n  2 | b\n(2 rows)\n":                    "psql --csv",
		"| x | c |\n|---|:-:|\n| 1 | a |\n":                                         "from Markdown, sed",
		"+---+---+\n| x | c |\n+---+---+\n| 1 | a |\n+---+---+\n":                   "mysql --batch",
		"1 |f alpha\n-1 |f beta\n":                                                  "is Vowpal Wabbit's format",
		"1 1.0 |Metric:3.28 height:1.5 |Says black with\n-1 1.0 'tag|Metric h:2\n":  "is Vowpal Wabbit's format",
		"0 | price:.23 sqft:.25 age:.05 2006\n1 2 'b| price:.18 sqft:.15\n":         "is Vowpal Wabbit's format",
		"|f alpha beta\n|f gamma\n":                                                 "is Vowpal Wabbit's format",
		"__label__a so it is\n__label__b no\n":                                      "is fastText's format: sed",
		"__label__a , so it is\n__label__b, no\n":                                   "is fastText's format: sed",
		"__label__a so it is\n__label__b __label__a no\n":                           "several labels",
		"PK\x03\x04 a workbook":                                                     "is a workbook",
		"\xff\xfe" + wide(table, little):                                            "in UTF-16",
		"\xfe\xff" + wide("\"x\""+table, big):                                       "in UTF-16",
		wide(table, little):                                                         "in UTF-16",
		wide("x\"y"+table, big):                                                     "in UTF-16",
		"x,y,c\n1,2,\"caf\xe9\"\n2,1,\"b\n":                                         "t.csv:2:9: byte 0xe9 is not UTF-8",
		"x,y,c\n1,2,a \"b\"\n2,1,caf\xe9\n":                                         "t.csv:3:8: byte 0xe9 is not UTF-8",
		"x,y,c\n1,2,a,7,8\n2,z,\xe9t\xe9\n":                                         "t.csv:3:5: byte 0xe9 is not UTF-8",
	} {
		_, got, _ := trains(t, text, Options{}, Choice{})
		if !strings.Contains(got, want) || strings.Contains(got, "--category") || strings.Contains(got, "--na") || strings.Contains(got, "--missing") {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"x|y\n-1|2\n-3|4\n", "x|c\n-|-\n1|a\n2|b\n", "1 | apple\n2 | pear\n", "1|a b|2\n3|c d|1\n", "name|c\n1 x|a\n2 y|b\n", "text,c\nhas __label__a,u\nno,v\n", "n <b>|c\n1|a\n2|b\n"} {
		if _, got, _ := trains(t, text, Options{}, Choice{Missing: MissingDrop}); strings.Contains(got, " is ") && strings.Contains(got, "t.csv is") {
			t.Errorf("%q: %s", text, got)
		}
	}
	schema, _, _ := trains(t, table, Options{}, Choice{})
	if _, err := all(source(t, "x,y\n1,2\n\"1,\xe9\n", Options{}), schema, RowOptions{}); err == nil || !strings.Contains(err.Error(), ":3:4: byte 0xe9 is not UTF-8") {
		t.Errorf("a later file: %v", err)
	}
}

// TestCarriageReturns: lines may end with CR alone, in every format.
func TestCarriageReturns(t *testing.T) {
	for _, text := range []string{"x,c\r1,a\r2,b\r", "x,c\r1,a\r2,b", "x c\r1 a\r2 b"} {
		if _, got, _ := trains(t, text, Options{}, Choice{}); got != "x -> c: 1 a |2 b " {
			t.Errorf("%q: %s", text, got)
		}
	}
	if _, got, _ := trains(t, "0 1:1\r1 1:2", Options{Format: "libsvm"}, Choice{}); got != "x1 -> label: 1 0 |2 1 " {
		t.Errorf("LIBSVM: %s", got)
	}
	// A pipe that has no more than a whole line yet does not show how lines end.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := source(t, "", Options{})
	s.file = r
	if _, err := w.WriteString("1,a\r"); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	l, err := s.lines("")
	if err != nil || strings.Join(l.fields, "|") != "1|a" {
		t.Errorf("%v, %v", l, err)
	}
}

// TestCauses: what is wrong with the whole file is named, with what to do.
func TestCauses(t *testing.T) {
	lines := func(n int, row func(i int) string) (text string) {
		for i := range n {
			text += row(i)
		}
		return text
	}
	for text, want := range map[string]string{
		"a^b^c\n1^2^u\n2^1^v\n":                         "each line has '^', as --comma caret reads it",
		"1~2~u\n2~1~v\n":                                "each line has '~', as --comma tilde reads it",
		"1::2::u\n2::1::v\n":                            `each line has "::", and sed 's/::/\t/g' makes tabs of them`,
		"\"1,2,u\"\n\"2,1,v\"\n":                        `each line is in quotes, and sed -E 's/^"(.*)"(\r?)$/\1\2/; s/""/"/g' removes them`,
		"a,b,y\n1,2,u\n2,1,v\na,b,y\n3,1,u\n":           `column "a": "a", want a finite number; remove the line, if it has the names again`,
		"-- dump\nINSERT INTO t VALUES\n(1, 2, 'a');\n": "is a dump of SQL",
		lines(9, func(i int) string { return fmt.Sprintf("(%d),%c\n", i*i%5, 'a'+i%2) }): `sed -E 's/\(([0-9.]+)\)/-\1/g' writes a minus for parentheses`,
		"a,a,y\n1,2,u\n2,1,v\n":                                                                                         `two columns are named "a": rename one, or --drop "a" leaves out both`,
		"a,a,b,y\nmean,std,mean,\n1,2,3,u\n2,3,1,v\n3,1,2,u":                                                            "sed 2d removes this row, if it has units or a second part of the names",
		"height,1.5,2,3.5,4,5\nage,3,1,2,5,4\nclass,a,b,a,b,a\n":                                                        "each line has the values of one column below its name: exchange lines and columns",
		lines(8, func(i int) string { return fmt.Sprintf("%d 2 3 4\n5 6 7 8\n9 name\n", i) }):                           "if each row has 3 lines, paste -d ' ' - - - joins them",
		lines(8, func(i int) string { return fmt.Sprintf("%d,2,3,4,\n5,6,u\n", i) }):                                    "if each row has 2 lines, paste -d ' ' - - joins them",
		lines(40, func(i int) string { return fmt.Sprintf("%dM,%c\n", 1+i%9, 'a'+i%2) }):                                `sed -E 's|([0-9]) ?M|\1e6|g' writes "M" out`,
		lines(40, func(i int) string { return fmt.Sprintf("%d%s,%c\n", 1+i%9, []string{"M", "K", "B"}[i%3], 'a'+i%2) }): `the units "B", "K", "M" must become one, as sed -E 's/([0-9]) ?B/\1e9/g; s/([0-9]) ?K/\1e3/g; s/([0-9]) ?M/\1e6/g' makes them;`,
		lines(40, func(i int) string { return fmt.Sprintf("%d %s,%c\n", 1+i%9, []string{"kg", "g"}[i%2], 'a'+i%2) }):    `the units "g", "kg" must become one; --drop`,
		"text,c\ncafé noir,p\nthé vert,q\nbroken \xf0\x9f\x98 one,p\nété,q\n":                                           "t.csv:4:8: a character of UTF-8 is cut or damaged: 4 others are whole, and 1 are not: iconv -c -f utf8 -t utf8 drops these",
		"text,c\ncaf\xe9 noir,p\nth\xe9 vert,q\n":                                                                       "t.csv:2:4: byte 0xe9 is not UTF-8; convert the file, for example with iconv -f latin1",
	} {
		if _, got, _ := trains(t, text, Options{}, Choice{}); !strings.Contains(got, want) {
			t.Errorf("%.60q: %s, want %s", text, got, want)
		}
	}
	if _, got, _ := trains(t, "a,b,y\n1,2,u\n2,1,v\n", Options{}, Choice{Drop: []string{"a", "b"}}); !strings.Contains(got, "--drop and --columns leave no feature of 3 columns") {
		t.Error(got)
	}
	for name, text := range map[string]string{"caret": "a^b^c\n1^2^u\n2^1^v\n", "tilde": "a~b~c\n1~2~u\n2~1~v\n"} {
		if _, got, _ := trains(t, text, Options{Comma: name}, Choice{}); !strings.HasSuffix(got, ": 1 2 u |2 1 v ") {
			t.Error(got)
		}
	}
	if _, got, _ := trains(t, "a,b,c\n"+lines(8, func(i int) string { return "1,2,x\n1\n" }), Options{}, Choice{}); strings.Contains(got, "paste") {
		t.Error(got)
	}
	for _, text := range []string{"name,a,b\nx,1,2\ny,3,4\n", "a,b,c,d,y\n1,2,3,4,u\n2,3,4,5,v\n", "u,x,y,x,y,x\nv,1,2,1,2,1\n"} {
		if _, got, _ := trains(t, text, Options{}, Choice{}); strings.Contains(got, "exchange") {
			t.Errorf("%q: %s", text, got)
		}
	}
}
