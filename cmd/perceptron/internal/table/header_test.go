package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestIsHeader: which first lines have names.
func TestIsHeader(t *testing.T) {
	for text, want := range map[string]bool{
		"a,b,y/1,2,no":                                  true,
		"1,2,no/3,4,yes/5,6,no":                         false,
		"0,1,y/5.1,3.5,a/4.9,3.0,b":                     true,
		"0,1,y/0,1,a/1,1,b/1,0,a":                       true, // the names recur, but count the columns
		"1,2,y/5.1,3.5,a/4.9,3.0,b":                     true,
		"0,1,2/5.1,3.5,0/4.9,3.0,1":                     true, // pandas without a name for the label
		"0,1,2/5.1,3.5,2/4.9,3.0,1":                     false,
		"0,1,2,3,4/0,0,0,0,4/1,1,1,1,0":                 true,
		"2,3,4/5,6,0/7,8,1":                             false,
		"1,a/1,b":                                       false,
		"5.1,3.5,rare/4.9,3.0,a":                        false, // 5.1 is no name
		"p,x,s/e,x,y/p,b,s":                             false, // words that recur
		"class,cap,odor/p,x,s/e,x,y":                    true,
		"2019,2020,y/1.5,2.5,a/1,2,b":                   true,
		"a,a,y/1,2,no":                                  true, // an error follows: the names are not unique
		"a,a,y/c,d,no/d,c,yes":                          false,
		"1,1,y/5,6,no/7,8,yes":                          false,
		"1,?,no/2,3,yes":                                false,
		",b,y/0,1,no/1,2,yes":                           true, // the index that pandas writes
		",0,1,2/0,5,3,a/1,4,3,b":                        true, // the same above columns without names
		",0,1,y/0,0,1,a/1,1,0,b":                        true,
		",0,1,2/0,5,3,2/1,4,3,1":                        false,
		",0,1,2/,5,3,a/1,4,3,b":                         false, // the first column lacks values, so it is no index
		",,/0,1,2":                                      false,
		"x,,1,y/q,0,1,a/r,1,2,b":                        false, // only the first column is an index
		"1,1,x/5,6,?/7,8,":                              false, // nothing stands under the word
		"a,b,y":                                         true,
		"1,2,3":                                         false,
		"Good phone,1/Bad case,0/Fine cable,1/Poor x,0": false, // 1 is the class
		"0,Good phone/1,Bad case/0,Fine cable":          false,
		"Oslo,17,2/Rome,31,1/Bern,22,2":                 false,
		"Good phone,0/Bad case,0/Fine cable,1":          false,
	} {
		var rows [][]string
		for line := range strings.SplitSeq(text, "/") {
			rows = append(rows, strings.Split(line, ","))
		}
		if got := isHeader(rows); got != want {
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
	// A field without text is no name that a flag asks for.
	if _, rows, err := read(t, "1,,no\n3,4,yes\n5,6,no\n", Options{}, Choice{Missing: MissingMean}); err != nil || len(rows) != 3 {
		t.Errorf("%q, %v", rows, err)
	}
	if _, rows, err := read(t, "a,b,y\nc,d,z\na,d,z\n", Options{Header: "no"}, Choice{}); err != nil || len(rows) != 3 {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestTellRows: if the first line of a later file is unlike that of the training file, a remark
// says so once.
func TestTellRows(t *testing.T) {
	for _, c := range []struct{ first, later, want string }{
		{"a,b,y\n1,2,no\n3,4,yes\n", "b,a\n5,6\n", "[]"},
		{"a,b,y\n1,2,no\n3,4,yes\n", "5,6\n7,8\n", "[t.csv: the first line is a row, unlike in the training file; --header yes or no decides]"},
		{"1,2,no\n3,4,yes\n5,6,no\n", "x2,x1\n8,7\n", "[t.csv: the first line has names, unlike in the training file; --header yes or no decides]"},
	} {
		schema, _, err := read(t, c.first, Options{}, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		s := source(t, c.later, Options{})
		said := []string{}
		s.Tell = func(what string) { said = append(said, strings.ReplaceAll(what, s.Name, "t.csv")) }
		for range 2 {
			if _, err := all(s, schema, RowOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if fmt.Sprint(said) != c.want {
			t.Errorf("%q: %q, want %q", c.later, said, c.want)
		}
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
	want := `t.csv: the first line has names (--header decides); the label is column "y"; numbers have decimal commas`
	if !slices.Equal(said, []string{want}) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestHeaderOfWords: a model of unnamed columns of numbers skips a first line of words alone, as the names in another
// file are. A line with a number or a missing value is a row.
func TestHeaderOfWords(t *testing.T) {
	s := &Schema{Width: 3, Label: Column{Name: "y", Position: 2}, Columns: []Column{{Name: "x1"}, {Name: "x2", Position: 1}}}
	for line, want := range map[string]bool{"height,weight,class": true, "height,weight": true, "1,2,up": false, "1,two": false, "?,weight": false, "height,NA,up": false} {
		if _, has := s.namesOf(strings.Split(line, ","), "auto"); has != want {
			t.Errorf("%s: %v, want %v", line, has, want)
		}
	}
	s.Columns[1].Categories = []string{"new", "old"}
	if _, has := s.namesOf([]string{"height", "old"}, "auto"); has {
		t.Error("a line with a word of the model is taken for names")
	}
}

// TestLaterRowNames: a file whose rows have one field more than the first line has names of the rows, as R writes
// them. For a later file, a remark says so. A repeated name is no name of a row, at any place. For a row with another
// number of fields, the error is about the second line.
func TestLaterRowNames(t *testing.T) {
	schema, _, _ := trains(t, "h,w,y\n1.5,2.5,a\n3.1,4.2,b\n", Options{}, Choice{})
	many := "h,w,y\n"
	for i := range 150 {
		many += fmt.Sprintf("r%d,1,2,a\n", i)
	}
	const taken = ": the first line has one field less than the rows: the first field of each is taken for the name of the row, as R writes it, and not used"
	for text, want := range map[string]string{
		"h,w,y\nr1,1,2,a\nr2,3,4,b\n":   "1 2 a |3 4 b " + taken,
		"h,w,y\n1,5,2,a\n3,1,4,b\n":     "5 2 a |1 4 b " + taken,
		"h,w\n1,5,2\n":                  "5 2  " + taken,
		"h,w,y\n1,5,2,a\n1,1,4,b\n":     taken + `:3:1: the rows have one field more than the first line, and the first is no name of the row, because "1" repeats: a ',' inside a field`,
		many + "r7,1,2,a\n":             `because "r7" repeats`,
		"h,w,y\n\"1,5\",2,a\n":          "want a finite number with a decimal point; --decimal comma reads it",
		"h,w,y\n1,5,2,a\n1,2,a\n":       `:2:1: 4 fields separated by ',', but 3 in the first line and in line 3: a separator inside a field needs quotes`,
		"h,w,y\nr1,1,2,a\nr2,1,5,2,a\n": `:3:1: 5 fields separated by ',', want 4 as in line 2: a separator`,
		"1,5,2\n":                       `1 5 2 : the first line is a row`,
	} {
		s := source(t, text, Options{})
		said := told(s)
		rows, err := all(s, schema, RowOptions{})
		got := strings.ReplaceAll(strings.Join(append(rows, *said...), "|")+fmt.Sprint(err), s.Name, "")
		if !strings.Contains(strings.ReplaceAll(got, " |:", " :"), want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, got, _ := trains(t, many+"r7,1,2,a\n", Options{}, Choice{}); !strings.Contains(got, `because "r7" repeats`) {
		t.Errorf("training: %s", got)
	}
}
