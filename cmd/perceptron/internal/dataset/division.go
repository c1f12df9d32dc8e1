package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
)

// Division returns the division of the rows.
func (d *Dataset) Division() split.Division {
	all := split.Division{Share: d.Data.Holdout, Seed: d.Data.Seed, First: d.Data.First, Grouped: d.Data.Group != ""}
	if d.Folds == 0 && d.Within == nil {
		return all
	}
	within := d.Within
	if within == nil && all.Share > 0 {
		within = &all
	}
	return split.Division{Folds: d.Folds, Fold: d.Fold, Seed: d.Data.Seed, Within: within, Rows: d.Parts, Grouped: all.Grouped}
}

// Consecutive returns a copy of the dataset whose folds are consecutive parts of the training rows of each
// class: drawn rows may resemble their neighbours in the file, from which they would then be predicted. If
// there are more than most rows, it draws as many. Groups keep neighbours apart already: then parts counts the
// rows of each group.
func (d *Dataset) Consecutive(most int) (*Dataset, error) {
	one, all := *d, d.Division()
	one.Folds, one.Within = 0, &all
	for {
		one.Rows, one.Parts = [split.Parts]int{}, map[string]int{}
		err := one.Scan("counting the rows", func(r *table.Row, _ int, _ split.Part) error {
			one.Parts[strings.Clone(cmp.Or(r.ID, r.Class))]++
			return nil
		})
		n := one.Rows[split.Training]
		if one.Rows = [split.Parts]int{}; err != nil || n <= most || one.Within != &all {
			return &one, err
		}
		one.Within = &split.Division{Share: 1 - float64(most)/float64(n), Seed: d.Data.Seed, Within: &all, Grouped: all.Grouped}
	}
}

// Novelty counts the rows with a word that training did not see. Its JSON names are stable.
type Novelty struct {
	UnseenRows int            `json:"unseenRows,omitempty"`  // rows with such a word in any column
	Unseen     map[string]int `json:"unseenWords,omitempty"` // rows with such a word, by column

	OutsideRows int            `json:"outsideRows,omitempty"`  // rows with a number outside of the range of training
	Outside     map[string]int `json:"outsideRange,omitempty"` // such rows, by column
	rows        int
	trained     int // rows of the training file
}

// NewNovelty begins to count for a model that was trained on the data.
func NewNovelty(data modelfile.Data) Novelty { return Novelty{trained: data.Rows + data.HeldOut} }

// Add counts a row.
func (u *Novelty) Add(r *table.Row) {
	count := func(rows *int, by *map[string]int, columns []string) {
		if len(columns) > 0 {
			*rows++
		}
		if len(columns) > 0 && *by == nil {
			*by = map[string]int{}
		}
		for _, column := range columns {
			(*by)[column]++
		}
	}
	u.rows++
	count(&u.UnseenRows, &u.Unseen, r.Unseen)
	count(&u.OutsideRows, &u.Outside, r.Outside)
}

// Away returns what a report says about rows outside of the range of training, if they are more than chance. Of
// n + 1 rows like the n of training, two lie outside of the range of a column in the mean; the shares beyond
// both ends vary as this mean does.
func (u Novelty) Away() string {
	chance := 2 * float64(u.rows) / float64(u.trained+1)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(u.Outside)), func(name string) bool {
		return float64(u.Outside[name]) <= chance+3*math.Sqrt(chance+chance*chance/2)
	})
	if len(names) == 0 {
		return ""
	}
	slices.SortStableFunc(names, func(a, b string) int { return u.Outside[b] - u.Outside[a] })
	return fmt.Sprintf("outside of the range of training, where no row shows the class: %d of %s, in column %s", u.OutsideRows, table.Counted(u.rows, "row"), table.ShortCounts(names, u.Outside))
}

// Said returns what a report says about the rows with unseen words.
func (u Novelty) Said() string {
	names := slices.Sorted(maps.Keys(u.Unseen))
	what := "a word that training did not see, in column " + table.Short(names) + ": it"
	if strings.HasPrefix(names[0], table.Beyond) {
		what = names[0] + ", which training did not see: it"
	}
	return fmt.Sprintf("%s with %s counts as none of the known ones; --strict refuses it", table.Counted(u.UnseenRows, "row"), what)
}

// onlyDense is the reason why sparse rows and text have no waves.
const onlyDense = "each word would be a part of every wave, and straight borders predict words better"

// CheckWaves returns an error if there are no such waves, or not beside columns of text.
func CheckWaves(count int, text []string) error {
	_, err := perceptron.Waves{Count: count}.Apply(nil, []float64{0})
	return cmp.Or(usage.If(err != nil, "%w", err), usage.If(count > 0 && len(text) > 0, "--waves cannot be used with --text: %s", onlyDense))
}

// CheckWaves returns an error if the rows can have no waves.
func (d *Dataset) CheckWaves(count int) error {
	return usage.If(count > 0 && d.Schema.Sparse, "%s: its rows are sparse, and --waves cannot be used with them: %s", d.Src.Name, onlyDense)
}
