package hull

import (
	"math"

	"perceptron/internal/vec"
)

// leap improves α for the rows of the support. The method of conjugate gradients (Hestenes & Stiefel
// 1952) finds the best α for these rows, without the constraint α ≥ 0. leap moves α all the way there,
// or a half, a quarter, … of the way, and sets negative elements to 0. It takes the first of these
// moves that makes ½‖w‖² − Σα smaller (Moré & Toraldo 1991). If no move does, α stays as it is.
//
// Sweeps find the support in few steps. To find the best α for that support, leaps then need about the
// square root of the number of steps that sweeps need.
func (d *descent) leap() {
	rows := d.busy[:0:0]
	for i := range d.moved {
		if d.alpha(i) > 0 {
			rows = append(rows, i)
		}
	}
	delta, lack := d.conjugate(rows)
	share := 1.0
	for ; share > 0x1p-20; share /= 2 {
		v, gain, whole := make([]float64, len(d.w)), 0.0, true
		for k, i := range rows {
			to := d.moved[i] + float64(share*delta[k])
			if to < -d.settled[i].Hi {
				to, whole = -d.settled[i].Hi, false
			}
			step := to - d.moved[i]
			gain += float64(step * lack[k])
			d.move(v, i, step)
		}
		d.work += d.busyWork(rows)
		if length := vec.Norm(v); gain > length*length/2 {
			for k, i := range rows {
				d.moved[i] = max(-d.settled[i].Hi, d.moved[i]+float64(share*delta[k]))
			}
			vec.Axpy(d.w, d.w, 1, v)
			if d.leaps *= 2; !whole {
				d.leaps = max(leastLeap, d.leaps/8)
			}
			return
		}
	}
	d.leaps = leastLeap
}

// conjugate returns delta, the change of each row's α that makes the scores of all these rows about 1.
// lack is 1 minus each row's score before the change.
func (d *descent) conjugate(rows []int) (delta, lack []float64) {
	n := len(rows)
	delta, lack = make([]float64, n), make([]float64, n)
	rest, way, v := make([]float64, n), make([]float64, n), make([]float64, len(d.w))
	for k, i := range rows {
		lack[k] = d.lack(i)
		rest[k] = lack[k]
		way[k] = rest[k] / d.squares[i]
	}
	size := d.weighted(rows, rest)
	for first, m := size, min(d.leaps, 2*n); m > 0 && size > 0x1p-60*first; m-- {
		clear(v)
		for k, i := range rows {
			d.move(v, i, way[k])
		}
		length := vec.Norm(v)
		step := size / (length * length)
		if !(step < math.Inf(1)) {
			break
		}
		vec.Axpy(delta, delta, step, way)
		for k, i := range rows {
			rest[k] -= float64(step * d.score(v, i))
		}
		last := size
		size = d.weighted(rows, rest)
		for k, i := range rows {
			way[k] = rest[k]/d.squares[i] + float64(size/last*way[k])
		}
		d.work += 2 * d.busyWork(rows)
	}
	return delta, lack
}

// weighted returns Σ rest²/‖zᵢ‖² over the rows.
func (d *descent) weighted(rows []int, rest []float64) (sum float64) {
	for k, i := range rows {
		sum += float64(rest[k] * rest[k] / d.squares[i])
	}
	return sum
}
