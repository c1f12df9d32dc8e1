package main

import "perceptron"

// steady are the settings of Rosenblatt's rule for lines through the origin.
var steady = fields{Model: "Online", Origin: true, Eta: 1}

// chapters are the states in which the moves of the story begin. The first nine share
// points and a run of 7 mistakes, of at most 16. The second number of a board is how many
// points it has looked at.
var chapters = []state{
	{Chapter: 1, Points: sets["story"], Boards: []boardState{{fields: fields{Model: byHand, Origin: true, Eta: 1, W1: 1, W2: 0.5}}}},
	{Chapter: 2, Points: sets["story"], Boards: []boardState{{fields: steady}}},
	{Chapter: 3, Wide: true, Points: sets["story"], Boards: []boardState{{fields: steady}}},
	{Chapter: 4, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 6}}},
	{Chapter: 5, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 17}}},
	{Chapter: 6, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 24}}},
	{Chapter: 7, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 50}}},
	{Chapter: 8, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 50}}, Suppose: 15},
	{Chapter: 9, Wide: true, Points: sets["story"], Boards: []boardState{{steady, 50}}},
	{Chapter: 10, Wide: true, Points: sets["wide"], Boards: []boardState{{fields{Model: "Online", Eta: 1}, 13}}},
	{Chapter: 11, Wide: true, Points: sets["story"], Boards: []boardState{{fields{Model: "Online", Origin: true, Eta: 0.5}, 17}}},
	{Chapter: 12, Wide: true, Points: sets["wide"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}, {fields: fields{Model: "Margin", Eta: 1}}}},
	{Chapter: 13, Points: sets["xor"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}, {fields: fields{Model: "Online", Eta: 1, Order: perceptron.Sampled, Keep: perceptron.Pocket}}}},
	{Chapter: 14, Points: sets["row"], Boards: []boardState{{fields: fields{Model: "OneVsRest of Online", Eta: 1}}, {fields: fields{Model: "Multiclass of Online", Eta: 1}}}},
}

// lastChapter is the number of moves of the story.
const lastChapter = 14
