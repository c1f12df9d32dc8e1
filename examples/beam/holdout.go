package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"perceptron"
)

// test prints the accuracy of a state on the shards of -holdout, if there are any.
func (c *config) test(ctx context.Context, w io.Writer, s State) error {
	if len(c.held) == 0 {
		return nil
	}
	m, err := c.origin.predictor(ctx, c.learner, s)
	if err != nil {
		return err
	}
	right, rows := 0, 0
	for _, shard := range c.held {
		// Sparse rows may have features that no row of the training has.
		_, err := c.reading().each(ctx, shard, map[bool]int{true: s.Features}[c.Format == rowsFormat], origin{}, func(all examples) error {
			first := rows
			for x, y := range all {
				label, err := x.predict(m, s.Features)
				if err != nil || y != +1 && y != -1 {
					return &perceptron.ExampleError{Index: rows - first, Err: cmp.Or(err, fmt.Errorf("%w: %d", perceptron.ErrLabel, y))}
				}
				rows++
				if label == y {
					right++
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("-holdout: %w", err)
		}
	}
	_, err = fmt.Fprintf(w, "round %d: %.2f %% of %s held out are right\n", s.Round, 100*float64(right)/float64(max(rows, 1)), count(rows, "row"))
	return err
}

// predict returns the label that a model of some features predicts. It ignores other features, which
// have the weight 0.
func (x row) predict(m perceptron.Model, features int) (int, error) {
	if x.dense != nil {
		return m.Predict(x.dense)
	}
	n, _ := slices.BinarySearch(x.sparse.Index, uint32(features))
	return perceptron.SparseModel{Model: m}.Predict(perceptron.Sparse{Index: x.sparse.Index[:n], Value: x.sparse.Value[:n]})
}
