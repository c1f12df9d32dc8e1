package dataset

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

// Sorted returns a warning if the rows, which are read in the order of the file, are sorted by class. Rows of
// one class unlearn the others. In a random order, the longest run of a class with the share p of n rows has about
// ln n/ln(1/p) rows.
func (d *Dataset) Sorted() []string {
	n := float64(d.Rows[split.Training])
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

// Blame returns err with the position of the row that it is about, or else with the name of the file. An
// ExampleError counts the rows of a part.
func (d *Dataset) Blame(err error, part split.Part) error {
	e, about := errors.AsType[*perceptron.ExampleError](err)
	if _, known := errors.AsType[*table.Error](err); err == nil || known {
		return err
	}
	n := 0
	found := d.Scan("", func(_ *table.Row, _ int, of split.Part) error {
		if n++; of != part {
			n--
		} else if about && n == e.Index+1 {
			return e.Err
		}
		return nil
	})
	return cmp.Or(found, fmt.Errorf("%s: %w", d.Src.Name, err))
}

// another returns the advice to name another label, which a LIBSVM file cannot have.
func (d *Dataset) another(end string) string {
	return map[bool]string{true: " " + cmp.Or(d.Src.Likely, "--label") + " names another" + end}[d.Src.Format != "libsvm"]
}

// Unknown returns the error of a class that is not among a model's.
func Unknown(classes []string, class string) error {
	help := "; a model learns no new class later: train anew, without -m"
	if i := table.Spelled(classes, class); i >= 0 {
		known := classes[i]
		sed := fmt.Sprintf("sed 's/%s/%s/'", strings.NewReplacer(".", `\.`, "/", `\/`).Replace(class), known)
		if whole, _, _ := strings.Cut(class, "."); class == known+"." {
			sed = `sed -E 's/\.(\r?)$/\1/'`
		} else if whole == known {
			sed = `sed -E 's/([0-9])\.0+(\r?)$/\1\2/'`
		}
		help = fmt.Sprintf(", but may be %q: %s makes them equal", known, sed)
	}
	return fmt.Errorf("class %q is not among the model's %s%s", class, table.Short(classes), help)
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

// Spelled returns a warning if names of classes differ only in case, spaces, a point or quotes around them, or the form
// of a number.
func Spelled(classes []string) []string {
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

// doubt returns an error if the label looks like a measured or counted number, or has more than one
// class for two rows. The label is then probably the wrong column.
func (d *Dataset) doubt(seen map[string]*[split.Parts]int) error {
	rows, n := d.Rows[split.Training]+d.Rows[split.HeldOut], len(d.Classes)
	first, _ := table.Number(d.Classes[0])
	numbers, whole, codes := 0, true, n <= mostCodes && (first == 0 || first == 1)
	seldom := 0 // numbers that less than a hundredth of the rows have
	for i, name := range d.Classes {
		v, ok := table.Number(name)
		if !ok && !table.LooksNumeric(name) {
			continue // such as "unknown" among ages
		}
		numbers, whole = numbers+1, whole && v == math.Trunc(v)
		// Codes, for example of letters, are consecutive, and each has at least a fifth of the
		// mean number of rows. Ages and counts have gaps, do not begin with 0 or 1, or have few
		// rows with the largest values.
		count := seen[name][split.Training] + seen[name][split.HeldOut]
		codes = codes && v == first+float64(i) && 5*n*count >= rows
		if 100*count < rows {
			seldom++
		}
	}
	rare := 2*n > rows // on average less than two rows for a class, which is too few to learn from
	what := ""
	switch {
	case d.Named:
	// The more different numbers there are, the more rows each number needs to count as a class.
	case 2*numbers > n && (!whole || n > fewClasses && 2*seldom > n || !codes && (n > fewClasses || numbers == n && n > fewNumbers && n*n > 2*rows)):
		what = "numbers that look measured or counted"
	case n > fewClasses && rare:
		what = "classes, more than one for two rows"
	}
	if what == "" {
		return nil
	}
	return fmt.Errorf("%s: column %q has %d %s, such as %s%s; is it the label's column?%s %s accepts it", d.Src.Name, d.Schema.Label.Name, n, what, table.Short(d.Classes[n/2:min(n, n/2+3)]), tagged(d.Classes), d.another(","), table.Flag("category", d.Schema.Label.Name))
}
