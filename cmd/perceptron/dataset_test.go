package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMeasured: a label of numbers that were measured or counted is refused, unless --category
// says that they are classes. Codes and few numbers are classes.
func TestMeasured(t *testing.T) {
	table := func(classes, rows int, name func(k int) string) string {
		text := "a,y\n"
		for i := range rows {
			text += fmt.Sprintf("%d,%s\n", i*i%17, name(i%classes))
		}
		return text
	}
	age := func(k int) string { return strconv.Itoa(18 + k) }
	code := func(k int) string { return strconv.Itoa(k) }
	const measured, rare = "numbers that look measured or counted", "classes, more than one for two rows"
	for name, c := range map[string]struct{ text, what string }{
		"fractions":           {table(2, 20, func(k int) string { return strconv.Itoa(k) + ".5" }), measured},
		"decimal commas":      {strings.ReplaceAll(table(3, 20, func(k int) string { return strconv.Itoa(k) + ";5" }), ",", "\t"), ""}, // words
		"whole with a point":  {table(2, 20, func(k int) string { return strconv.Itoa(k) + ".0" }), ""},
		"ages, many rows":     {table(21, 2100, age), measured},
		"twenty ages":         {table(20, 200, age), ""},
		"twenty ages, rare":   {table(20, 199, age), measured},
		"six numbers":         {table(6, 18, age), ""},
		"six numbers, rare":   {table(6, 17, age), measured},
		"five numbers":        {table(5, 5, age), ""},
		"100 codes":           {table(100, 300, code), ""},
		"101 codes":           {table(101, 303, code), measured},
		"digits":              {table(10, 10, code), ""},
		"letters from 0":      {table(26, 260, code), ""},
		"letters from 1":      {table(26, 260, func(k int) string { return strconv.Itoa(k + 1) }), ""},
		"letters as words":    {table(26, 260, func(k int) string { return string(rune('a' + k)) }), ""},
		"words, one row each": {table(21, 21, func(k int) string { return "w" + strconv.Itoa(k) }), rare},
		"words, twenty":       {table(20, 20, func(k int) string { return "w" + strconv.Itoa(k) }), ""},
		"a fifth of the mean": {table(25, 125, code) + strings.Repeat("3,25\n", 1) + strings.Repeat("3,0\n", 4), ""},
		"words, two rows":     {table(21, 42, func(k int) string { return "w" + strconv.Itoa(k) }), ""},
		"numbers and a word":  {table(26, 260, func(k int) string { return strings.Replace(age(k), "18", "x", 1) }), measured},
		"fractions, a word":   {table(3, 30, func(k int) string { return []string{"unknown", "1.5", "2"}[k] }), measured},
		"half are words":      {table(2, 20, func(k int) string { return []string{"x", "1.5"}[k] }), ""},
		"codes and words":     {table(24, 240, func(k int) string { return strings.Replace(strconv.Itoa(k+1), "24", "X", 1) }), ""}, // chromosomes
		"cards":               {table(13, 52, func(k int) string { return strings.Fields("2 3 4 5 6 7 8 9 10 J Q K A")[k] }), ""},
		"dollars":             {table(21, 210, func(k int) string { return "$" + strconv.Itoa(k) }), measured},
		"a gap":               {table(26, 260, func(k int) string { return strconv.Itoa(k + k/25) }), measured},
		"counts":              {table(25, 250, code) + strings.Repeat("3,0\n", 1250) + "2,25\n", measured}, // few rows of the last
		"prices":              {table(21, 21, func(k int) string { return strconv.Itoa(k * k) }), measured},
	} {
		data := create(t, "t.csv", c.text)
		if c.what == "" {
			trained(t, data, "--epochs", "1")
			continue
		}
		got := fails(t, "train", data)
		if !strings.HasPrefix(got, "1 "+data+`: column "y" has `) || !strings.Contains(got, " "+c.what+", such as \"") || !strings.HasSuffix(got, `; is it the label's column? --label names another, --category "y" accepts it`) {
			t.Errorf("%s: %s, want %s", name, got, c.what)
		}
		trained(t, data, "--epochs", "1", "--category", "y")
	}
	data := create(t, "t.svm", strings.ReplaceAll(table(30, 300, func(k int) string { return strconv.Itoa(k * k) })[4:], ",", " 1:"))
	swapped := regexp.MustCompile(`(?m)^(\d+) 1:(\d+)$`).ReplaceAllString(read(t, data), "$2 1:$1")
	data = create(t, "t.svm", swapped)
	if got := fails(t, "train", data); !strings.Contains(got, measured) {
		t.Error(got)
	}
	trained(t, data, "--epochs", "1", "--category", "label")
}

// TestWordColumns: the report has each column of words, with their number.
func TestWordColumns(t *testing.T) {
	args := []string{"train", create(t, "t.csv", mushrooms(100)), "--label", "class", "--epochs", "1"}
	if out := runs(t, args...); !strings.Contains(out, "\nwords              \"cap shape\" (3), \"odor\" (4); each is a feature of 0 and 1\n") {
		t.Errorf("printed\n%s", out)
	}
	var r report
	if err := json.Unmarshal([]byte(runs(t, append(args, "--json")...)), &r); err != nil || fmt.Sprint(r.Words) != "map[cap shape:3 odor:4]" {
		t.Errorf("%v, %v", r.Words, err)
	}
	if out := runs(t, "train", iris, "--epochs", "1"); strings.Contains(out, "\nwords") {
		t.Errorf("printed\n%s", out)
	}
}
