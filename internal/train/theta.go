package train

// thetaFor returns θ for an iterate of the norm ‖w‖, which only WithinGamma needs, and
// for R². A mistake is y·score ≤ θ.
func (c *Config) thetaFor(norm, r2 float64) float64 {
	switch c.Rule {
	case WithinGamma:
		return c.Gamma / 2 * norm
	case WithinTheta:
		return c.Threshold
	case WithinR:
		return c.Rate * r2
	}
	return 0
}

// squaredNorm returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func (c *Config) squaredNorm(x *Row) float64 {
	if c.Space == Affine {
		return x.square() + 1
	}
	return x.square()
}
