package chart

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colour-blind readers can distinguish these colours (Okabe & Ito 2008). Colour never
// carries information alone: shapes or dashes show it too.
var (
	black     = color.RGBA{A: 255}
	blue      = color.RGBA{G: 114, B: 178, A: 255}
	vermilion = color.RGBA{R: 213, G: 94, A: 255}
	green     = color.RGBA{G: 158, B: 115, A: 255}
	purple    = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	orange    = color.RGBA{R: 230, G: 159, A: 255}
	sky       = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	grey      = color.RGBA{R: 110, G: 110, B: 110, A: 255}
)

// MostClasses is the largest number of classes in a picture. Each has its own colour and shape.
const MostClasses = 7

// marks are the glyphs of the rows of each class. dashes are the dash patterns of the curves of
// each class. ring is a circle around a row.
var (
	marks = [MostClasses]draw.GlyphStyle{
		{Color: vermilion, Radius: 2.6, Shape: draw.PyramidGlyph{}},
		{Color: blue, Radius: 2.2, Shape: draw.CircleGlyph{}},
		{Color: green, Radius: 2, Shape: draw.BoxGlyph{}},
		{Color: purple, Radius: 2.6, Shape: draw.CrossGlyph{}},
		{Color: orange, Radius: 2.6, Shape: draw.PlusGlyph{}},
		{Color: sky, Radius: 2.4, Shape: draw.SquareGlyph{}},
		{Color: grey, Radius: 2.6, Shape: draw.TriangleGlyph{}},
	}
	dashes = [MostClasses][]vg.Length{{6, 2}, nil, {1, 2}, {6, 2, 1, 2}, {3, 2}, {10, 3}, {3, 1, 1, 1}}
	ring   = draw.GlyphStyle{Color: black, Radius: 5.5, Shape: draw.RingGlyph{}}
)

// The styles of lines.
var (
	solid  = draw.LineStyle{Color: black, Width: 1.6}
	dashed = draw.LineStyle{Color: black, Width: 1.2, Dashes: []vg.Length{4, 3}}
	chance = draw.LineStyle{Color: grey, Width: 1.4, Dashes: []vg.Length{1, 2}}
)

// pale is the percentage of its class's colour in the tint of a region.
const pale = 18

// tint mixes a percentage of a colour with white.
func tint(of color.Color, percent int) color.Color {
	c := of.(color.RGBA)
	pale := func(v uint8) uint8 { return uint8(255 - (255-int(v))*percent/100) }
	return color.RGBA{R: pale(c.R), G: pale(c.G), B: pale(c.B), A: 255}
}

// The fonts are part of the program, so that a picture looks the same on every machine.
func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }

// style returns the text style for a font size in points.
func style(size vg.Length) text.Style {
	return text.Style{Color: black, Font: font.From(plot.DefaultFont, size), Handler: plot.DefaultTextHandler}
}

// panel returns an empty plot with a title and labelled axes.
func panel(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	// The font sizes suit a README, where the picture is as wide as the text.
	p.Title.TextStyle.Font.Size, p.Title.Padding = 10, 4
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = 10, 9
		axis.Tick.Length, axis.Tick.Marker = 4, ticks{}
	}
	return p
}

// addCurve draws a line through the points, and glyphs on them. It omits a line of width
// 0 and a glyph without a shape.
func addCurve(p *plot.Plot, points plotter.XYs, sty draw.LineStyle, glyph draw.GlyphStyle, step plotter.StepKind) error {
	if len(points) == 0 {
		return nil
	}
	// NewLinePoints rejects points whose coordinates are not finite.
	l, s, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	l.LineStyle, l.StepStyle, s.GlyphStyle = sty, step, glyph
	if sty.Width > 0 {
		p.Add(l)
	}
	if glyph.Shape != nil {
		p.Add(s)
	}
	return nil
}

// thin leaves out each point that looks the same as the last point kept: both coordinates differ
// by less than 1/800 of the size of the plot. It keeps the first and the last point.
func thin(points plotter.XYs, width, height float64) plotter.XYs {
	var kept plotter.XYs
	for i, p := range points {
		if i == 0 || i == len(points)-1 || math.Abs(p.X-kept[len(kept)-1].X) >= width/800 || math.Abs(p.Y-kept[len(kept)-1].Y) >= height/800 {
			kept = append(kept, p)
		}
	}
	return kept
}

// short shortens a name from a file so that it fits below the smallest panel. It replaces
// characters that cannot be printed by spaces.
func short(name string) string {
	runes := []rune(strings.ToValidUTF8(name, "?"))
	for i, r := range runes {
		if !unicode.IsPrint(r) {
			runes[i] = ' '
		}
		if i > 0 && style(10).Width(string(runes[:i])) > 140 {
			return string(runes[:i]) + "…"
		}
	}
	return string(runes)
}

// ticks places the ticks of plot.DefaultTicks. If there is room, all of them have labels, and not
// only the major ticks.
type ticks struct{}

// Ticks returns the ticks of an axis. Their labels have enough digits to differ: 1000.1 and 1000.2
// must not both become 1000.
func (ticks) Ticks(low, high float64) []plot.Tick {
	all := plot.DefaultTicks{}.Ticks(low, high)
	digits := 2 + math.Ceil(math.Log10(max(math.Abs(low), math.Abs(high))/(high-low)))
	labels, room := make([]string, len(all)), 32 // characters below the smallest panel
	for i, t := range all {
		labels[i] = label(t.Value, max(0, int(digits)))
		room -= len(labels[i]) + 2
	}
	for i := range all {
		if room >= 0 || all[i].Label != "" {
			all[i].Label = labels[i]
		}
	}
	return all
}

// label formats a number with at most the given number of digits after its first digit.
func label(v float64, digits int) string {
	// The shortest form of the rounded number has no zeros at its end.
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits, 64), 64)
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', -1, 64), "-", "−")
}

// decades places ticks on an axis of decimal logarithms, at powers of ten. If the axis has less
// than two decades, there are also ticks at 2 and 5 times each power. (plot.LogScale is not used,
// because it reserves space for the axis name at the end of the axis.)
type decades struct{}

// Ticks returns the ticks between two logarithms. If they are more than 6 apart, it skips powers.
func (decades) Ticks(low, high float64) []plot.Tick {
	var places []plot.Tick
	step := max(1, math.Ceil((high-low)/6))
	digits := []float64{1}
	if high-low < 2 {
		digits = []float64{1, 2, 5}
	}
	for exponent := math.Floor(low/step) * step; exponent <= high; exponent += step {
		for _, d := range digits {
			if v := exponent + math.Log10(d); low <= v && v <= high {
				places = append(places, plot.Tick{Value: v, Label: label(d*math.Pow(10, exponent), 0)})
			}
		}
	}
	return places
}
