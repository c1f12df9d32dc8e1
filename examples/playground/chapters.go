package main

import (
	"slices"

	"perceptron"
)

// Chapters, which the page calls moves: the opening, the proof, and going further.
const (
	opening      = 1
	firstProof   = 2
	firstLengths = 4 // the moves from here on have u and γ
	firstFloor   = 5 // and from here on the run and the room
	lastProof    = 9
	lastChapter  = 15
)

// steady are the settings of Rosenblatt's rule for lines through the origin.
var steady = fields{Model: "Online", Origin: true, Eta: 1}

// worsts are the largest numbers of mistakes that any order of the points of a set makes, for lines
// through the origin. TestWorst computes them. The theorem's promise is for all points with the same
// R and γ, so it is larger.
var worsts = map[string]int{"opening": 14, "story": 7}

// worst returns the largest number of mistakes that any order of the points makes, if it is known, and
// else 0.
func (p *playground) worst() int {
	for name, most := range worsts {
		if len(p.boards) == 1 && p.boards[0].Model == "Online" && p.boards[0].Origin && slices.Equal(p.points, sets[name]) {
			return most
		}
	}
	return 0
}

// chapters are the states in which the chapters begin. The chapters of the proof share the points
// and a run. The second number of a board is boardState.Seen.
var chapters = []state{
	{Wide: true, Points: sets["opening"], Boards: []boardState{{steady, 1}}}, // see playground.try
	{Points: sets["story"], Boards: []boardState{{fields: fields{Model: byHand, Origin: true, Eta: 1, W1: 1, W2: 0.5}}}},
	{Points: sets["story"], Boards: []boardState{{fields: steady}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{fields: steady}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 6}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 17}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 17}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 17}}},
	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 50}}},

	{Wide: true, Points: sets["story"], Boards: []boardState{{steady, 50}}},
	{Wide: true, Points: sets["wide"], Boards: []boardState{{fields{Model: "Online", Eta: 1}, 13}}},
	{Wide: true, Points: sets["wide"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}, {fields: fields{Model: "Margin", Eta: 1}}}},
	{Wide: true, Points: sets["cycle"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Points: sets["cycle"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Points: sets["overlap"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1, Keep: perceptron.Pocket}}, {fields: fields{Model: "Online", Eta: 1, Keep: perceptron.Average}}}},
}
