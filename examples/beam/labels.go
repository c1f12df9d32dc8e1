package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"

	"perceptron"
)

// warn prints what a mean of the shards cannot learn from. A label of -positive that no row has is an
// error. The survey has counted the labels.
func (c *config) warn(w io.Writer) error {
	rows, positive := 0, 0
	var empty, single, sorted []string
	var some []Shard // with rows
	for _, s := range c.Shards {
		rows, positive = rows+s.Examples, positive+s.Positive
		if some = append(some, s); s.Examples == 0 {
			empty, some = append(empty, s.Name), some[:len(some)-1]
		} else if s.Positive == 0 || s.Positive == s.Examples {
			single = append(single, s.Name)
		} else if s.Examples >= 100 && float64(s.Changes) < 0.2*s.share()*float64(s.Examples-s.Positive) { // a tenth of random order's
			sorted = append(sorted, s.Name)
		}
	}
	say := func(names []string, what string) {
		if len(names) > 0 {
			fmt.Fprintf(w, "warning: %d of %s: %s, such as %s\n", len(names), count(len(c.Shards), "shard"), what, names[0])
		}
	}
	say(empty, "no row")
	switch {
	case rows == 0:
		return nil // the first round has the error
	case positive == 0 && c.Positive != nil:
		return fmt.Errorf("-positive %d: no row of the shards has this label", *c.Positive)
	case positive == 0 || positive == rows:
		fmt.Fprintf(w, "warning: all rows have the label %+d, so the model predicts no other\n", 1-2*min(1, rows-positive))
		return nil
	}
	say(single, "rows of one label only")
	say(sorted, "rows sorted by label")
	slices.SortFunc(some, func(a, b Shard) int { return a.Positive*b.Examples - b.Positive*a.Examples })
	least, most := some[0], some[len(some)-1]
	wide := len(single) == 0 && most.share()-least.share() > 0.5
	if wide {
		fmt.Fprintf(w, "warning: the label +1 has %.0f %% of the rows in %s, but %.0f %% in %s\n", 100*least.share(), least.Name, 100*most.share(), most.Name)
	}
	if wide || len(single)+len(sorted) > 0 {
		fmt.Fprintf(w, "Such shards make few mistakes, but their mean predicts badly. Deal the rows out in random order, and train on 'dealt/*%[3]s':\n"+
			"    mkdir dealt && cat %[1]s | shuf | split -n r/%[2]d --additional-suffix=%[3]s - dealt/\n",
			c.pattern, len(c.Shards), path.Ext(c.Shards[0].Name))
	}
	return nil
}

// share returns the part of the rows that have the label +1.
func (s Shard) share() float64 { return float64(s.Positive) / float64(s.Examples) }

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
		// The rows may have features that no row of the training has. They have the weight 0.
		_, err := reading{Positive: c.Positive}.each(ctx, shard, origin{}, func(all examples) error {
			first := rows
			for x, y := range all {
				n, _ := slices.BinarySearch(x.Index, uint32(s.Features))
				label, err := perceptron.SparseModel{Model: m}.Predict(perceptron.Sparse{Index: x.Index[:n], Value: x.Value[:n]})
				if err = cmp.Or(err, labelled(y)); err != nil {
					return &perceptron.ExampleError{Index: rows - first, Err: err}
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
	if rows == 0 {
		return fmt.Errorf("-holdout: no rows in %s", c.holdout)
	}
	_, err = fmt.Fprintf(w, "round %d: %.2f %% of %s held out are right\n", s.Round, 100*float64(right)/float64(rows), count(rows, "row"))
	return err
}

// labelled returns an error unless a label is +1 or −1.
func labelled(label int) error {
	if label == +1 || label == -1 {
		return nil
	}
	return fmt.Errorf("%w: %d", perceptron.ErrLabel, label)
}
