package hull

import "math"

// opposite looks for two rows with zⱼ = −zᵢ, such as equal rows of both classes. If it finds two, it
// returns the point ½zᵢ + ½zⱼ = 0. It reads the rows about once. A descent would read them many times,
// until αᵢ and αⱼ have grown more than all others.
func (d *descent) opposite() (q Point, ok bool) {
	type signed struct {
		row  int
		sign float64
	}
	first := map[uint64]signed{} // the first row of each hash
	for i := range d.X {
		hash, sign := d.hash(i)
		other, known := first[hash]
		if !known {
			first[hash] = signed{i, sign}
		} else if other.sign == -sign && d.cancel(other.row, i) {
			return Point{Support: []int{other.row, i}, Lambda: []float64{0.5, 0.5}, Direction: d.point().Direction}, true
		}
	}
	return q, false
}

// hash returns a hash of sign·yᵢxᵢ, and sign: the sign of the first element of yᵢxᵢ that is not 0, or 0
// if all elements are 0. So the hash is the same for opposite vectors.
func (d *descent) hash(i int) (hash uint64, sign float64) {
	y, x := float64(d.Y[i]), &d.X[i]
	for k, v := range x.Value {
		if v == 0 {
			continue
		}
		if v *= y; sign == 0 {
			sign = math.Copysign(1, v)
		}
		for _, word := range [...]uint64{uint64(x.At(k)), math.Float64bits(sign * v)} {
			hash = (hash ^ word) * 0x9e3779b97f4a7c15
			hash ^= hash >> 32
		}
	}
	return hash, sign
}

// cancel reports whether zᵢ + zⱼ = 0. It compares the stored elements one by one, because compact has
// given rows with equal values the same form.
func (d *descent) cancel(i, j int) bool {
	a, b, sign := &d.X[i], &d.X[j], -float64(d.Y[i]*d.Y[j])
	if len(a.Value) != len(b.Value) || d.Ones && sign < 0 {
		return false
	}
	for k, v := range a.Value {
		if a.At(k) != b.At(k) || v != sign*b.Value[k] {
			return false
		}
	}
	return true
}
