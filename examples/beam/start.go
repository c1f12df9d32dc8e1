package main

import (
	"context"
	"fmt"

	"perceptron"
)

// A measureFn finds how many features a shard's rows have, none if it has no rows.
type measureFn struct{ Reading reading }

func (f *measureFn) ProcessElement(ctx context.Context, shard Shard, emit func(int, Part)) error {
	part := Part{Shard: shard.Number}
	err := f.Reading.each(ctx, shard, 0, func(rows examples) error {
		for x := range rows {
			part.Features = len(x)
			if f.Reading.Format == rowsFormat {
				break // the header has told
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	emit(0, part)
	return nil
}

// A startFn makes the zero vector that is wide enough for all shards.
type startFn struct{ Shards int }

func (f *startFn) ProcessElement(_ int, next func(*Part) bool, emit func(State)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return fmt.Errorf("measuring: %w", err)
	}
	width := 0
	for _, p := range parts {
		width = max(width, p.Features)
	}
	if width == 0 {
		return fmt.Errorf("%w: no features in any shard", perceptron.ErrEmpty)
	}
	emit(State{Weights: make([]float64, width)})
	return nil
}
