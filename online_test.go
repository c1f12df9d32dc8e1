package perceptron

import "testing"

func TestOnlineAND(t *testing.T) {
	X, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, -1, -1, +1}
	var p Online
	res, err := p.Fit(X, y)
	if err != nil || res.Stop != Converged {
		t.Fatalf("Fit: %+v, %v", res, err)
	}
	if a, err := Accuracy(&p, X, y); a != 1 || err != nil {
		t.Fatalf("Accuracy = %v, %v", a, err)
	}
}
