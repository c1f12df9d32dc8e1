package chart

import (
	"image"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// bent draws regions whose borders bend: an image with the prediction at each of its points.
type bent struct {
	*plane
	class func(z []float64) int
}

// perPoint is the number of the image's dots per point of length: as many as a PNG has.
const perPoint = 2

// Plot draws the image over the whole plot. A dot is grey if its class is not that of the dot before or above.
func (b bent) Plot(c draw.Canvas, p *plot.Plot) {
	w, h := int(perPoint*c.Size().X), int(perPoint*c.Size().Y)
	dots, above, before := image.NewRGBA(image.Rect(0, 0, w, h)), make([]int, w), 0
	for i := range w * h {
		x, y := i%w, i/w // an image begins at the top
		t := b.from(p.X.Min+(float64(x)+0.5)/float64(w)*(p.X.Max-p.X.Min), p.Y.Max-(float64(y)+0.5)/float64(h)*(p.Y.Max-p.Y.Min))
		z := floats.AddScaledTo(make([]float64, len(b.mean)), b.mean, t[0], b.along[0])
		floats.AddScaled(z, t[1], b.along[1])
		k := b.class(z)
		if x > 0 && k != before || y > 0 && k != above[x] {
			dots.Set(x, y, grey)
		} else {
			dots.Set(x, y, tint(marks[k].Color, pale))
		}
		before, above[x] = k, k
	}
	c.DrawImage(c.Rectangle, dots)
}
