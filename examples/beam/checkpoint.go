package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// A job holds everything that determines the weights. Training continues only from a
// checkpoint of the same job.
type job struct {
	Shards   []Shard `json:"shards"`
	Format   string  `json:"format"`
	Features int     `json:"features"` // if 0, the highest index in the shards
	Positive *int    `json:"positive,omitempty"`
	Mix      string  `json:"mix"`
	learner
	cache bool // does not change the weights
}

func (j *job) reading() reading {
	return reading{Format: j.Format, Positive: j.Positive, Cache: j.cache, Passes: j.Passes}
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
	if err := json.Unmarshal(text, &c); err != nil {
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

// differs describes the first difference from the saved job. It returns "" if the jobs
// are equal.
func (j *job) differs(saved *job) string {
	label := func(p *int) string { text, _ := json.Marshal(p); return string(text) }
	differ := func(flag string, was, is any) string {
		if was == is {
			return ""
		}
		return fmt.Sprintf("-%s was %v, now %v", flag, was, is)
	}
	for _, was := range saved.Shards {
		if !slices.ContainsFunc(j.Shards, func(s Shard) bool { return s.Name == was.Name }) {
			return fmt.Sprintf("shard %s is missing", was.Name)
		}
	}
	for _, is := range j.Shards {
		if !slices.ContainsFunc(saved.Shards, func(s Shard) bool { return s.Name == is.Name }) {
			return fmt.Sprintf("shard %s is new", is.Name)
		}
	}
	for i, s := range j.Shards {
		switch was := saved.Shards[i]; {
		case s.Size != was.Size:
			return fmt.Sprintf("shard %s had %d bytes, now %d", s.Name, was.Size, s.Size)
		case s.Sum != "" && s.Sum != was.Sum: // "" before the survey
			return fmt.Sprintf("the content of shard %s had the hash %q, now %q", s.Name, was.Sum, s.Sum)
		}
	}
	return cmp.Or(differ("format", saved.Format, j.Format), differ("features", saved.Features, j.Features), differ("mix", saved.Mix, j.Mix),
		differ("positive", label(saved.Positive), label(j.Positive)), differ("passes", max(saved.Passes, 1), j.Passes),
		differ("rule", saved.Rule, j.Rule), differ("bound", saved.Bound, j.Bound), differ("keep", saved.Keep, j.Keep))
}

// load reads a checkpoint. The error is fs.ErrNotExist if the file does not exist.
func load(ctx context.Context, name string) (checkpoint, error) {
	content, err := read(ctx, name)
	if err != nil {
		return checkpoint{}, err
	}
	return decode(content)
}

// save writes the checkpoint. Readers never see a part of the file.
func (c checkpoint) save(ctx context.Context, name string, mode fs.FileMode) error {
	content, err := c.encode()
	if err != nil {
		return err
	}
	return write(ctx, name, content, mode)
}
