package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck: only new files, empty files and files of the program's own kind are
// accepted, and nothing is changed by the check.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	input, own, foreign, short, empty := write("input", "x"), write("own", "HEAD and more"), write("foreign", "data"), write("short", "HE"), write("empty", "")
	link, loose := filepath.Join(dir, "link"), filepath.Join(dir, "loose")
	if err := os.Symlink(input, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "nothing"), loose); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Symlink(dir, folder); err != nil {
		t.Fatal(err)
	}
	const foreignError = " exists and was not written by this program; remove it first, or choose another name"
	for _, c := range []struct {
		paths []string
		want  string // "" means accepted
	}{
		{[]string{""}, ""},
		{[]string{filepath.Join(dir, "new")}, ""},
		{[]string{own}, ""},
		{[]string{empty}, ""},
		{[]string{loose}, "-0: " + loose + " is a link that leads to no file"}, // which cannot be replaced
		{[]string{input}, "-0 " + input + " is the input: it would be replaced"},
		{[]string{link}, "-0 " + link + " is the input: it would be replaced"},
		{[]string{filepath.Join(folder, "input")}, "-0 " + filepath.Join(folder, "input") + " is the input: it would be replaced"},
		{[]string{foreign}, "-0: " + foreign + foreignError},
		{[]string{short}, "-0: " + short + foreignError},
		{[]string{dir}, "-0: " + dir + " is not a regular file"},
		{[]string{"", filepath.Join(dir, "no", "new")}, "-1: open " + filepath.Join(dir, "no") + "/.perceptron-"},
		{[]string{own, filepath.Join(folder, "own")}, "-0 and -1 are both " + filepath.Join(folder, "own")},
		{[]string{filepath.Join(dir, "new"), filepath.Join(folder, "new")}, "-0 and -1 are both " + filepath.Join(folder, "new")},
		{[]string{filepath.Join(dir, "new"), filepath.Join(dir, "newer")}, ""},
	} {
		var outputs []File
		for i, path := range c.paths {
			outputs = append(outputs, File{"-" + string('0'+rune(i)), path, "HEAD"})
		}
		err := Check([]string{"-", input}, outputs...)
		if got := ""; err != nil && (c.want == "" || !strings.HasPrefix(err.Error(), c.want)) || err == nil && c.want != got {
			t.Errorf("%q: %v, want %s", c.paths, err, c.want)
		}
	}
	// A user may mean standard output, but - would be a file in the folder.
	if err := Check([]string{input}, File{"-o", "-", "HEAD"}); err == nil || err.Error() != "-o: - is no name for an output file" {
		t.Errorf("-: %v", err)
	}
	for path, want := range map[string]string{input: "x", own: "HEAD and more", foreign: "data", empty: ""} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s has %q, %v", path, text, err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 8 {
		t.Errorf("%d files, want 8: %v", len(files), files)
	}
}
