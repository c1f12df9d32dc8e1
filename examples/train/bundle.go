package main

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"perceptron"
)

// A bundle is the JSON file that is saved beside a model.
type bundle struct {
	Model string `json:"model"` // SHA-256 of the model file
	columns
}

// beside returns the name of the file that describes the columns of a model.
func beside(path string) string { return path + ".json" }

// save writes the model with perceptron.Save, and its columns to the file beside it.
// Each file is replaced in one step, but the two are not replaced together. If a
// crash leaves files that do not match, restore detects it by the checksum.
func save(path string, m perceptron.Model, c columns) error {
	sum, err := digest(m)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(bundle{sum, c}, "", "\t")
	if err != nil {
		return err
	}
	if err := perceptron.Save(path, m); err != nil {
		return err
	}
	return write(beside(path), append(text, '\n'))
}

// write replaces a file in one step.
func write(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".train-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// digest identifies a model: each state of a model has exactly one binary form.
func digest(m perceptron.Model) (string, error) {
	data, err := m.(encoding.BinaryMarshaler).MarshalBinary()
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// restore reads the two files that save writes.
func restore(path string) (perceptron.Model, columns, error) {
	m, err := perceptron.Load(path)
	if err != nil {
		return nil, columns{}, err
	}
	text, err := os.ReadFile(beside(path))
	if err != nil {
		return nil, columns{}, err
	}
	var b bundle
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&b); err != nil {
		return nil, columns{}, fmt.Errorf("%s: %w", beside(path), err)
	}
	sum, err := digest(m)
	if err == nil && sum != b.Model {
		err = fmt.Errorf("it describes a different model from the one in %s", path)
	}
	if err = errors.Join(err, b.check(m)); err != nil {
		return nil, columns{}, fmt.Errorf("%s: %w", beside(path), err)
	}
	return m, b.columns, nil
}

// check reports the first value that cannot belong to the model.
func (c *columns) check(m perceptron.Model) error {
	wide := func(n int) bool { return n == 0 || n == c.Features }
	labels := []int{-1, +1}
	if m, ok := m.(ranker); ok {
		labels = m.Classes()
	}
	switch {
	case c.Format != "csv" && c.Format != "libsvm":
		return fmt.Errorf("format %q, want csv or libsvm", c.Format)
	case c.Features < 1 || !wide(len(c.Names)) || !wide(len(c.Mean)) || len(c.Mean) != len(c.Scale):
		return fmt.Errorf("%d features with %d names, %d means and %d scales", c.Features, len(c.Names), len(c.Mean), len(c.Scale))
	case c.Missing != missingError && c.Missing != missingMean && c.Missing != missingDrop:
		return fmt.Errorf("missing %q, want error, mean or drop", c.Missing)
	case !wide(len(c.Fill)):
		return fmt.Errorf("%d values to fill in for %d features", len(c.Fill), c.Features)
	case len(c.Scale) > 0 && !(slices.Min(c.Scale) > 0): // numbers in JSON are finite
		return fmt.Errorf("scale %v, want positive numbers", slices.Min(c.Scale))
	case len(c.Classes) != len(c.Labels) || !slices.IsSorted(c.Labels) || len(slices.Compact(slices.Clone(c.Labels))) != len(c.Labels):
		return fmt.Errorf("labels %v for %d classes, want one label for each class, ascending", c.Labels, len(c.Classes))
	case slices.ContainsFunc(labels, func(v int) bool { return !slices.Contains(c.Labels, v) }):
		return fmt.Errorf("labels %v, but the model has %v", c.Labels, labels)
	case !(c.Holdout >= 0 && c.Holdout < 1):
		return fmt.Errorf("holdout %v, want at least 0 and less than 1", c.Holdout)
	}
	_, err := m.Predict(make([]float64, c.Features)) // fails if the model has another width
	return err
}
