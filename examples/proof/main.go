// Proof shows the proof of Novikoff's theorem, update by update. Two inequalities
// bound the length of the weights. The two sides meet at the largest possible
// number of updates.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"perceptron"
)

// The four points are the logical AND: only (1, 1) has the label +1.
var (
	X = [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y = []int{-1, -1, -1, +1}
)

// best is the hyperplane with the largest margin, 1/√17.
var best = perceptron.Hyperplane{Weights: []float64{2, 2}, Bias: -3}

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run computes R and γ, follows a training, and compares it with the bound.
func run(w io.Writer) error {
	R, err := perceptron.Radius(X, perceptron.Affine)
	if err != nil {
		return err
	}
	gamma, err := perceptron.Gamma(best, X, y, perceptron.Affine)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "No row (x, 1) is longer than R = %.4f. The unit vector u along %v has\n", R, best)
	fmt.Fprintf(w, "y⟨u, x⟩ ≥ γ = %.4f on every row. So each mistake adds at least ηγ to ⟨u, w⟩,\n", gamma)
	fmt.Fprintf(w, "and at most η²R² to ‖w‖².\n\n")
	k, err := follow(w, R, gamma)
	if err != nil {
		return err
	}
	bound := perceptron.MistakeBound(R, gamma)
	fmt.Fprintf(w, "\nηkγ grows as k, and η√k R as √k. They meet at k = (R/γ)² = %.0f.\n", math.Round(bound))
	fmt.Fprintf(w, "made %d mistakes of at most %.0f\n", k, math.Floor(bound))
	return nil
}

// follow trains until every row is right. It prints both inequalities after each
// mistake.
func follow(w io.Writer, R, gamma float64) (k int, err error) {
	const eta = 1 // any rate gives the same mistakes
	p := &perceptron.Online{Rate: eta}
	unit := math.Hypot(math.Hypot(best.Weights[0], best.Weights[1]), best.Bias)
	fmt.Fprintf(w, "%4s  %-10s %8s   %8s   %8s   %8s\n", "k", "mistake", "ηkγ ≤", "⟨u, w⟩ ≤", "‖w‖ ≤", "η√k R")
	// right counts the rows that were right one after another. When it reaches all
	// rows, the weights separate them.
	for right := 0; right < len(X); {
		for i, x := range X {
			updated, err := p.Update(x, y[i])
			if err != nil {
				return k, err
			}
			if right++; !updated {
				continue
			}
			k++
			right = 0
			// The bias is one of the weights: its input is the constant 1.
			h := p.Hyperplane()
			length := math.Hypot(math.Hypot(h.Weights[0], h.Weights[1]), h.Bias)
			along := (best.Weights[0]*h.Weights[0] + best.Weights[1]*h.Weights[1] + best.Bias*h.Bias) / unit
			low, high := eta*float64(k)*gamma, eta*math.Sqrt(float64(k))*R
			fmt.Fprintf(w, "%4d  %v → %+d %8.3f   %8.3f   %8.3f   %8.3f  %s\n", k, x, y[i], low, along, length, high, bar(low, length, high))
			// The factor allows for rounding.
			const rounding = 1 + 1e-12
			if low > along*rounding || along > length*rounding || length > high*rounding {
				return k, fmt.Errorf("update %d violates the theorem", k)
			}
		}
	}
	return k, nil
}

// bar draws the three lengths on one line, with four columns per unit.
func bar(low, length, high float64) string {
	line := []rune{}
	for range int(4*high) + 1 {
		line = append(line, ' ')
	}
	for c := int(4 * low); c < len(line); c++ {
		line[c] = '·'
	}
	line[int(4*low)], line[len(line)-1], line[int(4*length)] = '[', ']', '●'
	return string(line)
}
