package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colour-blind readers can distinguish these colours (Okabe & Ito 2008). Colour never
// carries information alone: shapes or dashes show it too.
var (
	black     = color.RGBA{A: 255}
	blue      = color.RGBA{G: 114, B: 178, A: 255}
	vermilion = color.RGBA{R: 213, G: 94, A: 255}
	green     = color.RGBA{G: 158, B: 115, A: 255}
	grey      = color.RGBA{R: 110, G: 110, B: 110, A: 255}
)

// marks are the glyphs of points, in the order of the classes of a set. ring marks a
// point by a circle around it.
var (
	marks = []draw.GlyphStyle{
		{Color: blue, Radius: 2.2, Shape: draw.CircleGlyph{}},
		{Color: vermilion, Radius: 2.6, Shape: draw.PyramidGlyph{}},
		{Color: green, Radius: 2, Shape: draw.BoxGlyph{}},
		{Color: color.RGBA{R: 204, G: 121, B: 167, A: 255}, Radius: 2.6, Shape: draw.CrossGlyph{}},
		{Color: color.RGBA{R: 230, G: 159, A: 255}, Radius: 2.6, Shape: draw.PlusGlyph{}},
		{Color: color.RGBA{R: 86, G: 180, B: 233, A: 255}, Radius: 2.4, Shape: draw.SquareGlyph{}},
		{Color: grey, Radius: 2.6, Shape: draw.TriangleGlyph{}},
	}
	ring = draw.GlyphStyle{Color: black, Radius: 5.5, Shape: draw.RingGlyph{}}
)

// The styles of lines.
var (
	solid  = draw.LineStyle{Color: black, Width: 1.6}
	dashed = draw.LineStyle{Color: black, Width: 1.2, Dashes: []vg.Length{4, 3}}
	dotted = draw.LineStyle{Color: black, Width: 1.4, Dashes: []vg.Length{1, 2}}
)

// in returns the style in another colour.
func in(c color.Color, sty draw.LineStyle) draw.LineStyle {
	sty.Color = c
	return sty
}

// A figure has a title, panels in rows, and a key. The key is below the panels, where it
// hides no data.
type figure struct {
	title  string
	height vg.Length
	cols   int
	panels []*plot.Plot
	key    []entry
	equal  bool // equal scales on both axes of each panel
}

// An entry of a key is a line, a point or both, and its meaning.
type entry struct {
	text  string
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

// sample returns the width of the line or point before the text.
func (e entry) sample() vg.Length {
	if e.line.Width > 0 {
		return 24
	}
	return 2 * e.glyph.Radius
}

const (
	width vg.Length = 640 // in points: about the width of a README
	edge  vg.Length = 8   // width of the white margin
	dpi             = 144 // two pixels per point
)

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }

// style returns the text style for a font size in points.
func style(size vg.Length) text.Style {
	return text.Style{Color: black, Font: font.From(plot.DefaultFont, size), Handler: plot.DefaultTextHandler}
}

// panel returns an empty plot with a title and labelled axes.
func panel(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size = 10
	p.Title.Padding = 4
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = 9
		axis.Tick.Label.Font.Size = 8
		axis.Tick.Length = 4
		axis.Tick.Marker = ticks{}
	}
	return p
}

// draw draws the figure on the canvas.
func (f figure) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, edge, -edge, edge, -edge)
	title := style(12)
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	c.FillText(title, vg.Point{X: c.Center().X, Y: c.Max.Y}, f.title)

	foot := f.drawKey(c)
	c = draw.Crop(c, 0, 0, foot+6, -22)
	tiles := draw.Tiles{Cols: f.cols, Rows: (len(f.panels) + f.cols - 1) / f.cols, PadX: 12, PadY: 10}
	for i, p := range f.panels {
		tile := tiles.At(c, i%f.cols, i/f.cols)
		if f.equal {
			equalise(p, tile)
		}
		p.Draw(tile)
	}
}

// equalise widens one axis of the plot so that both have the same scale on the canvas.
func equalise(p *plot.Plot, c draw.Canvas) {
	for range 3 { // wider axes may need wider labels, which change the size
		size := p.DataCanvas(c).Size()
		dx, dy := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
		if scale := max(dx/float64(size.X), dy/float64(size.Y)); scale > 0 {
			wider, taller := scale*float64(size.X)-dx, scale*float64(size.Y)-dy
			p.X.Min, p.X.Max = p.X.Min-wider/2, p.X.Max+wider/2
			p.Y.Min, p.Y.Max = p.Y.Min-taller/2, p.Y.Max+taller/2
		}
	}
}

// description returns the text of the figure, for readers who do not see it.
func (f figure) description() string {
	var parts []string
	for _, p := range f.panels {
		part := fmt.Sprintf("%s by %s", p.Y.Label.Text, p.X.Label.Text)
		if p.Title.Text != "" {
			part = p.Title.Text + ": " + part
		}
		parts = append(parts, part)
	}
	var key []string
	for _, e := range f.key {
		key = append(key, e.text)
	}
	return fmt.Sprintf("%s. Key: %s.", strings.Join(parts, "; "), strings.Join(key, "; "))
}

// drawKey draws the key at the bottom of the canvas, in as many lines as it needs. It
// returns their height.
func (f figure) drawKey(c draw.Canvas) vg.Length {
	const gap, line = 18, 14
	sty := style(9)
	sty.YAlign = draw.YCenter
	var rows [][]entry
	var widths []vg.Length
	for _, e := range f.key {
		w := e.sample() + 4 + sty.Width(e.text) + gap
		if last := len(rows) - 1; last >= 0 && widths[last]+w <= c.Size().X {
			rows[last], widths[last] = append(rows[last], e), widths[last]+w
		} else {
			rows, widths = append(rows, []entry{e}), append(widths, w)
		}
	}
	for i, row := range rows {
		at := vg.Point{
			X: c.Center().X - (widths[i]-gap)/2,
			Y: c.Min.Y + line*(vg.Length(len(rows)-1-i)+0.5),
		}
		for _, e := range row {
			if e.line.Width > 0 {
				c.StrokeLine2(e.line, at.X, at.Y, at.X+e.sample(), at.Y)
			}
			if e.glyph.Shape != nil {
				c.DrawGlyph(e.glyph, vg.Point{X: at.X + e.sample()/2, Y: at.Y})
			}
			at.X += e.sample() + 4
			c.FillText(sty, vg.Point{X: at.X, Y: at.Y + 1}, e.text)
			at.X += sty.Width(e.text) + gap
		}
	}
	return line * vg.Length(len(rows))
}

// png returns the figure as a PNG file.
func (f figure) png() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(width, f.height), vgimg.UseDPI(dpi))
	f.draw(draw.New(c))
	var out bytes.Buffer
	if err := png.Encode(&out, c.Image()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// svg returns the figure as an SVG file.
func (f figure) svg() ([]byte, error) {
	c := vgsvg.New(width, f.height)
	f.draw(draw.New(c))
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return nil, err
	}
	// Arial and Helvetica have the same widths. They replace Liberation Sans if it is
	// not installed.
	const family = "font-family:Liberation Sans"
	drawing := bytes.ReplaceAll(out.Bytes(), []byte(family), []byte(family+",Arial,Helvetica,sans-serif"))
	var words bytes.Buffer
	for _, part := range [][2]string{{"title", f.title}, {"desc", f.description()}} {
		fmt.Fprintf(&words, "\n<%s>", part[0])
		if err := xml.EscapeText(&words, []byte(part[1])); err != nil {
			return nil, err
		}
		fmt.Fprintf(&words, "</%s>", part[0])
	}
	root := bytes.Index(drawing, []byte("<svg"))
	first := root + bytes.IndexByte(drawing[root:], '>') + 1
	return slices.Insert(drawing, first, words.Bytes()...), nil
}

// save writes the figure to name.png and name.svg.
func (f figure) save(name string) error {
	image, err := f.png()
	if err != nil {
		return fmt.Errorf("%s.png: %w", name, err)
	}
	drawing, err := f.svg()
	if err != nil {
		return fmt.Errorf("%s.svg: %w", name, err)
	}
	if err := os.WriteFile(name+".png", image, 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".svg", drawing, 0o644)
}
