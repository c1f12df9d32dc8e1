package main

import "perceptron"

// chapters are the states in which the chapters of the story begin.
var chapters = []state{
	{Chapter: 1, Points: sets["wide"], Boards: []boardState{{fields: fields{Model: byHand, Eta: 1, W1: 1, W2: 0.5, B: 0.5}}}},
	{Chapter: 2, Points: []point{{-1, 0.6, +1}, {1.2, 0.9, +1}, {0.3, 1.4, +1}, {0.9, -0.7, -1}, {-0.4, -1.1, -1}, {-1.5, -0.4, -1}}, Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Chapter: 3, Points: sets["wide"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}}},
	{Chapter: 4, Wide: true, Points: sets["wide"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}, {fields: fields{Model: "Margin", Eta: 1}}}},
	{Chapter: 5, Points: sets["xor"], Boards: []boardState{{fields: fields{Model: "Online", Eta: 1}}, {fields: fields{Model: "Online", Eta: 1, Order: perceptron.Sampled, Keep: perceptron.Pocket}}}},
	{Chapter: 6, Points: sets["row"], Boards: []boardState{{fields: fields{Model: "OneVsRest of Online", Eta: 1}}, {fields: fields{Model: "Multiclass of Online", Eta: 1}}}},
}
