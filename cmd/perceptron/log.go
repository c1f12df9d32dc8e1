package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/coq"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// logCmd trains until no row needs an update, and writes which rows each pass updated on.
// Coq replays the training from this log.
type logCmd struct {
	reading      `embed:""`
	table.Choice `embed:""`
	Output       string `short:"o" required:"" placeholder:"FILE" help:"Write the log to this file. Check it with proofs/verify FILE DATA."`
}

// Run trains, and writes the log. If rounding changed a decision, it returns an error and writes no
// log, because Coq would reject the log.
func (c *logCmd) Run(p *program) error {
	if err := safe([]string{c.Data}, output.File{Flag: "-o", Path: c.Output, Begins: coq.Begins}); err != nil {
		return err
	}
	d, err := whole(p, c.reading, c.Choice, 0, false)
	if err != nil {
		return err
	}
	defer d.Src.Close()
	rows, y, err := c.decimals(d)
	if err != nil {
		return err
	}
	passes, err := logged(d.X[split.Training], y, len(d.Classes))
	if err == nil {
		err = coq.WriteFile(c.Output, func(w io.Writer) error {
			if len(d.Classes) > 2 {
				return rows.WriteMulticlassLog(w, len(d.Classes), passes)
			}
			return rows.WriteOnlineLog(w, passes)
		})
	}
	if err != nil {
		return d.Blame(err, split.Training)
	}
	updates := 0
	for _, pass := range passes {
		updates += len(pass)
	}
	fmt.Fprintf(p.stdout, "%s: %d rows of the classes %s: %d mistakes in %d passes\n", c.Data, len(y), strings.Join(d.Classes, ", "), updates, len(passes))
	fmt.Fprintf(p.stdout, "Coq checks them with proofs/verify %s %s", c.Output, c.Data)
	if c.Label != "" {
		fmt.Fprintf(p.stdout, " %s", c.Label)
	}
	_, err = fmt.Fprintln(p.stdout)
	return err
}

// decimals reads the file again, and returns the rows as decimal numbers for Coq, and the index y
// of each row's class. Each row begins with the constant 1, so that the bias is the first weight.
func (c *logCmd) decimals(d *dataset.Dataset) (rows *coq.Table, y []int, err error) {
	rows = &coq.Table{Linear: true}
	err = d.Scan("reading the numbers", func(r *table.Row, class int, _ split.Part) error {
		err := rows.AddClass(append([]string{"1"}, r.Text()...), class, r.Line)
		if odd, bad := errors.AsType[*coq.NumberError](err); bad {
			return fmt.Errorf("column %q: %w", d.Schema.Names()[odd.Feature-1], odd.Err)
		}
		y = append(y, class)
		return err
	})
	return rows, y, err
}

// logged makes passes over the rows until a pass needs no update. For each pass it returns the
// indices of the rows that the pass updated on.
func logged(X [][]float64, y []int, classes int) (passes [][]int, err error) {
	var m perceptron.Learner = &perceptron.Online{Space: perceptron.Linear}
	label := func(class int) int { return 2*class - 1 }
	if classes > 2 {
		m = &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear}}
		label = func(class int) int { return class }
		for class := range classes { // a row of zeros adds its class to the model, and changes no weight
			if _, err := m.Update(make([]float64, len(X[0])+1), class); err != nil {
				return nil, err
			}
		}
	}
	rows := make([][]float64, len(X)) // the vectors (1, x)
	for i, x := range X {
		rows[i] = append([]float64{1}, x...)
	}
	const most = 100_000 // passes
	for range most {
		var pass []int
		for i, x := range rows {
			updated, err := m.Update(x, label(y[i]))
			if err != nil {
				return nil, &perceptron.ExampleError{Index: i, Err: err}
			}
			if updated {
				pass = append(pass, i)
			}
		}
		if passes = append(passes, pass); pass == nil {
			return passes, nil
		}
	}
	return nil, fmt.Errorf("no pass of %d was without a mistake; separate decides whether a hyperplane separates the rows", most)
}
