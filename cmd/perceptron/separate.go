package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/coq"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
)

// Separability is decided twice. First Separations computes in float64, for any number of rows, and
// yields bounds on γ that Verify checks. Then, if there is time, Certify computes the exact answer in
// rational numbers of many digits. The first answer shows it the few rows that matter.

// separateCmd decides separability. There are three answers: a hyperplane with its margin, a proof
// that no hyperplane separates the rows, and, if neither is found, an upper bound on the margin.
type separateCmd struct {
	reading `embed:""`
	// Choice is not a part of reading: other commands have a model, which knows its columns.
	table.Choice  `embed:""`
	table.Hashing `embed:""`
	Positive      string        `placeholder:"CLASS" help:"Separate this class from all others."`
	Waves         int           `placeholder:"N" help:"Separate by a bent border: the scaled rows with N waves."`
	Within        float64       `placeholder:"WIDTH" help:"End when (upper − lower)/upper of γ is at most this."`
	Time          time.Duration `placeholder:"30s" help:"End with the bounds known after this time."`
	Coq           string        `placeholder:"FILE" help:"Write a proof for Coq, of the numbers as in the file. Check it with proofs/verify FILE DATA."`
}

// A separation is the answer about the rows of a file, as the report shows it.
type separation struct {
	*separateCmd
	perceptron.Separation
	Rows  int
	Names []string // of the features

	// Theorem is the exact answer, or nil if there is none, for example because it takes too long.
	// Numbers names the numbers that the printed answer is about: the decimal numbers of the file,
	// or the same rounded to float64. The two answers may differ.
	Theorem *coq.Certificate
	Numbers string

	// Planed says that a hyperplane is known to separate the rows. Summed says that no hyperplane
	// does, because a weighted sum of the rows is 0. Without an exact answer, both may be false.
	Planed, Summed bool

	// Proof has a line for each row with a positive multiplier. For tables these rows are few, so
	// that their sum can be checked by hand.
	Proof []string
}

// Listed reports whether n weights or rows are few enough to print.
func (s *separation) Listed(n int) bool { return n <= mostListed }

// NonZeros is the number of weights that are not 0.
func (s *separation) NonZeros() (n int) {
	for _, v := range s.Hyperplane.Weights {
		if v != 0 {
			n++
		}
	}
	return n
}

// Most returns the exact bound on mistakes. If it has more than 15 digits, it is rounded up to six.
func (s *separation) Most() string {
	m := s.Theorem.Mistakes.String()
	if len(m) <= 15 {
		return m
	}
	digits, _ := strconv.Atoi(m[:6])
	return fmt.Sprintf("%.5fe%d", float64(digits+1)/1e5, len(m)-1)
}

// Without --coq, the exact answer is not computed for more than mostNumbers numbers, and not for
// longer than mostTime.
var (
	mostNumbers = 500_000
	mostTime    = 5 * time.Second
)

// mostListed is the largest number of weights, or of rows of a proof, that is printed. For text, both
// may be thousands, which nobody reads.
const mostListed = 1000

// Run separates the rows, verifies the answer and prints it. The exit status is 0 for each
// answer. That no hyperplane separates the rows is a result, not an error.
func (c *separateCmd) Run(p *program) error {
	if err := cmp.Or(dataset.CheckWaves(c.Waves, c.Text), usage.If(c.Coq != "" && c.Waves > 0, "--coq cannot be used with --waves: Coq reads the decimal numbers of the file"),
		safe([]string{c.Data}, output.File{Flag: "--coq", Path: c.Coq, Begins: coq.Begins})); err != nil {
		return err
	}
	c.Choice.Hashing = c.Hashing
	d, err := whole(p, c.reading, c.Choice, c.Waves, c.Coq == "")
	if err != nil {
		return err
	}
	defer d.Src.Close()
	// separate finds the answer. prove then reads the file again for the proof.
	s := &separation{separateCmd: c, Rows: d.Rows[split.Training], Names: d.Schema.Names()}
	if err := s.separate(d); err != nil {
		return d.Blame(err, split.Training)
	}
	if err := s.prove(d); err != nil {
		return err
	}
	return p.show(false, "separation", s)
}

// whole returns a dataset with all rows in memory, whatever their size. It reads them as train does,
// so that a proof is about the rows that train learns. The rows are not scaled, because scaling
// changes the margin; only for waves they are. They are dense if an exact answer may be computed, which needs all features.
func whole(p *program, r reading, c table.Choice, waves int, sparse bool) (*dataset.Dataset, error) {
	d, err := r.dataset(p, c)
	if err != nil {
		return nil, err
	}
	d.Schema.Sparse = d.Schema.Sparse && sparse // proofs for Coq need all features
	d.Waves.Count = waves
	if err = d.CheckWaves(waves); err == nil {
		err = d.Survey(d.Bent())
	}
	if err == nil {
		d.Schema.Sparse = d.Schema.Sparse && d.Rows[split.Training]*d.Schema.Features() > mostNumbers
		err = d.Load()
	}
	if err != nil {
		return nil, errors.Join(err, d.Src.Close())
	}
	return d, nil
}

// positive returns the index of the class to separate from all others: the class that --positive
// names, or else the second of two classes.
func positive(classes []string, name string) (int, error) {
	k := slices.Index(classes, name)
	if name == "" && len(classes) == 2 {
		k = 1
	}
	if k < 0 {
		return 0, fmt.Errorf("set --positive to one of the %d classes %s", len(classes), table.Short(classes))
	}
	return k, nil
}

// separate labels the rows +1 and −1 and separates them. In Affine space, the bias is the weight of
// the 1 in (x, 1), so that the norm of the weights in the margin includes the bias.
func (s *separation) separate(d *dataset.Dataset) error {
	k, err := positive(d.Classes, s.Positive)
	if err != nil {
		return err
	}
	s.Positive = d.Classes[k]
	y, code := d.Y[split.Training], d.Labels()[k]
	for i, label := range y {
		if y[i] = -1; label == code {
			y[i] = +1
		}
	}
	// Verify does not trust Separations. It checks every number from the rows alone. A failure
	// would be a bug in the library, not an error in the data.
	if X := d.X[split.Training]; d.Schema.Sparse {
		X := d.NonZeros[split.Training]
		err = cmp.Or(bracket(s, X, y), perceptron.Verify(s.Separation, X, y))
	} else {
		err = cmp.Or(bracket(s, X, y), perceptron.Verify(s.Separation, X, y))
	}
	if err != nil {
		return err
	}
	s.Planed, s.Summed = s.Separable, !s.Separable && s.Upper == 0
	return nil
}

// bracket improves the bounds on γ until --within or --time ends the search. A better bound takes
// about as long as all bounds before, so that bracket stops if twice the time so far exceeds --time.
func bracket[R perceptron.Row](s *separation, X []R, y []int) error {
	start := time.Now()
	for sep, err := range perceptron.Separations(X, y, perceptron.Affine) {
		if err != nil {
			return err
		}
		s.Separation = sep
		if sep.Upper-sep.Lower <= s.Within*sep.Upper || s.Time > 0 && 2*time.Since(start) > s.Time {
			break
		}
	}
	return nil
}

// prove reads the file again, because neither the line numbers nor the decimal numbers of the rows
// are in memory. It computes the exact answer, if that is possible, and collects the rows that prove
// the answer.
func (s *separation) prove(d *dataset.Dataset) error {
	s.Numbers = "decimal numbers of the file"
	if d.Bent() {
		s.Numbers = "scaled rows with their waves, as float64"
	}
	y := d.Y[split.Training]
	exact := !d.Schema.Sparse && (s.Coq != "" || len(y)*len(s.Hyperplane.Weights) <= mostNumbers)
	var rows coq.Table
	var lines []int
	var classes []string
	err := d.Scan("proving the answer", func(r *table.Row, _ int, _ split.Part) error {
		// This pass yields the same rows in the same order as the pass that loaded the rows.
		i := len(lines)
		lines, classes = append(lines, r.Line), append(classes, r.Class)
		if !exact {
			return nil
		}
		text := r.Text()
		if d.Bent() {
			text = decimals(d.X[split.Training][i])
		}
		err := rows.Add(text, y[i] > 0, r.Line)
		odd, bad := errors.AsType[*coq.NumberError](err)
		if bad && s.Coq == "" {
			exact = false // coq rejects the number, for example 1e-9999
			return nil
		}
		if bad {
			return fmt.Errorf("column %q: %w", s.Names[odd.Feature], odd.Err)
		}
		return err
	})
	if err != nil {
		return err
	}
	if exact {
		if err := s.decide(&rows); err != nil {
			return fmt.Errorf("%s: %w", s.Data, err)
		}
	}
	if s.Theorem == nil && !d.Bent() {
		s.Numbers = "numbers as float64"
	}
	for i, lambda := range s.Multipliers {
		if lambda > 0 {
			s.Proof = append(s.Proof, fmt.Sprintf("%14.6g × line %d: %+d (%s)", lambda, lines[i], y[i], classes[i]))
		}
	}
	return nil
}

// decide computes the exact answer with its proof, and with --coq writes the proof for Coq. Coq
// accepts the proof only if it is right, so nobody need trust this program or its floating-point
// numbers. The report then shows the hyperplane and the multipliers of this proof.
func (s *separation) decide(rows *coq.Table) error {
	limit := mostTime
	if s.Coq != "" {
		limit = math.MaxInt64 // with --coq, there is no time limit
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	theorem, err := rows.Certify(ctx, s.Hyperplane.Weights, s.Hyperplane.Bias, s.Multipliers)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if err != nil {
		return err
	}
	s.Theorem, s.Multipliers = theorem, theorem.Multipliers()
	s.Planed, s.Summed = theorem.Separable, !theorem.Separable
	if theorem.Separable {
		s.Hyperplane.Weights, s.Hyperplane.Bias = theorem.Hyperplane()
	}
	if s.Coq == "" {
		return nil
	}
	return coq.WriteFile(s.Coq, theorem.Write)
}

// decimals returns the exact values of a row: no float64 has more than 767 significant digits.
func decimals(x []float64) (text []string) {
	for _, v := range x {
		digits, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 767, 64), "e")
		text = append(text, strings.TrimRight(digits, "0")+"0e"+exponent)
	}
	return text
}
