package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A streak is a number of rows in a row that have one class.
type streak struct {
	class string
	rows  int
	of    int // all rows of the class
}

// add adds a row.
func (r *streak) add(class string) {
	if class != r.class {
		*r = streak{class: strings.Clone(class)}
	}
	r.rows++
}

// sorted returns a warning if the rows, which are read in the order of the file, are sorted by class. Rows of
// one class unlearn the others. In a random order, the longest run of a class with the share p of n rows has about
// ln n/ln(1/p) rows.
func (d *dataset) sorted() []string {
	n := float64(d.rows[split.Training])
	usual := math.Log(n) / math.Log(n/float64(d.run.of))
	if d.run.of == 0 || float64(d.run.rows) < max(50, 5*usual) {
		return nil
	}
	shuffle := "shuf FILE"
	if d.Schema.Named {
		shuffle = "(head -n 1 FILE; tail -n +2 FILE | shuf)"
	}
	return []string{fmt.Sprintf("each epoch reads the rows in the order of the file, where %d in a row have the class %q: this can cost .05 of accuracy and much more. %s shuffles the lines", d.run.rows, d.run.class, shuffle)}
}

// blame returns err with the position of the row that it is about, or else with the name of the file. An
// ExampleError counts the rows of a part.
func (d *dataset) blame(err error, part split.Part) error {
	e, about := errors.AsType[*perceptron.ExampleError](err)
	if _, known := errors.AsType[*table.Error](err); err == nil || known {
		return err
	}
	n := 0
	found := d.scan("", func(_ *table.Row, _ int, of split.Part) error {
		if n++; of != part {
			n--
		} else if about && n == e.Index+1 {
			return e.Err
		}
		return nil
	})
	return cmp.Or(found, fmt.Errorf("%s: %w", d.src.Name, err))
}

// another returns the advice to name another label, which a LIBSVM file cannot have.
func (d *dataset) another(end string) string {
	return map[bool]string{true: " " + cmp.Or(d.src.Likely, "--label") + " names another" + end}[d.src.Format != "libsvm"]
}

// unknown returns the error of a class that the model does not have.
func (d *dataset) unknown(class string) error {
	help := "; a model learns no new class later: train anew, without -m"
	if i := table.Spelled(d.Classes, class); i >= 0 {
		known := d.Classes[i]
		sed := fmt.Sprintf("sed 's/%s/%s/'", strings.NewReplacer(".", `\.`, "/", `\/`).Replace(class), known)
		if whole, _, _ := strings.Cut(class, "."); class == known+"." {
			sed = `sed -E 's/\.(\r?)$/\1/'`
		} else if whole == known {
			sed = `sed -E 's/([0-9])\.0+(\r?)$/\1\2/'`
		}
		help = fmt.Sprintf(", but may be %q: %s makes them equal", known, sed)
	}
	return fmt.Errorf("class %q is not among the model's %s%s", class, table.Short(d.Classes), help)
}

// tagged returns the remark that names of classes end with a separator and a number, or "".
func tagged(names []string) string {
	marks := map[string]int{}
	for _, name := range names {
		if digits := strings.TrimRight(name, "0123456789"); digits != "" && digits != name && strings.ContainsAny(digits[len(digits)-1:], "|#:;@") {
			marks[digits[len(digits)-1:]]++
		}
	}
	for mark, n := range marks {
		if 2*n > len(names) {
			return fmt.Sprintf(", each with %q and a number at its end: sed -E 's/[%s][0-9]+(\\r?)$/\\1/' removes them", mark, mark)
		}
	}
	return ""
}

// spelled returns a warning if names of classes differ only in case, spaces, a point or quotes around them, or the form
// of a number.
func spelled(classes []string) []string {
	same := map[string][]string{}
	for _, name := range classes {
		key := table.Spelling(name)
		same[key] = append(same[key], name)
	}
	var groups []string
	for _, key := range slices.Sorted(maps.Keys(same)) {
		if len(same[key]) > 1 {
			groups = append(groups, table.Short(same[key]))
		}
	}
	if groups == nil {
		return nil
	}
	return []string{"classes differ only in case, spaces, points, quotes or the form of a number, and may be one: " + strings.Join(groups[:min(3, len(groups))], "; ")}
}
