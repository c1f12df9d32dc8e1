package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRemarks: what is legal, but seldom meant, is a warning.
func TestRemarks(t *testing.T) {
	table := func(head string, row func(i int) string) string {
		text := head + "\n"
		for i := range 40 {
			text += row(i) + "\n"
		}
		return create(t, "t.csv", text)
	}
	label := func(names ...string) string {
		return table("x,y", func(i int) string { return fmt.Sprintf("%d.5,%s", i%9, names[i%len(names)]) })
	}
	id := func(name string) string {
		return table(name+",x,y", func(i int) string { return fmt.Sprintf("u%d,%d.5,%d", i%7, i*i%17, i%2) })
	}
	const spelled, ids = "classes differ only in case, spaces, points, quotes or the form of a number, and may be one: ", "is used, though its name says that it is an id"
	for _, c := range []struct {
		data string
		want string
		not  string
	}{
		{label("Yes", "yes", "no"), spelled + `"Yes", "yes"`, `"no"`},
		{label("1", "1.0", "+1", "0"), spelled + `"+1", "1", "1.0"`, `"0"`},
		{label("New York", "new  york", "NewYork", "York"), spelled, `, "York"`},
		{label("a", "b", "1", "2"), "", spelled},
		{label(">50K", ">50K.", "<=50K"), spelled + `">50K", ">50K."`, `"<=50K"`},
		{label(".", "''", "``"), "", spelled}, // tags of punctuation
		{table("zip,x,y", func(i int) string { return fmt.Sprintf("%05d,%d.5,%d", 7000*(i%9), i*i%17, i%2) }), `column "zip" has numbers such as "00000": if they are codes, --category "zip" reads them as words`, spelled},
		{table("h,x,y", func(i int) string { return fmt.Sprintf("0.%d,0%d,%d", i%9, i%7, i%2) }), "", "codes"},
		{id("user_id"), `column "user_id" ` + ids, "\x00"},
		{id("customerId"), `column "customerId" ` + ids, "\x00"},
		{id("patientid"), `column "patientid" ` + ids, "\x00"},
		{id("acid"), "", ids},
		{table("Class,x,y1", func(i int) string { return fmt.Sprintf("%d,%d.5,%d", i%3, i*i%17, i%2) }), `the label is the last column, "y1", but column "Class" has the name of a label: --label "Class" uses it`, "\x00"},
		{table("id,target,b", func(i int) string { return fmt.Sprintf("u%d,%d,%d", i%9, i*i%5, i%2) }), `--label "target" uses it`, "\x00"},
		{table("y,x,class", func(i int) string { return fmt.Sprintf("%d,%d.5,%d", i%3, i*i%17, i%2) }), "", "the name of a label"},
		{table("x,y,z", func(i int) string { return fmt.Sprintf("%d,%d.5,%d", i%3, i*i%17, i%2) }), "", "the name of a label"},
		{id("video"), "", ids},
	} {
		if got := warnings(t, c.data); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("warns %q, want %q", got, c.want)
		}
	}
	if got := warnings(t, id("user_id"), "--category", "user_id"); strings.Contains(got, ids) {
		t.Errorf("a column that is named warns %q", got)
	}
	setosa := ""
	for i, line := range strings.Split(read(t, iris), "\n") {
		if fields := strings.Split(line, ","); i <= 100 && len(fields) == 5 {
			setosa += strings.Join([]string{fields[0], fields[1], fields[4]}, ",") + "\n"
		}
	}
	data := create(t, "setosa.csv", setosa)
	for flags, warns := range map[string]bool{"": true, "--keep last": false, "--holdout 0.3 --keep average": false, "--epochs 1": false, "--threshold 0.5": false} {
		args := append([]string{"--order", "cyclic"}, strings.Fields(flags)...)
		if flags == "" || flags == "--keep last" {
			args = args[2:]
		}
		got := strings.Contains(warnings(t, data, args...), "--keep last predicts with the last weights")
		if warns && !got || !warns && got && flags != "--holdout 0.3 --keep average" {
			t.Errorf("%q: warns %v", flags, got)
		}
	}
}

// TestWord: --word makes a missing value a word in columns of words, and only there.
func TestWord(t *testing.T) {
	data := create(t, "t.csv", "a,b,x,y\nn,?,1,r\n?,n,2,d\nn,NA,?,r\ny,n,4,d\n")
	if got := fails(t, "train", data); !strings.Contains(got, `column "b": "?": the value is missing`) || !strings.HasSuffix(got, `; --word "?" makes it a word`) {
		t.Error(got)
	}
	if got := fails(t, "train", data, "--word", "?"); !strings.Contains(got, `column "b": "NA": the value is missing`) {
		t.Error(got)
	}
	if got := fails(t, "train", data, "--word", "?,NA"); !strings.Contains(got, `column "x": "?": the value is missing`) || strings.Contains(got, "--word") {
		t.Error(got)
	}
	model := trained(t, data, "--word", "?,NA", "--missing", "mean")
	f := mustRead(t, model)
	if got := fmt.Sprint(f.Schema.Names(), f.Fill[:6], f.Schema.Columns[2].Categories); got != "[a=? a=n a=y b=? b=NA b=n x] [0.25 0.5 0.25 0.25 0.25 0.5] []" {
		t.Error(got)
	}
	if got := runs(t, "predict", "-m", model, data); got != "r\nd\nr\nd\n" {
		t.Error(got)
	}
	if got := fails(t, "train", data, "-m", model, "--word", "?"); !strings.Contains(got, "--word cannot be used with -m") {
		t.Error(got)
	}
}

// TestLeaks: a remark names a column of numbers if thresholds on it divide the classes. Of many classes, it names a
// column of two values if one value is one class.
func TestLeaks(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 5))
	table := func(rows int, row func(i int, v float64) string) string {
		text := "u,leak,y\n"
		for i := range rows {
			text += fmt.Sprintf("%.3f,%s\n", g.NormFloat64(), row(i, g.NormFloat64()))
		}
		return create(t, "t.csv", text)
	}
	two := func(v float64) string { return map[bool]string{true: "yes", false: "no"}[v > 0.3] }
	three := func(v float64) string {
		return map[bool]string{true: "high", false: map[bool]string{true: "low", false: "middle"}[v < -0.5]}[v > 0.5]
	}
	const threshold, part = `column "leak" alone decides the label: thresholds on it divide the classes of `, `of the two values of column "leak", one is the class `
	for name, c := range map[string]struct{ data, want string }{
		"two":       {table(60, func(_ int, v float64) string { return fmt.Sprintf("%.3f,%s", v, two(v)) }), threshold + "100.0 %"},
		"many rows": {table(12_000, func(_ int, v float64) string { return fmt.Sprintf("%.6f,%s", v, two(v)) }), threshold + "100.0 %"},
		"one wrong": {table(200, func(i int, v float64) string {
			return fmt.Sprintf("%.3f,%s", v, two(map[bool]float64{true: 0.6 - v, false: v}[i == 7]))
		}), threshold + "99.5 %"},
		"some wrong": {table(200, func(i int, v float64) string {
			return fmt.Sprintf("%.3f,%s", v, two(map[bool]float64{true: 0.6 - v, false: v}[i%15 == 7]))
		}), ""},
		"three": {table(90, func(_ int, v float64) string { return fmt.Sprintf("%.3f,%s", v, three(v)) }), threshold + "100.0 %"},
		"rare":  {table(200, func(i int, v float64) string { return fmt.Sprintf("%.3f,%s", v, two(float64(i/198))) }), ""},
		"noise": {table(200, func(i int, v float64) string { return fmt.Sprintf("%.3f,%s", v, two(g.NormFloat64())) }), ""},
		"one-hot": {table(90, func(_ int, v float64) string {
			return fmt.Sprintf("%d,%s", map[bool]int{true: 1}[three(v) == "low"], three(v))
		}), part + `"low"`},
		"long": {table(1500, func(_ int, v float64) string {
			return fmt.Sprintf("%d,%s", map[bool]int{true: 1}[three(v) == "low"], three(v))
		}), part + `"low"`},
		"words":  {table(90, func(_ int, v float64) string { return fmt.Sprintf("%v,%s", three(v) == "high", three(v)) }), part + `"high"`},
		"nearly": {table(90, func(i int, v float64) string { return fmt.Sprintf("%v,%s", three(v) == "high" && i%8 > 0, three(v)) }), ""},
	} {
		got := warnings(t, c.data, "--epochs", "1")
		if c.want != "" && !strings.Contains(got, c.want) || c.want == "" && (strings.Contains(got, "decides") || strings.Contains(got, "two values")) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
