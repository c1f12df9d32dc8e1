package table

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestErrors: each error states the position and the remedy.
func TestErrors(t *testing.T) {
	ids, dates, numbers := "who,b,y\n", "when,b,y\n", "id,b,y\n"
	for i := range 12 {
		ids += fmt.Sprintf("u%d,%d,%c\n", i, i*i%17, 'a'+i%2)
		dates += fmt.Sprintf("2024-01-%02d,%d,%c\n", 1+i%5, i*i%17, 'a'+i%2)
		numbers += fmt.Sprintf("%d,%d,%c\n", 1+i*7919%31, i*i%17, 'a'+i%2)
	}
	for _, c := range []struct {
		text   string
		choice Choice
		want   string
	}{
		{"", Choice{}, "t.csv: no rows"},
		{"a,b,y\n", Choice{}, ""}, // nor has it rows: the next pass finds that
		{"a,b,y\n1,2,no\n1,2\n", Choice{}, "t.csv:3:1: 2 fields separated by ',', want 3 as in the first line; --comma sets the separator"},
		{"a;b;y\n1;2;no\n1;2\n", Choice{}, "t.csv:3:1: 2 fields separated by ';', want 3 as in the first line; --comma sets the separator"},
		{"\ta\ty\n7\t1\tno\n9\t2\tyes\n", Choice{Drop: []string{"unnamed 1"}}, ""}, // the index that pandas writes
		{"a,b,y\n1,\"2,no\n", Choice{}, "t.csv:2:9: extraneous or missing \" in quoted-field: a field with quotes needs quotes around it, and each of its own twice; --comma none reads messages, one a line, as they are"},
		{"a,b,y\n1,J\xfcrgen,no\n1,x,no\n", Choice{}, "t.csv:2:4: byte 0xfc is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8, or -f utf16"},
		{"a,b,y\n1,2,no\n3,4,J\xfcrgen\n", Choice{}, "t.csv:3:6: byte 0xfc is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8, or -f utf16"},
		{"\xff\xfea\x00", Choice{}, "t.csv is text in UTF-16: convert it with iconv -f utf16 -t utf8"},
		{"a,b,y\n1,2,no\n?,2,no\n", Choice{}, "t.csv:3:1: column \"a\": \"?\": the value is missing; train with --missing mean, --missing drop or --drop \"a\""},
		{"a,b,y\n1,2,no\n2,inf,no\n", Choice{}, `t.csv:3:3: column "b": "inf", want a finite number; --na "inf" reads it as a missing value; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n2,1e999,no\n", Choice{}, `t.csv:3:3: column "b": "1e999", want a finite number; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a;b;y\n1,5;2;no\n1.5;2;no\n", Choice{}, `t.csv:3:1: column "a": "1.5", want a finite number with a decimal comma; --decimal point reads it; --drop "a" leaves the column out, --category "a" reads all values as words`},
		{"a,b,y\n1,\"2,5\",no\n1,2,no\n", Choice{}, `t.csv:2:3: column "b": "2,5", want a finite number with a decimal point; --decimal comma reads it; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n", Choice{Label: "kind"}, `t.csv:1:1: no column "kind"; the columns are "a", "b", "y"`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"c"}}, `t.csv:1:1: no column "c"; the columns are "a", "b", "y"`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"a", "b"}}, "t.csv:1:1: --drop and --columns leave no feature of 3 columns, want a label and at least one feature"},
		{"y\nno\nyes\n", Choice{}, "t.csv:1:1: 1 column separated by ',', want a label and at least one feature; --comma sets the separator"},
		{"a,a,y\n1,2,no\n", Choice{Label: "y"}, `t.csv:1:1: two columns are named "a": rename one, or --drop "a" leaves out both`},
		{"a,b,y\n?,2,no\n,3,no\n", Choice{}, `t.csv:1:1: column "a" has no value: --drop "a" leaves it out`},
		{ids, Choice{}, `t.csv:1:1: column "who" has another word in every row, like an id: leave it out with --drop "who", or name it in --category to use its words, or hash them with --text "who"`},
		{dates, Choice{}, `t.csv:1:1: column "when" has dates: leave it out with --drop "when", or name it in --category to use its words`},
		{numbers, Choice{}, `t.csv:1:1: column "id" looks like an id: leave it out with --drop "id", or name it in --columns`},
		{"PassengerId,y\n7,no\n9,yes\n", Choice{}, `t.csv:1:1: column "PassengerId" looks like an id: leave it out with --drop "PassengerId", or name it in --columns`},
		{ids, Choice{Drop: []string{"who"}}, ""},
		{ids, Choice{Category: []string{"who"}}, ""},
		{dates, Choice{Category: []string{"when"}}, ""},
		{numbers, Choice{Columns: []string{"id", "b"}}, ""},
		{"a,b,y\n1,12%,no\n2,8 %,yes\n", Choice{}, `t.csv:2:3: column "b": "12%", want a finite number (2 of 2 values are words); sed -E 's|([0-9]) ?%|\1|g' removes "%"; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a;b;y\n7.804;2,7;no\n7.1;3,1;yes\n", Choice{}, `t.csv:2:7: column "b": "2,7", want a finite number with a decimal point (2 of 2 values are words); --decimal comma reads it; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,$12,no\n2,$7,yes\n3,free,no\n", Choice{}, `t.csv:2:3: column "b": "$12", want a finite number (3 of 3 values are words); sed -E 's|\$([0-9])|\1|g' removes "$"; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,$12,no\n2,free,yes\n3,new,no\n", Choice{}, ""}, // less than half of the words
		{"a,b,y\n1,$12,no\n2,$7,yes\n", Choice{Category: []string{"b"}}, ""},
		{"a,b,y\n1,2,no\n2,-,yes\n3,.,no\n4,7,yes\n", Choice{}, `t.csv:3:3: column "b": "-", want a finite number (2 of 4 values are words, such as "-", "."); --na="-" reads it as a missing value; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n2,<null>,yes\n", Choice{NA: []string{"-"}}, `t.csv:3:3: column "b": "<null>", want a finite number; --na "<null>" reads it as a missing value; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,2,no\n2,-,yes\n3,-9,-\n", Choice{NA: []string{"-", "-9"}, Missing: MissingMean}, ""},
		{"a,b,y\n1,2,no\n2,-,yes\n", Choice{NA: []string{"-"}}, `t.csv:3:3: column "b": "": the value is missing; train with --missing mean, --missing drop or --drop "b"`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"y"}}, `t.csv:1:1: --drop "y" is the label; --label names another`},
		{"a,b,y\n1,2,no\n", Choice{Drop: []string{"y"}, Label: "b"}, ""},
		{"a,b,a,y\n1,2,3,no\n", Choice{Drop: []string{"a"}}, ""},
		{"a,b,a,y\n1,2,3,no\n", Choice{Drop: []string{"a"}, Category: []string{"a"}}, ""},
		{"a,b,a\n1,2,3\n", Choice{Label: "b", Columns: []string{"a"}}, `t.csv:1:1: two columns are named "a": rename one, or --drop "a" leaves out both`},
		{"-a,\"b, m\",y\n-x,2,no\n3,4,no\n", Choice{}, `t.csv:2:1: column "-a": "-x", want a finite number; --na="-x" reads it as a missing value; --drop="-a" leaves the column out, --category="-a" reads all values as words`},
		{"-a,\"b, m\",y\n1,\"x, z\",no\n3,4,no\n", Choice{}, `t.csv:2:3: column "b, m": "x, z", want a finite number; --na "x\\, z" reads it as a missing value; --drop "b\\, m" leaves the column out, --category "b\\, m" reads all values as words`},
		{"a,b,y\n1,\u22127,no\n2,\u22128,yes\n", Choice{}, `t.csv:2:3: column "b": "−7", want a finite number (2 of 2 values are words, such as "−7", "−8"); --drop "b" leaves the column out, --category "b" reads all values as words`}, // a minus sign
		{"a,b,y\n1,1\u202f000,no\n2,2\u202f000,yes\n", Choice{}, `t.csv:2:3: column "b": "1\u202f000", want a finite number (2 of 2 values are words); separators of thousands must be removed; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\n1,>60,no\n2,<=60,yes\n", Choice{}, ""}, // two classes of a number
		{"...1,y\n7,no\n9,yes\n", Choice{}, `t.csv:1:1: column "...1" looks like an id: leave it out with --drop "...1", or name it in --columns`},
		{"a,b,y\n7,2,no\nv,9,3,no\n", Choice{}, "t.csv:3:1: 4 fields separated by ',', want 3 as in the first line: a separator inside a field needs quotes; --comma sets the separator"},
		{"a,b,y\nu,7,2,no\nv,9,3\n", Choice{}, "t.csv:2:1: 4 fields separated by ',', but 3 in the first line and in line 3: a separator inside a field needs quotes"},
		{"a,b,y\nu,7,x,no\nv,9,3,no\n", Choice{}, `t.csv:2:5: column "b": "x", want a finite number; --na "x" reads it as a missing value; --drop "b" leaves the column out, --category "b" reads all values as words`},
		{"a,b,y\nu,7,8,no,\n", Choice{}, "t.csv:2:1: 5 fields separated by ',', want 3 as in the first line: a separator inside a field needs quotes; --comma sets the separator"},
		{"1,2,no\n3,4,5,no\n", Choice{}, "t.csv:2:1: 4 fields separated by ',', want 3 as in the first line: a separator inside a field needs quotes; --comma sets the separator"},
		{",b,y\n7,1,no\n9,2,yes\n", Choice{}, `t.csv:1:1: column "unnamed 1" looks like an id: leave it out with --drop "unnamed 1", or name it in --columns`},
		{",b,y\n7,1,no\n9,2,yes\n", Choice{Drop: []string{"unnamed 1"}}, ""},
		{"a,b,y,\n7,1,no,\n9,2,yes,\n", Choice{Label: "y"}, ""},
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
		fmt.Fprintf(&text, "w%d,%d,%c\n", i/2, i*i%17, 'a'+i%2)
	}
	want := `column "a" has more than 1000 different words: leave it out with --drop "a", or hash its words with --text "a"`
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
			MissingError: s.Name + ":3:3: the label is missing; train with --missing drop, which leaves out the row", MissingMean: "1 3", MissingDrop: "1 3",
		} {
			schema, err := Discover(s, Choice{Label: "y", Missing: rule})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for r, err := range s.Rows(schema, RowOptions{NeedLabel: true}) {
				if err != nil {
					got = []string{err.Error()}
					break
				}
				if r.Class != "" {
					got = append(got, fmt.Sprint(r.X.Value[0]))
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
	for text, want := range map[string]string{"1\n": ": 0 features, want 1 to 16777216", "1 16777217:1\n": ": 16777217 features, want 1 to 16777216"} {
		s, _ = Open(create(t, "t.svm", text), Options{}, true)
		if _, err := Discover(s, Choice{}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s, _ = Open(create(t, "t.svm", "1 999999999:3\n"), Options{}, true)
	if _, err := Discover(s, Choice{}); err == nil || !strings.HasSuffix(err.Error(), "t.svm:1:3: index 999999999, want at most 134217728") {
		t.Error(err)
	}
}

// TestLooksLike: which fields are dates, and which names are those of ids.
func TestLooksLike(t *testing.T) {
	for field, want := range map[string]bool{
		"2024-01-31": true, "2024/1/31": true, "31.01.2024": true, "1/31/2024": true, "02-Jan-2006": true, "Jan 2, 2006": true,
		"2006-01-02 15:04:05": true, "2006-01-02T15:04:05Z": true, "2006-01-02 15:04": true,
		"2024": false, "2024-01": false, "1.2.3": false, "2024-01-31x": false, "192.168.1.1": false, "10.2": false, "May": false, "": false,
	} {
		if isDate(field) != want {
			t.Errorf("%q is a date: %v, want %v", field, !want, want)
		}
	}
	for name, want := range map[string]bool{
		"id": true, "ID": true, "customer_id": true, "row id": true, "Row Number": true, "index": true, "unnamed 1": true, "row.names": true, "rownames": true, "...12": true, "PassengerId": true, "userID": true,
		"width": false, "acid": false, "humid": false, "price index": false, "arid": false, "GRID": false, "rows": false, "idea": false, "": false,
	} {
		if isID(name) != want {
			t.Errorf("%q is a name of ids: %v, want %v", name, !want, want)
		}
	}
}

// TestCompareClasses: numbers by value, and then words. No two names are equal.
func TestCompareClasses(t *testing.T) {
	want := []string{"-1", "0.5", "1", "1.0", "2", "10", "Zebra", "no", "yes"}
	if !Ascending(want, CompareClasses) {
		t.Errorf("%q are not sorted", want)
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, CompareClasses); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if Ascending([]string{"a", "a"}, CompareClasses) || Ascending([]string{"10", "2"}, CompareClasses) {
		t.Error("equal or unsorted names are ascending")
	}
}

// TestIndex: numbers that count the rows are refused under any name, unless the user chose them. Such numbers in few
// rows, or in another order, are not refused.
func TestIndex(t *testing.T) {
	for name, c := range map[string]struct {
		n, first, step, swapped int
		index                   bool
	}{
		"R": {10, 1, 1, 0, true}, "pandas": {50, 0, 1, 0, true}, "few": {9, 1, 1, 0, false}, "from 2": {50, 2, 1, 0, true},
		"from -1": {50, -1, 1, 0, true}, "even": {50, 0, 2, 0, true}, "swapped": {50, 1, 1, 30, false}, "at the end": {50, 1, 1, 48, false},
	} {
		text := "a,obs,y\n"
		for i := range c.n {
			k := i
			if c.swapped > 0 && i == c.swapped {
				k++
			}
			text += fmt.Sprintf("%d,%d,%c\n", i*i%7, c.first+c.step*k, 'a'+i%2)
		}
		_, _, err := read(t, text, Options{}, Choice{})
		want := `t.csv:1:1: column "obs" has whole numbers that never repeat, in the order of the file, like an index, an id or a time: leave it out with --drop "obs", or name it in --columns`
		if c.index != (err != nil) || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		for _, choice := range []Choice{{Drop: []string{"obs"}}, {Columns: []string{"obs"}}} {
			if _, _, err := read(t, text, Options{}, choice); err != nil {
				t.Errorf("%s, %v: %v", name, choice, err)
			}
		}
	}
}

// TestRowNames: R's header names no column for the names of the rows, which are no data. A later
// file may have them or not.
func TestRowNames(t *testing.T) {
	s := source(t, "\"a\",\"b\",\"y\"\n\"1\",1,2,\"no\"\n\"2\",3,?,\"yes\"\n", Options{})
	said := ""
	s.Tell = func(what string) { said = what }
	schema, err := Discover(s, Choice{Missing: MissingMean})
	if err != nil || !strings.HasSuffix(said, `the label is column "y"; it names no column for the names of the rows, as in R`) {
		t.Fatalf("%q, %v", said, err)
	}
	for _, other := range []*Source{s, source(t, "a,b,y\n1,2,no\n3,?,yes\n", Options{}), source(t, "b,a,y\nu,2,1,no\nv,?,3,yes\n", Options{})} {
		rows, err := all(other, schema, RowOptions{})
		if err != nil || !slices.Equal(rows, []string{"1 2 no ", "3 NaN yes "}) {
			t.Errorf("%q, %v", rows, err)
		}
	}
	for r, err := range s.Rows(schema, RowOptions{}) {
		if position := r.At(fmt.Errorf("bad")).Error(); err != nil || !strings.HasSuffix(position, fmt.Sprintf(":%d:9: bad", r.Line)) {
			t.Errorf("%s, %v", position, err)
		}
	}
}

// TestFewNumbers: a column of words may have a few numbers, which are words then. If many rows had
// only numbers, it is a column of numbers with a few words.
func TestFewNumbers(t *testing.T) {
	schema, rows, err := read(t, "drive,y\nf,a\n4,b\nr,a\nf,b\n4,a\n", Options{}, Choice{})
	if err != nil || !slices.Equal(schema.Columns[0].Categories, []string{"4", "f", "r"}) || rows[1] != "1 0 0 b " {
		t.Errorf("%+v, %q, %v", schema, rows, err)
	}
	for n, bad := range map[int]bool{100: false, 101: true} {
		text := "a,y\n" + strings.Repeat("7,b\n", n) + strings.Repeat("u,a\nv,b\n", 2*n)
		schema, _, err := read(t, text, Options{}, Choice{})
		if bad != (err != nil) || bad && !strings.HasPrefix(err.Error(), fmt.Sprintf(`t.csv:%d:1: column "a": "u", want a finite number (404 of 505 values are words, such as "u", "v"); --na "u" `, n+2)) {
			t.Errorf("%d: %v", n, err)
		}
		if !bad && len(schema.Columns[0].Categories) != 3 {
			t.Errorf("%q", schema.Columns[0].Categories)
		}
	}
}

// TestRepeated: rows that repeat an earlier row whole are no evidence that a column decides the label, and
// are reported. Rows that differ in another column are evidence.
func TestRepeated(t *testing.T) {
	var once, twice, other strings.Builder
	for i := range 40 {
		label := []string{"a", "b"}[i*7%13%2]
		row := fmt.Sprintf("%d.5,%s\n", i, label)
		once.WriteString(row)
		twice.WriteString(row + row + row)
		for j := range 3 {
			fmt.Fprintf(&other, "%d.5,%d.25,%s\n", i, 1000*i+j, label)
		}
	}
	for text, want := range map[string][2]bool{"p,y\n" + once.String(): {}, "p,y\n" + twice.String(): {false, true}, "p,q,y\n" + other.String(): {true, false}} {
		s := source(t, text, Options{})
		if _, err := Discover(s, Choice{}); err != nil {
			t.Fatal(err)
		}
		all := warned(s)
		if got := [2]bool{strings.Contains(all, "alone decides"), strings.Contains(all, "80 of 120 rows repeat earlier rows")}; got != want {
			t.Errorf("%.30q: warnings %q, want %v", text, s.Warnings, want)
		}
	}
}
