package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
)

// predicts returns what predict prints for a text, from a file and from a stream.
func predicts(t *testing.T, model, text string, args ...string) (file, stream string) {
	t.Helper()
	name := create(t, "new.csv", text)
	var out, remarks strings.Builder
	if err := run(append([]string{"predict", "-m", model, name}, args...), &out, &remarks); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := child(t, append([]string{"predict", "-m", model, "-"}, args...)...)
	cmd.Stdin = struct{ io.Reader }{in} // a pipe
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out.String(), string(got)
}

// TestBlank: a line in gives a line out. In a table of one column a blank line is a row, and in any other
// format it has no class.
func TestBlank(t *testing.T) {
	texts := create(t, "texts.csv", "msg,c\nhello there,ham\nwin a prize,spam\nsee you there,ham\nprize to win,spam\n")
	numbers := create(t, "numbers.csv", "x,c\n1,a\n2,a\n7,b\n8,b\n,b\n")
	pairs := create(t, "t.svm", "1 1:1\n0 2:1\n1 1:2\n0 2:2\n")
	wide := create(t, "wide.csv", "x;y;c\n1;2;a\n\n7;9;b\n2;1;a\n \n8;6;b\n\n")
	for _, c := range []struct {
		train []string
		lines map[string]string
	}{
		{[]string{texts, "--text", "msg"}, map[string]string{
			"msg\nprize\n\nhello\n":         "spam\nspam\nham\n",
			"msg\r\nprize\r\n\r\n":          "spam\nspam\n",
			"msg\n\nprize\n  \n":            "spam\nspam\nspam\n",
			"\nhello\n\nhello":              "spam\nham\nspam\nham\n", // no names: the first line is a row
			"\n\n":                          "spam\nspam\n",
			"msg\n\"hello\n\nthere\"\n\n":   "ham\nspam\n",
			"msg,c\nprize,\n\nhello,\n":     "spam\n\nham\n",
			"sep=;\nmsg;c\nprize;\n\nwin;x": "spam\n\nspam\n",
		}},
		{[]string{numbers, "--missing", "mean"}, map[string]string{"x\n1\n\n8\n": "a\nb\nb\n", "\r\n8": "b\nb\n"}}, // the mean of x is on b's side
		{[]string{numbers, "--missing", "drop"}, map[string]string{"x\n1\n\n8\n": "a\n\nb\n", "\r\n8": "\nb\n", "1\n\n": "a\n\n"}},
		{[]string{wide}, map[string]string{"x;y;c\n\n8;7;\n \t\r\n1;1;\n": "\nb\n\na\n", "8;7;\n\n\n1;1;": "b\n\n\na\n", "\n8;7\n": "\nb\n"}},
		{[]string{pairs}, map[string]string{"1 1:1\n\n0 2:2\n# nothing\n \r\n1 1:1": "1\n\n0\n\n\n1\n"}},
	} {
		model := trained(t, c.train...)
		for text, want := range c.lines {
			format := []string{"--format", "csv"}
			if c.train[0] == pairs {
				format[1] = "libsvm"
			}
			if file, stream := predicts(t, model, text, format...); file != want || stream != want && !strings.HasPrefix(text, "\nmsg") {
				t.Errorf("%q: %q from a file, %q from a stream, want %q", text, file, stream, want)
			}
		}
	}
	model := trained(t, wide)
	if f := mustRead(t, model); f.Data.Rows != 4 {
		t.Errorf("trained on %d rows", f.Data.Rows)
	}
	if file, _ := predicts(t, model, "x;y\n\n8;7\n", "--json"); !strings.HasPrefix(file, "{\"class\":null}\n{\"class\":\"b\"") {
		t.Errorf("--json prints %s", file)
	}
	if e := evaluated(t, model, create(t, "e.csv", "\nx;y;c\n\n8;7;b\n\n1;1;a\n\n\n")); e.Rows != 2 || e.Accuracy != 1 {
		t.Errorf("%+v", e.Figures)
	}
}

// TestBlankAtOnce: whoever writes a blank line to a pipe, and waits, has an answer.
func TestBlankAtOnce(t *testing.T) {
	model := trained(t, create(t, "t.csv", "msg,c\nhello there,ham\nwin a prize,spam\nsee you there,ham\nprize to win,spam\n"), "--text", "msg")
	cmd := child(t, "predict", "-m", model, "-")
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err != nil || err2 != nil || cmd.Start() != nil {
		t.Fatal(err, err2)
	}
	answers := bufio.NewReader(out)
	for _, text := range []string{"", "hello", "", " ", "prize"} {
		want := map[string]string{"hello": "ham\n"}[text]
		if want == "" {
			want = "spam\n"
		}
		if _, err := io.WriteString(in, text+"\n"); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.ReadString('\n'); got != want {
			t.Fatalf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}
