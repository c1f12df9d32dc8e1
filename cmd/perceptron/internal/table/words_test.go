package table

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestOtherForms: a column whose values are numbers in another form is refused, and the command that the
// message names makes it a column of numbers.
func TestOtherForms(t *testing.T) {
	command := regexp.MustCompile(`; ((sed|tr) .*) (removes|converts) `)
	for _, form := range []string{"'%d.5'", "’%d’", "%d.3957 kg", "%dms", "%d ppm", "%dcm", "%d km/h", "%d°C", "%d µg", "%d_000", "%d%%", "$%d", "€ %d", "~%d", "fullwidth", "arabic", "bengali", "1e%d m"} {
		text := "a,b,y\n"
		for i := range 24 {
			number := fmt.Sprintf(strings.NewReplacer("fullwidth", "%d", "arabic", "%d", "bengali", "%d").Replace(form), 10+i%8)
			zero := map[string]rune{"fullwidth": '０', "arabic": '٠', "bengali": '০'}[form]
			number = strings.Map(func(r rune) rune {
				if zero != 0 {
					r += zero - '0'
				}
				return r
			}, number)
			text += fmt.Sprintf("%d,%s,%s\n", i*i%17, number, []string{"no", "yes"}[i%2])
		}
		_, err := Discover(source(t, text, Options{}), Choice{})
		if err == nil || !strings.Contains(err.Error(), `--category "b" reads all values as words`) || strings.Contains(err.Error(), "--na") || len([]rune(err.Error()[strings.Index(err.Error(), "t.csv"):])) > 240 {
			t.Errorf("%s: %v", form, err)
			continue
		}
		m := command.FindStringSubmatch(err.Error())
		if m == nil {
			t.Errorf("%s: no command in %v", form, err)
			continue
		}
		cmd := exec.Command("sh", "-c", m[1])
		cmd.Stdin, cmd.Env = strings.NewReader(text), []string{"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		schema, err := Discover(source(t, string(out), Options{}), Choice{})
		if err != nil || schema.Features() != 2 || schema.Columns[1].hasText() {
			t.Errorf("%s: after %s: %v in\n%s", form, m[1], err, out)
		}
	}
	for _, form := range []string{"0x%X", "1.%d.5", "%d-", "(%d)", "1.%dD+03", "\"1,0%d\""} { // no command converts them
		text := "a,b,y\n"
		for i := range 24 {
			text += fmt.Sprintf("%d,"+form+",%s\n", i*i%17, 10+i%8, []string{"no", "yes"}[i%2])
		}
		if _, err := Discover(source(t, text, Options{}), Choice{}); err == nil || !strings.Contains(err.Error(), `--category "b" reads all values as words`) || strings.Contains(err.Error(), "--na") {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// TestCodes: words that begin with a digit, or have one, are words if they name categories.
func TestCodes(t *testing.T) {
	for _, words := range []string{"A11 A12 A13 A14", "1Story 2Story 1.5Fin SLvl SFoyer", "4WD 2WD FWD", "3D 2D none", "Q1 Q2 Q3 Q4", "20-30 30-40 40-50", "1st 2nd 3rd", ">50K <=50K", "red A11 50+"} {
		all, text := strings.Fields(words), "a,b,y\n"
		for i := range 30 {
			text += fmt.Sprintf("%d,%s,%s\n", i*i%17, all[i%len(all)], []string{"no", "yes"}[i%2])
		}
		if schema, err := Discover(source(t, text, Options{}), Choice{}); err != nil || len(schema.Columns[1].Categories) != len(all) {
			t.Errorf("%s: %v, %v", words, schema, err)
		}
	}
}

// TestThousands: between semicolons, a comma in all numbers that have one may separate thousands.
func TestThousands(t *testing.T) {
	for numbers, refused := range map[string]bool{
		"1,234 12 950":     true,
		"12,500 3,250":     true,
		"1,234 0,5 12":     false,
		"0,123 0,456":      false,
		"1,25 1,234":       false,
		"1234,567 1,500 2": false,
	} {
		all, text := strings.Fields(numbers), "a;b;y\n"
		for i := range 12 {
			text += fmt.Sprintf("%d;%s;%s\n", i*i%17, all[i%len(all)], []string{"no", "yes"}[i%2])
		}
		_, err := Discover(source(t, text, Options{}), Choice{})
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "--decimal comma") {
			t.Errorf("%s: %v", numbers, err)
		}
		if _, err := Discover(source(t, text, Options{Decimal: "comma"}), Choice{}); err != nil {
			t.Errorf("%s: --decimal comma: %v", numbers, err)
		}
	}
}

// TestPoints: points of thousands are named where decimals explain them badly, and in no other column. Later
// files get the warning too.
func TestPoints(t *testing.T) {
	for numbers, asked := range map[string]string{
		"2.897 675":             `column "b": the point in numbers such as "2.897" beside "675" may separate thousands, but is read as a decimal mark: remove it, or accept it with --decimal point`,
		"2.897 -675 1.200 3":    `such as "2.897" beside "675"`,
		"912.345 120 7.250":     `such as "912.345" beside "120"`,
		"0.125 1.234 675":       "", // 0.125 is a fraction
		"1.234 2.5 675":         "",
		"1.234 2 31":            "",
		"1.250 2.500 100.000":   "", // three decimals throughout
		"1.234 1675":            "",
		"123.456 512.333 120":   "",
		"1.234e2 675":           "",
		"12.5 3":                "",
		"120 675":               "",
		"1234.567 675 1.200":    "",
		"-1.5 1.200 675 +2.897": "",
	} {
		fields, text := strings.Fields(numbers), "a;b;y\n"
		for i := range 12 {
			text += fmt.Sprintf("%d;%s;%s\n", i*i%10, fields[i%len(fields)], []string{"no", "yes"}[i%2])
		}
		s := source(t, text, Options{})
		schema, err := Discover(s, Choice{})
		if said := warned(s); err != nil || (asked != "") != strings.Contains(said, "thousands") || !strings.Contains(said, asked) {
			t.Errorf("%s: %q, %v", numbers, said, err)
		}
		again := told(s)
		if _, err := all(s, schema, RowOptions{}); err != nil || len(*again) > 0 {
			t.Errorf("%s: after training: %q, %v", numbers, *again, err)
		}
		later := source(t, text, Options{})
		said := told(later)
		for range 2 { // it asks once
			if rows, err := all(later, schema, RowOptions{}); err != nil || len(rows) != 12 {
				t.Errorf("%s: %q, %v", numbers, rows, err)
			}
		}
		if strings.Contains(strings.Join(*said, ""), asked) != true || (len(*said) == 1) != (asked != "") {
			t.Errorf("%s: a later file: %q", numbers, *said)
		}
		s = source(t, text, Options{Decimal: "point"})
		if _, err := Discover(s, Choice{}); err != nil || strings.Contains(warned(s), "thousands") {
			t.Errorf("%s: --decimal point: %q, %v", numbers, s.Warnings, err)
		}
	}
}

// TestLaterThousands: training refuses a comma that may separate thousands, and a later file gets the warning.
func TestLaterThousands(t *testing.T) {
	schema, _, _ := trains(t, "a;b;y\n1;2;no\n3;4;yes\n", Options{}, Choice{Missing: MissingMean})
	for text, asked := range map[string]string{
		"a;b\n5,742;7\n":                    `column "a": the comma in numbers such as "5,742" may separate thousands, but is read as a decimal mark: remove it, or accept it with --decimal comma`,
		"a;b\n5,742;7\n675;3,100\n":         `column "a", "b": the comma in numbers such as "5,742" beside "675"`,
		"5,742;7":                           "thousands",
		"a;b\n5,742;0,5\n":                  "", // a decimal mark, and nothing speaks against it in the other column
		"a;b\n5,742;0,5\n675;1,5\n":         `column "a": the comma in numbers such as "5,742" beside "675"`,
		"a;b\n1,5;2\n":                      "",
		"a,b\n5.742,7\n":                    "",
		"a,b\n2.897,7\n675,7\n":             `"2.897" beside "675"`,
		"a;b\nNULL;7\n2.897;\n675;7\n":      `"2.897" beside "675"`,
		"a;b\n2.897;7\n675;7\n12.500;100\n": `column "a": the point in numbers such as "2.897" beside "675"`,
	} {
		s := source(t, text, Options{})
		said := told(s)
		if _, err := all(s, schema, RowOptions{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := strings.Join(*said, "\n"); strings.Contains(got, "thousands") != (asked != "") || !strings.Contains(got, asked) {
			t.Errorf("%q: %q", text, got)
		}
		mark := map[bool]string{true: "comma", false: "point"}[strings.Contains(text, ";") && !strings.Contains(text, ".")]
		s = source(t, text, Options{Decimal: mark})
		said = told(s)
		if _, err := all(s, schema, RowOptions{}); err != nil || strings.Contains(strings.Join(*said, ""), "thousands") {
			t.Errorf("%q: --decimal %s: %q, %v", text, mark, *said, err)
		}
	}
}

// TestFewRowsForEachWord: a column with less than two rows for each word is refused, as such a label is.
func TestFewRowsForEachWord(t *testing.T) {
	for words, refused := range map[int]bool{40: true, 21: true, 20: false, 10: false} {
		text := "a,b,y\n"
		for i := range 41 {
			text += fmt.Sprintf("%d,%c%c,%s\n", i*i%30, 'a'+i%words%7, 'a'+i%words/7, []string{"no", "yes"}[i%2])
		}
		for _, o := range []Choice{{}, {Category: []string{"b"}}} {
			_, err := Discover(source(t, text, Options{}), o)
			if want := fmt.Sprintf(`column "b" has %d different words in 41 rows, like an id`, words); (refused && o.Category == nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%d words: %v", words, err)
			}
		}
	}
}
