package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const most = 200 // the largest number of points

// A point is an example: two features and a label, +1 or −1.
type point struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Label int     `json:"label"`
}

// examples returns the points in the form that the library requires.
func examples(points []point) (X [][]float64, y []int) {
	for _, at := range points {
		X, y = append(X, []float64{at.X, at.Y}), append(y, at.Label)
	}
	return X, y
}

// parsePoints reads lines of x₁, x₂ and class. Commas, semicolons, tabs or spaces separate the
// values. Quotes are ignored. The first line may have names. parsePoints returns at most the first
// 200 points. The note says how many points there were if some are left out, and which labels the
// classes have if they are not obvious.
func parsePoints(text string) (points []point, note string, err error) {
	comma := " "
	for _, c := range []string{"\t", ";", ","} { // the last of these that the text contains
		if strings.Contains(text, c) {
			comma = c
		}
	}
	var classes []string
	first := true
	for i, line := range strings.Split(strings.NewReplacer("\ufeff", "", "\r", "", "\"", "").Replace(text), "\n") {
		words := strings.Split(line, comma)
		if strings.TrimSpace(line) == "" {
			continue
		}
		at, class, err := parsePoint(words)
		if err != nil && (!first || slices.ContainsFunc(words, isNumber)) { // the first line may be names
			return nil, "", fmt.Errorf("line %d: %w", i+1, err)
		}
		if first = false; err == nil {
			points, classes = append(points, at), append(classes, class)
		}
	}
	if len(points) == 0 {
		return nil, "", errors.New("there are no points in the text; each line is x₁, x₂, class")
	}
	labels, note, err := labelsOf(classes)
	for i, class := range classes {
		points[i].Label = labels[class]
	}
	if n := len(points); n > most {
		points, note = points[:most], "The board shows the first "+strconv.Itoa(most)+" of "+strconv.Itoa(n)+" points."+strings.TrimSuffix(" "+note, " ")
	}
	return points, note, err
}

// labelsOf gives each class a label. Two classes become − and + in ascending order, so that 0
// and 1 become − and +. The note is empty if no class changes.
func labelsOf(classes []string) (labels map[string]int, note string, err error) {
	names := slices.Compact(slices.SortedFunc(slices.Values(classes), compareClasses))
	labels = map[string]int{}
	order := [][]int{{}, {+1}, {-1, +1}}
	switch {
	case len(names) > 2:
		return nil, "", fmt.Errorf("the points have %d classes (%s, …), but the board shows two", len(names), strings.Join(names[:2], ", "))
	case len(names) == 1 && slices.Contains([]string{"-1", "0"}, names[0]):
		order[1][0] = -1
	}
	var parts []string
	changed := false
	for i, name := range names {
		label := order[len(names)][i]
		labels[name] = label
		parts = append(parts, name+" is "+sign(label))
		changed = changed || name != strconv.Itoa(label)
	}
	if changed {
		note = "Class " + strings.Join(parts, " and ") + "."
	}
	return labels, note, nil
}

// compareClasses orders classes: numbers by value, and then names.
func compareClasses(a, b string) int {
	rank := func(class string) float64 {
		if v, err := parseNumber(class); err == nil {
			return v
		}
		return math.Inf(1)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

func parsePoint(words []string) (at point, class string, err error) {
	words = slices.DeleteFunc(words, func(w string) bool { return strings.TrimSpace(w) == "" })
	if len(words) != 3 {
		return at, "", fmt.Errorf("it has %s, want x₁, x₂, class", plural(len(words), "value"))
	}
	for j, v := range []*float64{&at.X, &at.Y} {
		if *v, err = parseNumber(words[j]); err != nil {
			return at, "", err
		}
	}
	return at, className(words[2]), nil
}

// className returns the same text for all spellings of a class: + and 1.0 become 1.
func className(text string) string {
	text = strings.TrimSpace(text)
	if text == "+" || text == "-" || text == "−" {
		text += "1"
	}
	if v, err := parseNumber(text); err == nil {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return text
}

func isNumber(text string) bool {
	_, err := parseNumber(text)
	return err == nil
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(text), "−", "-"), 64)
	if err != nil || !finite(v) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return v + 0, nil // adding 0 turns −0 into 0
}

// sets are the sets of points that the page offers.
var sets = map[string][]point{
	// For lines through the origin, γ is 0.5 and R is 2. Updates grow ⟨u, w⟩ by other amounts than γ.
	"story": {
		{0.7, 0.6, +1}, {0, -1.5, -1}, {1.2, 1.6, +1}, {1.9, 0.5, +1}, {-1.6, -1.2, -1},
		{-1.5, 0.7, +1}, {1.9, -0.5, -1}, {-1.7, -0.7, -1}, {0.7, 1.1, +1}, {-0.1, 1.4, +1},
	},
	// For lines through the origin, Online makes 14 mistakes, and the bound is 30. The coordinates are
	// eighths, so that sums of points are exact: see playground.step.
	"opening": {
		{1.25, 1.375, +1}, {0.75, -1.125, -1}, {-0.375, -1.25, -1}, {-1.25, -0.125, +1}, {0.375, -0.5, -1},
		{-1, 1.75, +1}, {0.25, 1.5, +1}, {-0.625, 0.375, +1}, {1.75, 0.75, -1}, {-1.375, -1.375, -1},
	},
	"wide": {
		{-1.5, 0.5, -1}, {0, 1.3, +1}, {-0.4, -0.5, -1}, {-1.5, 1.6, +1}, {0.8, -0.9, -1}, {-1.1, -1.2, -1},
		{-0.7, 0.2, -1}, {-1.4, -0.6, -1}, {0.5, 1.2, +1}, {1.6, 0.6, +1}, {1.6, 1.6, +1}, {1.2, 0.9, +1},
	},
	"narrow": {
		{-1.6, -0.5, +1}, {-1.2, 0.3, +1}, {-0.8, -0.08, +1}, {-0.1, 0.55, +1}, {0.5, 0.62, +1}, {1.1, 1.5, +1}, {1.7, 1.3, +1},
		{-1.4, -1.2, -1}, {-0.9, -0.4, -1}, {-0.3, -0.2, -1}, {0.2, 0.18, -1}, {0.9, 0.3, -1}, {1.5, 0.95, -1}, {1.2, -0.8, -1},
	},
	"xor":   {{-1, 1, +1}, {1, -1, +1}, {-1, -1, -1}, {1, 1, -1}},
	"cycle": {{1.5, 0, +1}, {0.5, -2, -1}, {0, 1, +1}, {-1.5, 0.5, -1}, {-2, -0.5, +1}}, // the weights return to earlier values after nine mistakes
	"overlap": {
		{-1.2, 0.4, +1}, {-0.9, 1.1, +1}, {-0.4, 0.2, +1}, {-0.3, 1.3, +1}, {0.2, 0.6, +1}, {0.6, 1.2, +1}, {-1.5, 1.4, +1}, {0.5, -0.6, +1}, {-0.7, -0.3, +1},
		{1.3, -0.3, -1}, {0.7, -1.1, -1}, {0.2, -0.4, -1}, {0.3, -1.4, -1}, {-0.2, 0.8, -1}, {1.5, -1.3, -1}, {1.1, 0.4, -1}, {-0.6, -1.2, -1}, {-0.1, -0.1, -1},
	},
}
