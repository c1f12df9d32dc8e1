package chart

import (
	"image"
	"image/color"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// bent draws regions whose borders bend: an image with the prediction at each of its points.
type bent struct {
	*plane
	class func(z []float64) (k int, ok bool)
}

// perPoint is the number of the image's dots per point of length: as many as a PNG has.
const perPoint = 2

// Plot draws the image over the whole plot.
func (b bent) Plot(c draw.Canvas, p *plot.Plot) {
	size := c.Size()
	w, h := int(perPoint*size.X), int(perPoint*size.Y)
	classes := make([]int, (w+1)*(h+1)) // one more, so that each dot has neighbours
	z := make([]float64, len(b.mean))
	for i := range classes {
		// The middle of the dot. An image begins at the top.
		x, y := (float64(i%(w+1))+0.5)/float64(w), (float64(i/(w+1))+0.5)/float64(h)
		t := b.from(p.X.Min+x*(p.X.Max-p.X.Min), p.Y.Max-y*(p.Y.Max-p.Y.Min))
		copy(z, b.mean)
		floats.AddScaled(z, t[0], b.along[0])
		floats.AddScaled(z, t[1], b.along[1])
		var ok bool
		if classes[i], ok = b.class(z); !ok {
			classes[i] = -1
		}
	}
	dots := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, k := range classes {
		x, y := i%(w+1), i/(w+1)
		switch {
		case x == w || y == h:
		case k != classes[i+1] || k != classes[i+w+1]:
			dots.Set(x, y, grey)
		case k < 0: // no class: the row is too large
			dots.Set(x, y, color.White)
		default:
			dots.Set(x, y, tint(marks[k].Color, pale))
		}
	}
	c.DrawImage(c.Rectangle, dots)
}
