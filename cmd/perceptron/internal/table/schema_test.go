package table

import (
	"slices"
	"strings"
	"testing"
)

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
		{"z,b,a,a\n0,2,1,1\n", RowOptions{}, `:1:1: two columns are named "a": rename one, or --drop "a" leaves out both`},
		{"u,v,w\n0,2,1\n", RowOptions{}, `:1:1: column "a": "u", want a finite number; the first line has none of the names in training, "a", "b", "z"`},
		{"1,2\n", RowOptions{}, `:1:1: no column "a"; the columns are "1", "2"`},
		{"z,b,a\n0,2,1\n", RowOptions{NeedLabel: true}, `:1:1: no column "y"; the columns are "z", "b", "a"`},
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

// TestPandasIndex: names that are numbers are recognised even if the index of pandas, which has no
// name, is a feature.
func TestPandasIndex(t *testing.T) {
	text := ",0,1,y\n1.5,5,6,no\n2.5,7,8,yes\n"
	_, rows, err := read(t, text, Options{}, Choice{Columns: []string{"unnamed 1", "1"}})
	if err != nil || !slices.Equal(rows, []string{"1.5 6 no ", "2.5 8 yes "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestUnnamed: a file with names fits a Schema without, by the order of its columns.
func TestUnnamed(t *testing.T) {
	schema, _, err := read(t, "1,2,no\n3,4,yes\n5,6,no\n", Options{}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := all(source(t, "a,b\n7,8\n", Options{Header: "yes"}), schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"7 8  "}) {
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
		"no columns beside the label":                                          func(s *Schema) { s.Columns = nil },
		`column "y": position 2 of 2, want one that no other column has`:       func(s *Schema) { s.Width = 2 },
		`column "y": position 3 of 3, want one that no other column has`:       func(s *Schema) { s.Label.Position = 3 },
		`column "y": position -1 of 3, want one that no other column has`:      func(s *Schema) { s.Label.Position = -1 },
		"the label has categories":                                             func(s *Schema) { s.Label.Categories = []string{"u"} },
		`missing "never", want error, mean or drop`:                            func(s *Schema) { s.Missing = "never" },
		`column "a": position 1 of 3, want one that no other column has`:       func(s *Schema) { s.Columns[0].Position, s.Columns[1].Position = 1, 0; s.Label.Position = 1 },
		`column "b": position 9 of 3, want one that no other column has`:       func(s *Schema) { s.Columns[1].Position = 9 },
		`two columns are named "a": rename one, or --drop "a" leaves out both`: func(s *Schema) { s.Columns[1].Name = "a" },
		`two columns are named "y": rename one, or --drop "y" leaves out both`: func(s *Schema) { s.Columns[1].Name = "y" },
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
