package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// A job is what the weights follow from, and so what a checkpoint must agree
// with to go on from.
type job struct {
	Shards   []Shard `json:"shards"`
	Format   string  `json:"format"`
	Features int     `json:"features"` // 0: as many as the shards have
	Positive *int    `json:"positive,omitempty"`
	Mix      string  `json:"mix"`
}

func (j *job) reading() reading { return reading{j.Format, j.Positive} }

// A checkpoint is a file of two lines: JSON, and the SHA-256 of the first line,
// without its newline, in hexadecimal. JSON's numbers keep every bit.
type checkpoint struct {
	Job   job   `json:"job"`
	State State `json:"state"`
}

func (c checkpoint) encode() ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%x\n", text, sha256.Sum256(text)), nil
}

func decode(content []byte) (c checkpoint, err error) {
	text, rest, _ := bytes.Cut(content, []byte("\n"))
	if string(rest) != fmt.Sprintf("%x\n", sha256.Sum256(text)) {
		return c, errors.New("damaged: its second line is not the SHA-256 of the first")
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, err
	}
	for i := range c.Job.Shards {
		c.Job.Shards[i].Number = i
	}
	s := &c.State
	if len(s.History) != s.Round || len(s.Weights) == 0 {
		return c, fmt.Errorf("%d rounds with a history of %d, and %d weights", s.Round, len(s.History), len(s.Weights))
	}
	return c, nil
}

// differs tells in what the job is another, "" if it is not.
func (j *job) differs(saved *job) string {
	label := func(p *int) string {
		if p == nil {
			return "none"
		}
		return fmt.Sprint(*p)
	}
	differ := func(flag string, was, is any) string {
		if was == is {
			return ""
		}
		return fmt.Sprintf("-%s was %v, now %v", flag, was, is)
	}
	if len(j.Shards) != len(saved.Shards) {
		return fmt.Sprintf("it was %d shards, now %d", len(saved.Shards), len(j.Shards))
	}
	for i, s := range j.Shards {
		if was := saved.Shards[i]; s != was {
			return fmt.Sprintf("shard %d was %s of %d bytes, now %s of %d", i, was.Name, was.Size, s.Name, s.Size)
		}
	}
	return cmp.Or(differ("format", saved.Format, j.Format), differ("features", saved.Features, j.Features),
		differ("positive", label(saved.Positive), label(j.Positive)), differ("mix", saved.Mix, j.Mix))
}

// resume returns the state to begin with: the checkpoint's, if there is one.
func resume(ctx context.Context, name string, j job) (State, error) {
	c, err := load(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return State{Weights: make([]float64, j.Features)}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %s: %w", name, err)
	}
	if other := j.differs(&c.Job); other != "" {
		return State{}, fmt.Errorf("checkpoint %s is of another job: %s", name, other)
	}
	return c.State, nil
}

func load(ctx context.Context, name string) (checkpoint, error) {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return checkpoint{}, err
	}
	defer files.Close()
	file, err := files.OpenRead(ctx, name)
	if err != nil {
		return checkpoint{}, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return checkpoint{}, err
	}
	return decode(content)
}

// save writes the checkpoint under another name first, so that it is there whole
// or not at all. Where there are no files to rename, as in object stores, a file
// comes to be when it is closed.
func (c checkpoint) save(ctx context.Context, name string) error {
	content, err := c.encode()
	if err != nil {
		return err
	}
	if strings.Contains(name, "://") {
		return write(ctx, name, content)
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

func write(ctx context.Context, name string, content []byte) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	file, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// A writeFn hands a chunk's last state to the launcher, in a file.
type writeFn struct {
	Name string
	Job  job
}

func (f *writeFn) ProcessElement(ctx context.Context, s State) error {
	content, err := checkpoint{f.Job, s}.encode()
	if err != nil {
		return err
	}
	return write(ctx, f.Name, content)
}

// runChunk runs one pipeline of rounds and, if it succeeded, makes a checkpoint
// of what it came to. The workers write to a file of their own, since a worker
// that outlives its run must not touch the checkpoint.
func (c *config) runChunk(ctx context.Context, s State) (State, error) {
	rounds := min(c.chunk, c.rounds-s.Round)
	result := c.checkpoint + ".next"
	if err := remove(ctx, result); err != nil {
		return s, err
	}
	beamed, scope := beam.NewPipelineWithRoot()
	build(scope, c.job, s, rounds, result)
	if err := beamx.Run(ctx, beamed); err != nil {
		return s, fmt.Errorf("rounds %d to %d: %w", s.Round+1, s.Round+rounds, err)
	}
	next, err := load(ctx, result)
	if err != nil {
		return s, fmt.Errorf("the pipeline's result %s: %w", result, err)
	}
	if other := c.differs(&next.Job); other != "" || next.State.Round != s.Round+rounds && !next.State.Converged {
		return s, fmt.Errorf("the pipeline's result %s is of another run: round %d %s", result, next.State.Round, other)
	}
	if err := next.save(ctx, c.checkpoint); err != nil {
		return s, err
	}
	return next.State, remove(ctx, result)
}

// remove removes a file, if there is one.
func remove(ctx context.Context, name string) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	if remover, ok := files.(filesystem.Remover); ok {
		if err := remover.Remove(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
