package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

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
	if _, err := all(other, schema, RowOptions{Strict: true}); err == nil || !strings.HasSuffix(err.Error(), `:2:4: column "colour": "blue" does not occur in the training file, which has "green", "red"`) {
		t.Error(err)
	}
	if rows, err := all(other, schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"1 0 0 1 0  "}) {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestText: the decimal numbers are those of the file, and words are 1 or 0.
func TestText(t *testing.T) {
	text := "c;a;d;b;y\nred;1,50;u;-2e3;no\nblue;0,10000000000000000001;u;7;yes\n"
	s := source(t, text, Options{})
	schema, err := Discover(s, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, err := range s.Rows(schema, RowOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join(r.Text(), " "))
	}
	if want := []string{"0 1 1.50 1 -2e3", "1 0 0.10000000000000000001 1 7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFill: only missing features are replaced, and none without replacements.
func TestFill(t *testing.T) {
	x := Vector{Value: []float64{1, math.NaN(), 3}}
	if Fill(x, nil); !math.IsNaN(x.Value[1]) {
		t.Error(x)
	}
	if Fill(x, []float64{7, 8, 9}); !slices.Equal(x.Value, []float64{1, 8, 3}) {
		t.Error(x)
	}
	x = Vector{Index: []uint32{1, 2}, Value: []float64{math.NaN(), math.NaN()}}
	if Fill(x, []float64{7, 8, 9}); !slices.Equal(x.Value, []float64{8, 9}) {
		t.Error(x)
	}
}

// TestOneWord: a column of one word is a column of words too.
func TestOneWord(t *testing.T) {
	schema, rows, err := read(t, "a,c,y\n1,red,no\n2,red,yes\n", Options{}, Choice{})
	if err != nil || !slices.Equal(rows, []string{"1 1 no ", "2 1 yes "}) || fmt.Sprint(schema.Names()) != "[a c=red]" {
		t.Errorf("%q, %v", rows, err)
	}
	x := new(Vector)
	if _, err := schema.Encoder(true).Encode(x, []any{1.0, "blue"}); err != nil || x.Value[1] != 0 {
		t.Errorf("%v, %v", x, err)
	}
	if schema, _, err := read(t, "a,c,y\n1,2024-01-02,no\n2,never,yes\n", Options{}, Choice{}); err != nil || schema.Features() != 3 {
		t.Errorf("a date among words: %v", err)
	}
	if _, _, err := read(t, "a,c,y\n1,2024-01-02,no\n2,2024-01-02,yes\n", Options{}, Choice{}); err == nil || !strings.Contains(err.Error(), "has dates") {
		t.Error(err)
	}
}

// TestEncode: rows of values, as a server receives them, give the features of a file.
func TestEncode(t *testing.T) {
	schema := &Schema{Columns: []Column{{Name: "n"}, {Name: "c", Categories: []string{"7", "red"}}}}
	e, x := schema.Encoder(false), new(Vector)
	for _, c := range []struct {
		row  []any
		want string
	}{
		{[]any{1.5, "red"}, "[1.5 0 1]"},
		{[]any{" 2 ", 7.0}, "[2 1 0]"},
		{[]any{nil, "?"}, "[NaN NaN NaN]"},
		{[]any{math.NaN(), math.NaN()}, "[NaN NaN NaN]"},
		{[]any{"x", "red"}, `column "n": "x", want a finite number; if it is a missing value, train with --na "x" and --missing`},
		{[]any{"1,5", "red"}, `column "n": "1,5", want a finite number with a decimal point; --decimal comma reads it`},
		{[]any{math.Inf(1), "red"}, `column "n": "+Inf", want a finite number; if it is a missing value, train with --na "+Inf" and --missing`},
		{[]any{true, "red"}, `column "n": true, want a number or text`},
		{[]any{1.0, true}, `column "c": true, want a number or text`},
		{[]any{1.0, 8.0}, `column "c": "8" does not occur in the training file, which has "7", "red"`},
	} {
		_, err := e.Encode(x, c.row)
		got := fmt.Sprint(x.Value)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.row, got, c.want)
		}
	}
}

// TestEncodeNumbers: a number finds the category of the same value, however the training
// file wrote it. Text does not: predict would not find it either.
func TestEncodeNumbers(t *testing.T) {
	schema := &Schema{Columns: []Column{{Name: "zip", Categories: []string{"-Inf", "1.0", "1.00", "1000025", "2e7"}}}}
	e, x := schema.Encoder(false), new(Vector)
	for _, c := range []struct {
		value any
		want  string
	}{
		{1.0, "[0 1 0 0 0]"}, {1000025.0, "[0 0 0 1 0]"}, {2e7, "[0 0 0 0 1]"}, {"1.00", "[0 0 1 0 0]"}, {"-Inf", "[1 0 0 0 0]"},
		{"1", `column "zip": "1" does not occur`}, {"20000000", `column "zip": "20000000" does not occur`}, {2000025.0, `column "zip": "2000025" does not occur`},
	} {
		_, err := e.Encode(x, []any{c.value})
		got := fmt.Sprint(x.Value)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
		}
	}
}

// TestNotations: numbers in the notations of Go alone are words.
func TestNotations(t *testing.T) {
	for _, field := range []string{"1_0", "2024_01", "0x1p4", "0X1P4", "Inf", "nan", ""} {
		if isNumber(field) {
			t.Errorf("%q is a number", field)
		}
	}
}

// TestNA: the text that a user names is missing, in files and in requests, even if it is a number
// or a word.
func TestNA(t *testing.T) {
	schema, rows, err := read(t, "n,c,y\n1,u,a\n-9,-,b\n2,v,-\n", Options{}, Choice{NA: []string{"-9", "-"}, Missing: MissingMean})
	if err != nil || !slices.Equal(rows, []string{"1 1 0 a ", "NaN NaN NaN b ", "2 0 1  "}) {
		t.Fatalf("%q, %v", rows, err)
	}
	x := new(Vector)
	for _, row := range [][]any{{-9.0, "-"}, {"-9", nil}, {nil, -9.0}} {
		if _, err := schema.Encoder(false).Encode(x, row); err != nil || fmt.Sprint(x.Value) != "[NaN NaN NaN]" {
			t.Errorf("%v: %v, %v", row, x, err)
		}
	}
	if rows, err := all(source(t, "n,c\n-9,u\n", Options{}), schema, RowOptions{}); err != nil || !slices.Equal(rows, []string{"NaN 1 0  "}) {
		t.Errorf("a later file: %q, %v", rows, err)
	}
}
