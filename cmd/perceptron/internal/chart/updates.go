package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"perceptron"
)

// An update is one update by Rosenblatt's rule.
type update struct {
	row   int // that was on the wrong side
	after perceptron.Hyperplane
}

// updates returns the first updates of a run, at most the given number. The run passes
// over the rows in their order, until all are right or some epochs are made.
func updates(X [][]float64, y []int, most int) ([]update, error) {
	var all []update
	// On rows that no line separates, the run ends when there are enough pictures.
	_, _, err := run(X, y, 1000*len(X), func(seen int, model *perceptron.Online) bool {
		all = append(all, update{(seen - 1) % len(X), model.Hyperplane()})
		return len(all) < most
	})
	return all, err
}

// Updates shows how the first six mistakes tilt the line, each towards the row that was
// on the wrong side. The run takes place in the plane of the picture.
func Updates(d *Data) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	all, err := updates(p.T, d.labels(), 6)
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: "Each mistake tilts the line: " + short(d.Name), height: 48 + vg.Length(200*((len(all)+2)/3)), cols: 3}
	// Each panel has the line before its update and the one after it.
	for k, u := range all {
		before := line{p, all[max(k-1, 0)].after, 0, dashed} // hidden by the line after, at first
		to, err := p.sides(fmt.Sprintf("update %d", k+1), u.after, []int{u.row}, before)
		if err != nil {
			return nil, err
		}
		f.panels = append(f.panels, to)
	}
	f.key = append(p.key("row on the wrong side"),
		entry{text: "line before", line: dashed}, entry{text: "line after; tinted: " + short(d.Classes[1]), line: solid})
	return f, nil
}
