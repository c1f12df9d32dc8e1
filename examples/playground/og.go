//go:build !js

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// preview returns the image that other sites show beside a link to the page: the floor
// kγ meets the dome √k R above the number of mistakes k. Between them is ‖w‖ in the run of
// the proof.
func preview() []byte {
	const width, height = 1200, 630
	p := newPlayground()
	p.restore(start(lastProof))
	b := p.boards[0].problem
	gamma, R, limit := b.gamma, b.R, b.bound()
	X := func(k float64) float64 { return 120 + k*840/limit }
	Y := func(v float64) float64 { return 550 - v*440/(limit*gamma) }
	m := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{
		color.RGBA{0xfb, 0xfb, 0xf9, 0xff}, color.RGBA{0xff, 0xf0, 0xa8, 0xff}, color.RGBA{0xb0, 0x26, 0x7a, 0xff},
		color.RGBA{0x00, 0x70, 0x4f, 0xff}, color.RGBA{0x1b, 0x1e, 0x23, 0xff},
	})
	for i := range width * height {
		x, y := float64(i%width), float64(i/width)
		k := (x - X(0)) / (X(1) - X(0))
		if k < 0.03 {
			continue
		}
		// The distance to a curve is the vertical one times the cosine of its slope.
		scale := (Y(0) - Y(1)) / (X(1) - X(0))
		low, high := math.Abs(y-Y(k*gamma))/math.Hypot(1, scale*gamma), math.Abs(y-Y(math.Sqrt(k)*R))/math.Hypot(1, scale*R/2/math.Sqrt(k))
		dot := math.Hypot(x-X(limit), y-Y(limit*gamma)) / 2
		for _, e := range b.history.entries[1:] {
			dot = min(dot, math.Hypot(x-X(float64(e.k)), y-Y(e.length)))
		}
		shade := 0
		switch {
		case dot < 10:
			shade = 4
		case low < 5:
			shade = 3
		case high < 5 && int(k*3)%3 != 2:
			shade = 2
		case k < limit && y < Y(k*gamma) && y > Y(math.Sqrt(k)*R):
			shade = 1
		}
		m.Pix[i] = uint8(shade)
	}
	var out bytes.Buffer
	png.Encode(&out, m) // a bytes.Buffer returns no error
	return out.Bytes()
}
