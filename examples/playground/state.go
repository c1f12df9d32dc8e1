package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// A state is all that a link contains. A link's text has the form key=value&key=value.
// The numbers in it are exact.
type state struct {
	Chapter int          // 0 means free play
	Wide    bool         // u, γ and R are shown
	Gamma   float64      // as playground.gamma
	Suppose int          // as playground.suppose
	Boards  []boardState // one or two
	Points  []point
}

// A boardState is a model and how far it has been trained.
type boardState struct {
	fields
	Seen int // calls of training.advance: how many rows were presented
}

// text returns the text of a state. For the state in which a chapter begins, this is the number of the
// chapter.
func (s state) text() string {
	full := s.full()
	if full == start(s.Chapter).full() {
		return strconv.Itoa(s.Chapter)
	}
	return full
}

// start returns the state in which a chapter begins. Chapter 0 is free play.
func start(chapter int) state {
	if chapter == 0 {
		return state{Points: sets["wide"], Boards: []boardState{{fields: fields{Model: models[0], Eta: 1}}}}
	}
	s := chapters[chapter-1]
	s.Chapter, s.Boards = chapter, slices.Clone(s.Boards) // callers change them
	return s
}

// full returns the text of a state with all its fields. The fields of each board follow its model.
func (s state) full() string {
	var b strings.Builder
	put := func(key string, values ...float64) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(key + "=")
		for i, v := range values {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	put("c", float64(s.Chapter))
	if s.Wide {
		put("wide", 1)
	}
	if s.Gamma > 0 {
		put("gamma", s.Gamma)
	}
	if s.Suppose > 0 {
		put("suppose", float64(s.Suppose))
	}
	for _, at := range s.Boards {
		put("model", float64(slices.Index(models, at.Model)), float64(at.Order), float64(at.Keep), at.Eta, at.Gamma, float64(at.Seen))
		if at.Origin {
			put("origin", 1)
		}
		if at.Model == byHand {
			put("hand", at.W1, at.W2, at.B)
		}
	}
	for _, at := range s.Points {
		put("p", at.X, at.Y, float64(at.Label))
	}
	return b.String()
}

var errLink = errors.New("the link is damaged")

// parseState reads the text of a state. It rejects unknown keys, numbers out of range, and a state
// without a board. A text such as c=3 means the same as 3.
func parseState(text string) (s state, err error) {
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "c=")); err == nil && n >= 0 && n <= lastChapter {
		return start(n), nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "c=")); err == nil {
		return s, fmt.Errorf("%w: there is no move %d", errLink, n)
	}
	for item := range strings.SplitSeq(text, "&") {
		key, list, _ := strings.Cut(item, "=")
		var v []float64
		for word := range strings.SplitSeq(list, ",") {
			n, err := strconv.ParseFloat(word, 64)
			if err != nil || !finite(n) {
				return s, fmt.Errorf("%w at %q", errLink, item)
			}
			v = append(v, n+0)
		}
		if err := s.put(key, v); err != nil {
			return s, err
		}
	}
	if len(s.Boards) == 0 {
		return s, fmt.Errorf("%w: it has no model", errLink)
	}
	return s, nil
}

func (s *state) put(key string, v []float64) error {
	switch {
	case key == "c" && len(v) == 1 && whole(v[0], 0, lastChapter):
		s.Chapter = int(v[0])
	case key == "wide" && len(v) == 1 && v[0] == 1:
		s.Wide = true
	case key == "gamma" && len(v) == 1 && v[0] > 0:
		s.Gamma = v[0]
	case key == "suppose" && len(v) == 1 && whole(v[0], 1, 4*roomiest):
		s.Suppose = int(v[0])
	case key == "origin" && len(v) == 1 && v[0] == 1 && len(s.Boards) > 0:
		s.Boards[len(s.Boards)-1].Origin = true
	case key == "model" && len(v) == 6 && len(s.Boards) < 2:
		return s.putModel(v)
	case key == "hand" && len(v) == 3 && len(s.Boards) > 0:
		at := &s.Boards[len(s.Boards)-1]
		at.W1, at.W2, at.B = v[0], v[1], v[2]
	case key == "p" && len(v) == 3 && math.Abs(v[2]) == 1 && len(s.Points) < most:
		s.Points = append(s.Points, point{v[0], v[1], int(v[2])})
	default:
		return fmt.Errorf("%w at %q", errLink, key)
	}
	return nil
}

func (s *state) putModel(v []float64) error {
	if !whole(v[0], 0, len(models)-1) || !whole(v[1], 0, int(perceptron.Sampled)) || !whole(v[2], 0, int(perceptron.Pocket)) || !whole(v[5], 0, 1000*most) {
		return fmt.Errorf("%w at its model", errLink)
	}
	s.Boards = append(s.Boards, boardState{fields{
		Model: models[int(v[0])], Order: perceptron.Order(v[1]), Keep: perceptron.Keep(v[2]), Eta: v[3], Gamma: v[4],
	}, int(v[5])})
	return nil
}

// whole reports whether v is a whole number from low to high.
func whole(v float64, low, high int) bool {
	return v >= float64(low) && v <= float64(high) && v == float64(int(v))
}
