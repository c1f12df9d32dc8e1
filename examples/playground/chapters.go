package main

import "perceptron"

// Chapters, which the page calls moves: the opening, the proof, and going further.
const (
	opening     = 1
	firstProof  = 2
	lastProof   = 9
	lastChapter = 15
)

// steady are the settings of Rosenblatt's rule for lines through the origin.
var steady = fields{Model: "Online", Origin: true, Eta: 1}

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
	{Points: sets["cycle"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Points: sets["cycle"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Points: sets["overlap"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1, Keep: perceptron.Pocket}}, {fields: fields{Model: "Online", Eta: 1, Keep: perceptron.Average}}}},
}
