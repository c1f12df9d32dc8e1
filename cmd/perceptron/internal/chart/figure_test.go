package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
)

// long is a name that is longer than any picture, with letters that XML escapes.
var long = strings.Repeat("<W&", 40)

// figures returns a figure of each kind for the data.
func figures(t *testing.T, d *Data) map[string]*Figure {
	t.Helper()
	all := map[string]*Figure{}
	add := func(kind string, f *Figure, err error) {
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		all[kind] = f
	}
	planes := []perceptron.Hyperplane{{Weights: make([]float64, len(d.Features))}, {Weights: make([]float64, len(d.Features)), Bias: 0.1}}
	planes[1].Weights[0] = 1
	curve := Curve{Class: d.Classes[1]}
	for i, x := range d.X {
		curve.Scores.Add(x[0], d.Class[i] == 1)
	}
	f, err := Regions(d, "training rows", Shown{Name: "online", Planes: planes, Predicted: make([]int, len(d.X))})
	add("regions", f, err)
	f, err = ROC(d.Name, "online", "training rows", []Curve{curve})
	add("roc", f, err)
	f, err = ROC(d.Name, "online", "training rows", []Curve{curve, curve, curve, curve, curve, curve, curve})
	add("seven", f, err)
	f, err = Bound(d)
	add("bound", f, err)
	f, err = Margins(d)
	add("margins", f, err)
	f, err = Updates(d)
	add("updates", f, err)
	return all
}

// hostile returns rows that a line separates, which are hard to draw.
func hostile() map[string]*Data {
	all := map[string]*Data{"clouds": clouds(60, 0.6, 5), "two rows": clouds(2, 0.6, 5)}
	change := func(name string, by func(x []float64)) *Data {
		d := clouds(20, 0.5, 9)
		for _, x := range d.X {
			by(x)
		}
		all[name] = d
		return d
	}
	change("constant column", func(x []float64) { x[1] = 3 })
	change("large", func(x []float64) { x[0], x[1] = 1e99*x[0], 1e99*x[1] })
	change("small", func(x []float64) { x[0], x[1] = 1e-150*x[0], 1e-150*x[1] })
	d := change("uneven", func([]float64) {})
	d.Mean, d.Scale = []float64{0, 0}, []float64{1e-40, 1e60}
	d = change("far from 0", func([]float64) {})
	d.Mean, d.Scale = []float64{1e15, -1e15}, []float64{1, 1e7}
	d = change("small units", func([]float64) {})
	d.Mean, d.Scale = []float64{5e-324, 1}, []float64{1e-300, 1e80}
	d = change("long names", func([]float64) {})
	d.Name, d.Classes, d.Features = long, []string{long, "\xff\n\x01" + long}, []string{long, "\t" + long}
	d = change("five features", func([]float64) {})
	d.Features = []string{"a", "b", "c", "d", "e"}
	for i, x := range d.X {
		d.X[i] = append(x, 7, x[0], -x[1])
	}
	return all
}

// TestFigures: PNG and SVG of every kind are valid, have the right size, and what is
// drawn is finite. Texts are inside the picture and do not overlap.
func TestFigures(t *testing.T) {
	for name, d := range hostile() {
		for kind, f := range figures(t, d) {
			name := name + ", " + kind
			img := decode(t, name, f)
			if got, want := img.Bounds().Max, image.Pt(1280, int(2*f.height)); got != want {
				t.Errorf("%s: the picture has the size %v, want %v", name, got, want)
			}
			if img.At(0, 0) != (color.RGBA{255, 255, 255, 255}) {
				t.Errorf("%s: the corner is %v, want white, for dark pages", name, img.At(0, 0))
			}
			text, err := f.SVG()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if first, _, _ := strings.Cut(string(text), "</title>"); !strings.Contains(string(text)[len(first):len(first)+300], "fill:#FFFFFF") {
				t.Errorf("%s: the SVG has no white background", name)
			}
			if !strings.HasPrefix(string(text), BeginsSVG) || strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
				t.Errorf("%s: the SVG begins %.80q or is not finite", name, text)
			}
			if title := titleOf(t, name, text); title != f.Title {
				t.Errorf("%s: the SVG has the title %q, want %q", name, title, f.Title)
			}
			checkTexts(t, name, f)
		}
	}
}

func decode(t *testing.T, name string, f *Figure) image.Image {
	t.Helper()
	text, err := f.PNG()
	if err != nil || !bytes.HasPrefix(text, []byte(BeginsPNG)) {
		t.Fatalf("%s: the PNG begins %.20q: %v", name, text, err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return img
}

// titleOf returns the title of an SVG, all of which must be valid XML.
func titleOf(t *testing.T, name string, text []byte) (title string) {
	t.Helper()
	in := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := in.Token()
		if err == io.EOF {
			return title
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "title" {
			if err := in.DecodeElement(&title, &start); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// A box is where a text is.
type box struct {
	vg.Rectangle
	text string
}

// checkTexts checks that texts are inside the picture and do not overlap.
func checkTexts(t *testing.T, name string, f *Figure) {
	t.Helper()
	var record recorder.Canvas
	f.draw(draw.NewCanvas(&record, width, f.height))
	var boxes []box
	var turned []bool
	up := false
	for _, action := range record.Actions {
		switch a := action.(type) {
		case *recorder.Push:
			turned = append(turned, up)
		case *recorder.Pop:
			up, turned = turned[len(turned)-1], turned[:len(turned)-1]
		case *recorder.Rotate:
			up = !up
		case *recorder.FillString:
			face := font.DefaultCache.Lookup(a.Font, a.Size)
			at, w, h := a.Point, face.Width(a.String), face.Extents().Ascent*0.8 // of figures and capitals
			b := box{vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: w, Y: h})}, a.String}
			if up { // by a quarter, to the left
				b.Rectangle = vg.Rectangle{Min: vg.Point{X: -at.Y - h, Y: at.X}, Max: vg.Point{X: -at.Y, Y: at.X + w}}
			}
			if b.Min.X < 0 || b.Min.Y < 0 || b.Max.X > width || b.Max.Y > f.height {
				t.Errorf("%s: %q is at %v, outside of the picture", name, b.text, b.Rectangle)
			}
			if a.Size < 6 {
				t.Errorf("%s: %q has the size %v", name, b.text, a.Size)
			}
			for _, other := range boxes {
				if b.Min.X < other.Max.X && other.Min.X < b.Max.X && b.Min.Y < other.Max.Y && other.Min.Y < b.Max.Y {
					t.Errorf("%s: %q and %q overlap: %v and %v", name, b.text, other.text, b.Rectangle, other.Rectangle)
				}
			}
			boxes = append(boxes, b)
		}
	}
	if len(boxes) < 8 {
		t.Errorf("%s: only %d texts are found", name, len(boxes))
	}
}

// TestRegions: each place has the colour of the class with the highest score.
func TestRegions(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := clouds(30, 1, seed)
		d.Classes = []string{"a", "b", "c", "d", "e", "f", "g"}[:2+seed%6]
		d.Mean, d.Scale = []float64{3, -4}, []float64{2, 0.1}
		var planes []perceptron.Hyperplane
		for range d.Classes {
			planes = append(planes, perceptron.Hyperplane{Weights: []float64{r.NormFloat64(), r.NormFloat64()}, Bias: r.NormFloat64()})
		}
		best := func(z []float64) (best int, scores []float64) {
			scores = make([]float64, len(planes))
			for k, h := range planes {
				scores[k], _ = h.Score(z)
				if scores[k] > scores[best] {
					best = k
				}
			}
			return best, scores
		}
		shown := Shown{Name: "online", Planes: planes, Predicted: append(make([]int, 20), d.Class[20:]...)}
		if seed >= 5 { // as if the borders were bent
			shown.Planes, shown.Class = nil, func(z []float64) int {
				k, _ := best(z)
				return k
			}
		}
		f, err := Regions(d, "rows", shown)
		if want := "What online predicts: clouds, 20 of 30 rows right"; err != nil || f.Title != want {
			t.Fatalf("the title is %q, want %q: %v", f.Title, want, err)
		}
		img := decode(t, fmt.Sprint("seed ", seed), f)
		inside := plotted(f)
		checked := 0
		for range 2000 {
			x, y := inside.plot.X.Min+r.Float64()*(inside.plot.X.Max-inside.plot.X.Min), inside.plot.Y.Min+r.Float64()*(inside.plot.Y.Max-inside.plot.Y.Min)
			z := []float64{(x - 3) / 2, (y + 4) / 0.1}
			best, scores := best(z)
			close := false
			for k := range scores {
				close = close || k != best && scores[best]-scores[k] < 0.1
			}
			at := inside.pixel(x, y)
			if got := img.At(at.X, at.Y); !close && got != tint(marks[best].Color, pale) && isTint(got) {
				t.Fatalf("seed %d: (%v, %v) has the colour %v, want %v of class %d", seed, x, y, got, tint(marks[best].Color, pale), best)
			} else if !close && isTint(got) {
				checked++
			}
		}
		if checked < 500 {
			t.Errorf("seed %d: only %d places are checked", seed, checked)
		}
	}
}

func isTint(c color.Color) bool {
	for _, m := range marks {
		if c == tint(m.Color, pale) {
			return true
		}
	}
	return false
}

// area is the visible part of the only panel of a figure, and where it is drawn.
type area struct {
	plot   *plot.Plot
	canvas draw.Canvas
	height vg.Length
}

func plotted(f *Figure) area {
	var record recorder.Canvas
	c := draw.Crop(draw.NewCanvas(&record, width, f.height), edge, -edge, edge, -edge)
	return area{f.panels[0], f.panels[0].DataCanvas(draw.Crop(c, 0, 0, f.drawKey(c)+6, -22)), f.height}
}

func (a area) pixel(x, y float64) image.Point {
	tx, ty := a.plot.Transforms(&a.canvas)
	return image.Pt(int(2*tx(x)), int(2*(a.height-ty(y))))
}

// TestColours: any two marks differ in shape. For readers who see no red, no green or no blue, they
// still differ in colour or lightness (Viénot, Brettel & Mollon 1999).
func TestColours(t *testing.T) {
	sees := map[string][3][3]float64{
		"no red":   {{0.112, 0.888, 0}, {0.112, 0.888, 0}, {0.004, -0.004, 1}},
		"no green": {{0.292, 0.708, 0}, {0.292, 0.708, 0}, {-0.022, 0.022, 1}},
		"no blue":  {{1, 0.15, -0.15}, {0, 0.87, 0.13}, {0, 0.87, 0.13}},
	}
	linear := func(c color.Color) (v [3]float64) {
		r, g, b, _ := c.RGBA()
		for k, u := range []uint32{r, g, b} {
			v[k] = math.Pow(float64(u)/65535, 2.2)
		}
		return v
	}
	for i, m := range marks {
		for j, n := range marks[:i] {
			if fmt.Sprintf("%T", m.Shape) == fmt.Sprintf("%T", n.Shape) || fmt.Sprint(dashes[i]) == fmt.Sprint(dashes[j]) {
				t.Errorf("marks %d and %d have one shape or one dash", i, j)
			}
			for who, matrix := range sees {
				a, b, far := linear(m.Color), linear(n.Color), 0.0
				for k := range matrix {
					d := 0.0
					for l, w := range matrix[k] {
						d += w * (a[l] - b[l])
					}
					far = math.Hypot(far, d)
				}
				if far < 0.05 {
					t.Errorf("%s: the colours of marks %d and %d differ by %.3f only", who, i, j, far)
				}
			}
		}
	}
}

// TestEqual: in the picture of margins, equal distances of rows look equal in every
// direction.
func TestEqual(t *testing.T) {
	d := clouds(20, 0.5, 9)
	d.Mean, d.Scale = []float64{3, -4}, []float64{2, 0.1}
	f, err := Margins(d)
	if err != nil {
		t.Fatal(err)
	}
	var record recorder.Canvas
	c := draw.NewCanvas(&record, width, f.height)
	f.draw(c)
	c = draw.Crop(c, edge, -edge, edge, -edge)
	tiles := draw.Tiles{Cols: 3, Rows: 1, PadX: 12}
	for i, p := range f.panels {
		size := p.DataCanvas(tiles.At(draw.Crop(c, 0, 0, f.drawKey(c)+6, -22), i, 0)).Size()
		x, y := (p.X.Max-p.X.Min)/2/float64(size.X), (p.Y.Max-p.Y.Min)/0.1/float64(size.Y)
		if math.Abs(x/y-1) > 0.01 {
			t.Errorf("panel %d: a point is %v of one feature and %v of the other", i, x, y)
		}
	}
}

// TestRinged: of many rows, those with rings are always drawn.
func TestRinged(t *testing.T) {
	d := clouds(5*mostDrawn, 0.1, 5)
	p, err := flat(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, ringed := range [][]int{{1}, {7, 11, 13}} {
		to := panel("", "x", "y")
		if err := p.add(to, ringed...); err != nil {
			t.Fatal(err)
		}
		rings := 0
		for _, box := range to.GlyphBoxes(to) {
			if box.Size().X == 2*ring.Radius {
				rings++
			}
		}
		if rings != len(ringed) {
			t.Errorf("%d rings are drawn, want %d", rings, len(ringed))
		}
	}
}

// TestKey: the key says how many rows are drawn, and what a slice is.
func TestKey(t *testing.T) {
	all := hostile()
	all["many"], all["all drawn"] = clouds(mostDrawn+1, 0.1, 5), clouds(mostDrawn, 0.1, 5)
	var many metrics.Scores
	for i := range metrics.MostScores + 1 {
		many.Add(0, i == 0)
	}
	f, err := ROC("x", "online", "rows", []Curve{{Class: "yes", Scores: many}})
	if err != nil || f.key[0].text != "yes: AUC 0.5000, average precision 0.0000, of a sample of the rows" || f.key[0].line.Color != blue {
		t.Errorf("the key is %v: %v", f.key, err)
	}
	for name, want := range map[string]string{"many": "2000 of 2001 rows are drawn", "five features": "the slice through the mean row", "all drawn": "predicted wrong"} {
		f := figures(t, all[name])["regions"]
		if last := f.key[len(f.key)-1].text; !strings.HasSuffix(last, want) {
			t.Errorf("%s: the key ends with %q, want %q", name, last, want)
		}
	}
	var s metrics.Scores
	s.Add(1, true)
	s.Add(0, false)
	f, err = ROC("x", "online", "2 rows", []Curve{{Class: "yes", Scores: s, Threshold: 0.5}})
	if err != nil || f.key[0].text != "yes: AUC 1.0000, average precision 1.0000" || f.key[1].text != "predicted, from score 0.5 on" {
		t.Errorf("the key is %v: %v", f.key, err)
	}
}
