package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var names = []string{
	"bound-clouds", "bound-iris", "epochs-clouds", "epochs-iris", "margins-clouds",
	"margins-iris", "regions-iris", "updates-clouds", "updates-iris",
}

// defaults returns the options for args, with a new folder for the pictures.
func defaults(t *testing.T, args ...string) options {
	t.Helper()
	o, err := parse(append([]string{"-out", filepath.Join(t.TempDir(), "new", "folder")}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// files returns the files that a run wrote, by name.
func files(t *testing.T, o options) (map[string][]byte, string) {
	t.Helper()
	var out strings.Builder
	if err := run(&out, o); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(o.out)
	if err != nil {
		t.Fatal(err)
	}
	data := map[string][]byte{}
	for _, e := range entries {
		if data[e.Name()], err = os.ReadFile(filepath.Join(o.out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return data, out.String()
}

// TestPictures: a run writes and reports every picture, and the same bytes each time.
func TestPictures(t *testing.T) {
	o := defaults(t)
	all, err := pictures(o)
	if err != nil {
		t.Fatal(err)
	}
	data, out := files(t, o)
	if len(data) != 2*len(names) || len(all) != len(names) || strings.Count(out, "\n") != len(names) {
		t.Fatalf("%d files, want two of each of %d:\n%s", len(data), len(names), out)
	}
	for _, p := range all {
		f, err := p.draw()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(names, p.name) || !strings.Contains(out, p.name+".png, .svg: "+f.title+"\n") {
			t.Errorf("%s: not reported:\n%s", p.name, out)
		}
		again, err := f.png()
		if err != nil || !bytes.Equal(again, data[p.name+".png"]) {
			t.Errorf("%s.png differs from run to run: %v", p.name, err)
		}
		again, err = f.svg()
		if err != nil || !bytes.Equal(again, data[p.name+".svg"]) {
			t.Errorf("%s.svg differs from run to run: %v", p.name, err)
		}
		checkPNG(t, p.name, data[p.name+".png"], f)
		checkSVG(t, p.name, data[p.name+".svg"], f)
	}
}

// checkPNG checks the size (two pixels per point), the white edges and the colours.
func checkPNG(t *testing.T, name string, data []byte, f figure) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	size := image.Rect(0, 0, 1280, int(2*f.height))
	if img.Bounds() != size || size.Dy() < 480 || size.Dy() > 900 {
		t.Errorf("%s: %v, want %v", name, img.Bounds(), size)
	}
	pixels, ok := img.(*image.RGBA)
	if !ok {
		t.Fatalf("%s: %T, want opaque colours", name, img)
	}
	seen := map[color.RGBA]bool{}
	for y := range size.Dy() {
		for x := range size.Dx() {
			c := pixels.RGBAAt(x, y)
			seen[c] = true
			edge := x < 8 || y < 8 || x >= size.Dx()-8 || y >= size.Dy()-8
			if edge && c != (color.RGBA{255, 255, 255, 255}) {
				t.Fatalf("%s: cut off at (%d, %d): %v", name, x, y, c)
			}
		}
	}
	for _, c := range []color.RGBA{black, blue, vermilion} {
		if !seen[c] {
			t.Errorf("%s: no pixel has the colour %v", name, c)
		}
	}
	if len(data) > 200_000 {
		t.Errorf("%s: %d bytes, too many for a README", name, len(data))
	}
}

// checkSVG checks that the XML is well-formed and contains every title, axis name and key
// as text.
func checkSVG(t *testing.T, name string, data []byte, f figure) {
	t.Helper()
	var texts []string
	root := ""
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if root == "" {
				root = e.Name.Local
			}
		case xml.CharData:
			texts = append(texts, strings.TrimSpace(string(e)))
		}
	}
	want := []string{f.title}
	for _, part := range []string{"\n<title>" + f.title + "</title>\n<desc>", "Key: " + f.key[0].text} {
		if !bytes.Contains(data, []byte(part)) {
			t.Errorf("%s: no %q", name, part)
		}
	}
	for _, p := range f.panels {
		if p.X.Label.Text == "" || p.Y.Label.Text == "" {
			t.Errorf("%s: an axis without a name", name)
		}
		want = append(want, p.Title.Text, p.X.Label.Text, p.Y.Label.Text)
	}
	for _, e := range f.key {
		want = append(want, e.text)
	}
	for _, s := range want {
		if !slices.Contains(texts, s) {
			t.Errorf("%s: no text %q", name, s)
		}
	}
	if root != "svg" || bytes.Contains(data, []byte("NaN")) || bytes.Contains(data, []byte("Inf")) {
		t.Errorf("%s: root %q, or a NaN or Inf", name, root)
	}
}

// TestReadme: the pictures of the README are those that the program draws. A few pixels
// may differ, because the plot library smooths edges differently on other machines.
func TestReadme(t *testing.T) {
	s := clouds(100, 0.4, 1)
	for file, drawing := range map[string]func(set) (figure, error){"updates.png": drawUpdates, "margins.png": drawMargins} {
		f, err := drawing(s)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := f.png()
		if err != nil {
			t.Fatal(err)
		}
		there, err := os.ReadFile("../../docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		a, err := png.Decode(bytes.NewReader(there))
		if err != nil {
			t.Fatal(err)
		}
		b, err := png.Decode(bytes.NewReader(drawn))
		if err != nil {
			t.Fatal(err)
		}
		if a.Bounds() != b.Bounds() {
			t.Fatalf("%s is %v, drawn %v", file, a.Bounds(), b.Bounds())
		}
		differ := 0
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				p, q := a.(*image.RGBA).RGBAAt(x, y), b.(*image.RGBA).RGBAAt(x, y)
				for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
					if d*d > 64*64 {
						differ++
						break
					}
				}
			}
		}
		if differ > 200 {
			t.Errorf("docs/%s: %d pixels differ", file, differ)
		}
	}
}

// TestInseparable: if the clouds overlap, the program skips the pictures of bound and
// margins, says so, and draws the others.
func TestInseparable(t *testing.T) {
	data, out := files(t, defaults(t, "-noise", "3"))
	for _, name := range []string{"bound-clouds", "margins-clouds"} {
		if !strings.Contains(out, name+": not drawn: no line separates the two classes by a margin of more than ") {
			t.Errorf("%s: not reported:\n%s", name, out)
		}
		if data[name+".png"] != nil || data[name+".svg"] != nil {
			t.Errorf("%s: drawn, although the clouds overlap", name)
		}
	}
	if len(data) != 14 {
		t.Errorf("%d files, want the 14 others", len(data))
	}
}

// TestFewPoints: the program also draws two points, clouds of deviation 0, and clouds that
// overlap completely.
func TestFewPoints(t *testing.T) {
	for _, args := range [][]string{{"-n", "2", "-noise", "0"}, {"-n", "3"}, {"-noise", "0"}, {"-noise", "100"}} {
		all, err := pictures(defaults(t, args...))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			f, err := p.draw()
			if errors.Is(err, errInseparable) && args[1] == "100" {
				continue
			}
			if err != nil {
				t.Fatalf("%v, %s: %v", args, p.name, err)
			}
			data, err := f.svg()
			if err != nil {
				t.Fatalf("%v, %s: %v", args, p.name, err)
			}
			checkSVG(t, p.name, data, f)
		}
	}
}

// TestFlags: parse rejects bad values and accepts the limits.
func TestFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-n 1", "-n 1, want 2 to 10000 points"},
		{"-n 10001", "-n 10001, want 2 to 10000 points"},
		{"-n x", `invalid value "x" for flag -n`},
		{"-noise -0.1", "-noise -0.1, want a standard deviation of 0 to 100"},
		{"-noise 101", "-noise 101, want a standard deviation of 0 to 100"},
		{"-noise NaN", "-noise NaN, want a standard deviation of 0 to 100"},
		{"-noise +Inf", "-noise +Inf, want a standard deviation of 0 to 100"},
		{"-seed -1", `invalid value "-1" for flag -seed`},
		{"-out=", "-out is empty, want a folder"},
		{"-what", "flag provided but not defined: -what"},
		{"a.csv b.csv", `unexpected argument "b.csv"; flags come before the file`},
		{"-model m", "-model, -label, -x and -y need the name of a CSV file"},
		{"-x length a.csv", "-x and -y: want both or neither"},
	} {
		if _, err := parse(strings.Fields(c.args), io.Discard); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
	for _, args := range [][]string{nil, {"-n", "2"}, {"-n", "10000"}, {"-noise", "0"}, {"-noise", "100"}} {
		if _, err := parse(args, io.Discard); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	if _, err := parse([]string{"-h"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
}

// drawn returns a picture as SVG.
func drawn(t *testing.T, o options, name string) string {
	t.Helper()
	all, err := pictures(o)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(p picture) bool { return p.name == name })
	f, err := all[i].draw()
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.svg()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFlagsDecide: each flag changes the pictures that depend on it, and no others.
func TestFlagsDecide(t *testing.T) {
	o, err := parse([]string{"-n", "7", "-noise", "0.25", "-seed", "9", "-out", "folder"}, io.Discard)
	if want := (options{out: "folder", n: 7, noise: 0.25, seed: 9}); err != nil || o != want {
		t.Errorf("%v: %v, want %v", err, o, want)
	}
	for _, c := range []struct {
		name, flag, value string
		decides           bool
	}{
		{"updates-clouds", "-n", "90", true},
		{"updates-clouds", "-noise", "0.3", true},
		{"updates-clouds", "-seed", "2", true},
		{"epochs-clouds", "-seed", "2", true},
		{"updates-iris", "-seed", "2", true},
		{"updates-iris", "-n", "90", false},
		{"epochs-iris", "-seed", "2", true},
		{"regions-iris", "-seed", "2", true},
		{"regions-iris", "-noise", "0.3", false},
	} {
		if got := drawn(t, defaults(t), c.name) != drawn(t, defaults(t, c.flag, c.value), c.name); got != c.decides {
			t.Errorf("%s with %s %s: the picture changed: %v", c.name, c.flag, c.value, got)
		}
	}
}

// TestNoFolder: the error names a folder that cannot be created.
func TestNoFolder(t *testing.T) {
	o := defaults(t)
	if err := os.MkdirAll(filepath.Dir(o.out), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.out, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(io.Discard, o); err == nil || !strings.Contains(err.Error(), o.out) {
		t.Error(err)
	}
}
