package hull

// Points are the points zᵢ = yᵢxᵢ, or zᵢ = yᵢ(xᵢ, 1).
type Points struct {
	X    [][]float64 // the rows xᵢ: finite, of one length
	Y    []int       // the signs yᵢ: +1 or −1, one for each row
	Ones bool        // whether a 1 is appended to each row
}

// dims returns the number of coordinates of a point. There is at least one point.
func (p *Points) dims() int {
	if p.Ones {
		return len(p.X[0]) + 1
	}
	return len(p.X[0])
}

// column sets a to (zᵢ/ρ, 1) for 1/ρ = scale[0]·scale[1]. Two factors are needed, since
// 1/ρ may be too small or too large for a float64.
func (p *Points) column(a []float64, i int, scale [2]float64) {
	sign := float64(p.Y[i])
	for j, v := range p.X[i] {
		a[j] = sign * v * scale[0] * scale[1]
	}
	if p.Ones {
		a[len(p.X[i])] = sign * scale[0] * scale[1]
	}
	a[len(a)-1] = 1
}
