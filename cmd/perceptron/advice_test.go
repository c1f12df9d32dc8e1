package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestLaterLabels: an error names a label in another form once, with the command that makes it equal. predict accepts
// it as a label.
func TestLaterLabels(t *testing.T) {
	model := func(a, b string) string {
		return trained(t, create(t, "t.csv", fmt.Sprintf("1,u,%s\n2,v,%s\n1,u,%s\n2,v,%s\n", a, b, a, b)))
	}
	for _, c := range []struct{ a, b, later, want string }{
		{"<=50K", ">50K", "<=50K.", `, but may be "<=50K": sed -E 's/\.(\r?)$/\1/' makes them equal`},
		{"0", "1", "1.0", `, but may be "1": sed -E 's/([0-9])\.0+(\r?)$/\1\2/' makes them equal`},
		{"yes", "no", "Yes", `, but may be "yes": sed 's/Yes/yes/' makes them equal`},
		{"a/b", "c.d", "C.D", `, but may be "c.d": sed 's/C\.D/c.d/' makes them equal`},
		{"yes", "no", "perhaps", "; a model learns no new class later: train anew, without -m"},
	} {
		m, later := model(c.a, c.b), create(t, "l.csv", "1,u,"+c.later+"\n2,v,"+c.later+"\n")
		want := fmt.Sprintf("1 %s:1:5: class %q is not among the model's ", later, c.later)
		if got := fails(t, "evaluate", "-m", m, later); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, c.want) {
			t.Error(got)
		}
		if got := fails(t, "train", "-m", m, later); !strings.HasSuffix(got, c.want) {
			t.Error(got)
		}
		if c.later != "perhaps" {
			if got := runs(t, "predict", "-m", m, later); got != c.a+"\n"+c.b+"\n" {
				t.Errorf("%q", got)
			}
		}
	}
	for body, want := range map[string]string{"true": `class true is not among the model's \"False\", \"True\": it may be \"True\"`, `"false"`: `it may be \"False\"`, "7": `class 7 is not among the model's \"False\", \"True\"`} {
		_, url, _ := served(t, model("True", "False"))
		var answer any
		if status, err := send(url+"/update", json.RawMessage(`{"row": [1, "u"], "class": `+body+`}`), &answer); status != 400 || err != nil || !strings.Contains(fmt.Sprint(answer), strings.ReplaceAll(want, `\"`, `"`)) {
			t.Errorf("%s: %d, %v, %v", body, status, answer, err)
		}
	}
}

// TestTagged: labels with a number after a bar are named with the command that removes it.
func TestTagged(t *testing.T) {
	for _, n := range []int{60, 1200} {
		text := ""
		for i := range n {
			text += fmt.Sprintf("%d,%d,%s.|%d\n", i*i%7, i*3%5, []string{"negative", "positive"}[i%2], 1000+i*7)
		}
		if got := fails(t, "train", create(t, "t.csv", text)); !strings.Contains(got, `, each with "|" and a number at its end: sed -E 's/[|][0-9]+(\r?)$/\1/' removes them`) {
			t.Error(got)
		}
	}
	text := ""
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,c%d\n", i*i%7, i*3%5, i)
	}
	if got := fails(t, "train", create(t, "t.csv", text)); strings.Contains(got, "at its end") {
		t.Error(got)
	}
}

// TestManyColumns: the report of a wide table names ten columns of each kind.
func TestManyColumns(t *testing.T) {
	var head, row [3]strings.Builder
	for j := range 400 {
		fmt.Fprintf(&head[0], "n%d,w%d,", j, j)
		for i := range row {
			fmt.Fprintf(&row[i], "%d,%c,", i, 'a'+i)
		}
	}
	text := head[0].String() + "y\n"
	for i := range 12 {
		text += row[i%3].String() + []string{"u", "v"}[i%2] + "\n"
	}
	out := runs(t, "train", create(t, "t.csv", text), "--epochs", "1")
	for line := range strings.Lines(out) {
		if (strings.HasPrefix(line, "codes?") || strings.HasPrefix(line, "words") || strings.HasPrefix(line, "numbers")) && (!strings.Contains(line, "and 390 more") || len(line) > 400) {
			t.Errorf("%.500s", line)
		}
	}
}

// TestWarnsOnce: a warning about rows on disk is printed once, whatever the number of folds.
func TestWarnsOnce(t *testing.T) {
	text := "a,b,y\n"
	for i := range 3000 {
		text += fmt.Sprintf("%d,%d,%s\n", i*i%97, i*7%31, []string{"no", "yes"}[i/1500])
	}
	data := create(t, "t.csv", text)
	for _, flags := range []string{"--holdout 0.2", "--cv 3", ""} {
		out := runs(t, append([]string{"train", data, "--memory", "0", "--waves", "0"}, strings.Fields(flags)...)...)
		if n := strings.Count(out, "in a row have the class"); n != 1 {
			t.Errorf("%q: %d times in\n%s", flags, n, out)
		}
	}
}
