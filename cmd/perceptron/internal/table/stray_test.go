package table

import (
	"strings"
	"testing"
)

// TestStray: one quote begins a text, and another ends a later text. They swallow no rows in silence. Between tabs
// they are characters, and between commas they are an error, in training and in later files.
func TestStray(t *testing.T) {
	const train = "text\tc\nfine phone\tgood\nbad sound\tpoor\n"
	const later = "text\tc\nok\tgood\n\"fine phone\tgood\nbad sound\tpoor\nfine case\"\tgood\nbad cable\tpoor\n"
	hash := Choice{Hashing: Hashing{Text: []string{"text"}, Ngrams: []int{1}, Hash: 3}}
	first := func(text string) string { // the label in front
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i, line := range lines {
			text, label, _ := strings.Cut(line, "\t")
			lines[i] = label + "\t" + text
		}
		return strings.Join(lines, "\n")
	}
	for _, order := range []func(string) string{func(s string) string { return s }, first} {
		choice := hash
		choice.Label = "c"
		for _, end := range []string{"\n", "\r\n"} {
			file := strings.ReplaceAll(order(later), "\n", end)
			s := source(t, file, Options{})
			said := told(s)
			schema, err := Discover(s, choice)
			if err != nil || !schema.Unquoted || !strings.Contains(strings.Join(*said, ""), "a quote is a character") {
				t.Fatalf("%q: %+v, %v", file, schema, err)
			}
			if rows, err := all(s, schema, RowOptions{}); err != nil || len(rows) != 5 {
				t.Errorf("%q, %v", rows, err)
			}
			plain, err := Discover(source(t, order(train), Options{}), choice)
			if err != nil {
				t.Fatal(err)
			}
			s = source(t, file, Options{})
			said = told(s)
			for range 2 {
				if rows, err := all(s, plain, RowOptions{}); err != nil || len(rows) != 5 || len(*said) != 1 {
					t.Errorf("later: %q, %v, %q", rows, err, *said)
				}
			}
			file = strings.ReplaceAll(file, "\t", ",")
			if _, err := Discover(source(t, file, Options{}), choice); err == nil || !strings.Contains(err.Error(), ":3:") || !strings.Contains(err.Error(), "tr -d '\"' removes them") {
				t.Error(err)
			}
			if rows, err := all(source(t, file, Options{}), plain, RowOptions{Classes: []string{"good", "poor"}}); err == nil || len(rows) != 1 || !strings.Contains(err.Error(), ":3:") {
				t.Errorf("later: %q, %v", rows, err)
			}
		}
	}
	// Numbers show a row if there is no label, and so do tabs.
	numbers, err := Discover(source(t, "n,text,c\n1,good,u\n2,bad,v\n", Options{}), hash)
	if err != nil {
		t.Fatal(err)
	}
	for text, rows := range map[string]int{
		"n,text\n1,\"good\n2,bad\"\n3,x\n":                 -1,
		"n,text,c\n1,\"good,u\n2,bad\",v\n3,x,u\n":         -1,
		"n,text,c\n1,\"good,u\n2,bad\",w\n3,x,u\n":         2, // w is no class
		"n,text\n1,\"good\n\nand, so\"\n3,x\n":             2,
		"n,text,c\n1,\"good, I say,\nand so\",u\n3,x,u\n":  2,
		"n,text,c\n1,\"Hello,\n2, and bye\",u\n3,\"\",u\n": 2,
	} {
		got, err := all(source(t, text, Options{}), numbers, RowOptions{Classes: []string{"u", "v"}})
		if rows < 0 && err == nil || rows >= 0 && (err != nil || len(got) != rows) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	// Texts of several lines stay one field.
	for _, text := range []string{"text,c\n\"Hello, you\nand bye\",u\nok,v\n", "c,text\nu,\"Hello,\nand bye\"\nv,ok\n",
		"text,c\n\"Dear Ann,\nyour prize waits\",v\nok,u\n"} {
		choice := hash
		choice.Label = "c"
		if _, got, _ := trains(t, text, Options{}, choice); strings.Count(got, "|") != 1 {
			t.Errorf("%q: %s", text, got)
		}
	}
	// A file of a bare quote, after a training file that had none.
	plain, err := Discover(source(t, train, Options{}), hash)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := all(source(t, "text\tc\nfine 5\" phone\tgood\nbad \"sound\"\tpoor\n", Options{}), plain, RowOptions{}); err != nil || len(rows) != 2 {
		t.Errorf("%q, %v", rows, err)
	}
}
