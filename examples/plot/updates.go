package main

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"perceptron"
)

// An update is one update by Rosenblatt's rule.
type update struct {
	row           int // the misclassified row
	before, after perceptron.Hyperplane
	loss          float64 // mean loss of after
}

// updates returns the first updates of a run, at most the given number. The run passes
// over the rows in their order.
func updates(s set, most int) ([]update, error) {
	var p perceptron.Online
	var us []update
	for right := 0; right < len(s.X); {
		for i, x := range s.X {
			before := p.Hyperplane()
			updated, err := p.Update(x, s.y[i])
			if err != nil {
				return nil, err
			}
			if right++; !updated {
				continue
			}
			right = 0
			after := p.Hyperplane()
			loss, err := meanLoss(after, s)
			if err != nil {
				return nil, err
			}
			us = append(us, update{i, before, after, loss})
			if len(us) == most {
				return us, nil
			}
		}
	}
	return us, nil
}

// scorer is a hyperplane or a model with one hyperplane.
type scorer interface {
	Score(x []float64) (float64, error)
}

// meanLoss returns the mean of max(0, −y·score), the perceptron criterion.
func meanLoss(h scorer, s set) (float64, error) {
	sum := 0.0
	for i, x := range s.X {
		score, err := h.Score(x)
		if err != nil {
			return 0, err
		}
		sum += max(0, -float64(s.y[i])*score)
	}
	return sum / float64(len(s.X)), nil
}

// drawUpdates shows the first six updates. Each tilts the line towards the point that was
// on the wrong side.
func drawUpdates(s set) (figure, error) {
	us, err := updates(s, 6)
	if err != nil {
		return figure{}, err
	}
	f := figure{
		title:  "Each mistake tilts the line: " + s.name,
		height: 48 + vg.Length(196*((len(us)+2)/3)),
		cols:   3,
	}
	for k, u := range us {
		p := panel(fmt.Sprintf("update %d: loss %.3f", k+1, u.loss), s.axes[0], s.axes[1])
		after := s.uncentred(u.after)
		p.Add(region{[]perceptron.Hyperplane{after}, tint(blue)})
		if err := s.addPoints(p, u.row); err != nil {
			return figure{}, err
		}
		if u.before.Weights != nil {
			p.Add(line{s.uncentred(u.before), 0, dashed})
		}
		p.Add(line{after, 0, solid})
		f.panels = append(f.panels, p)
	}
	f.key = append(s.key(),
		entry{text: "the misclassified point", glyph: ring},
		entry{text: "line before", line: dashed},
		entry{text: "line after; tinted: " + s.classes[0].name, line: solid})
	return f, nil
}
