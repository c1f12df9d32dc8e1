package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A job holds everything that determines the weights. Training continues only from a
// checkpoint of the same job.
type job struct {
	Shards   []Shard `json:"shards"`
	Features int     `json:"features"` // if 0, the highest index in the shards
	Positive *int    `json:"positive,omitempty"`
	Mix      string  `json:"mix"`
	learner
}

// A checkpoint is the content of a checkpoint file. The file has two lines. The first is JSON, with
// all bits of each number. The second is the SHA-256 of the first line without its newline, in
// hexadecimal.
//
// A worker reports to the launcher in the same format. After the survey, it reports the
// shards and the state before the first round; after a round, only the state.
type checkpoint struct {
	Run string `json:"run,omitempty"` // the ID of the origin, in a report
	Job job    `json:"job"`
	State
}

// encode returns the content of the file.
func (c checkpoint) encode() ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%x\n", text, sha256.Sum256(text)), nil
}

// decode is the inverse of encode. It rejects damaged and inconsistent files.
func decode(content []byte) (c checkpoint, err error) {
	text, rest, _ := bytes.Cut(content, []byte("\n"))
	if string(rest) != fmt.Sprintf("%x\n", sha256.Sum256(text)) {
		return c, errors.New("damaged: the second line is not the SHA-256 of the first")
	}
	fields := json.NewDecoder(bytes.NewReader(text))
	fields.DisallowUnknownFields() // those of other versions may determine the weights
	if err := fields.Decode(&c); err != nil {
		return c, err
	}
	switch {
	case len(c.History) != c.Round || len(c.Blocks) != blocks(c.Numbers) || c.Features <= 0 && c.Failed == "":
		return c, fmt.Errorf("inconsistent: %d rounds, a history of %d rounds, %d numbers of %d features in %d blocks", c.Round, len(c.History), c.Numbers, c.Features, len(c.Blocks))
	case (c.Round > 0 || c.Converged) && c.Model == nil:
		return c, errors.New("inconsistent: no model") // the first example is a mistake, so a round has a model
	}
	return c, nil
}

// flags returns the values of the flags that determine the weights.
func (j *job) flags() [4]string {
	positive, _ := json.Marshal(j.Positive)
	return [...]string{fmt.Sprint(j.Features), j.Mix, string(positive), j.Keep}
}

// differs describes the first difference from the saved job. It returns "" if the jobs
// are equal.
func (j *job) differs(saved *job) string {
	end := Shard{Name: "\xff"}
	now := append(slices.Clone(j.Shards), end)
	for i, was := range append(slices.Clone(saved.Shards), end) {
		switch is := now[i]; {
		case was.Name < is.Name:
			return fmt.Sprintf("shard %s is missing", was.Name)
		case was.Name > is.Name:
			return fmt.Sprintf("shard %s is new", is.Name)
		case is.Size != was.Size:
			return fmt.Sprintf("shard %s had %d bytes, now %d", is.Name, was.Size, is.Size)
		case is.Sum != "" && is.Sum != was.Sum: // "" before the survey
			return fmt.Sprintf("the content of shard %s had the hash %q, now %q", is.Name, was.Sum, is.Sum)
		}
	}
	was, is := saved.flags(), j.flags()
	for i, flag := range []string{"features", "mix", "positive", "keep"} {
		if was[i] != is[i] {
			return fmt.Sprintf("-%s was %s, now %s", flag, was[i], is[i])
		}
	}
	return ""
}

// save writes the checkpoint. Readers never see a part of the file.
func (c checkpoint) save(ctx context.Context, name string) error {
	content, err := c.encode()
	if err != nil {
		return err
	}
	return write(ctx, name, content)
}
