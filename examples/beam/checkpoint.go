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

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A job holds everything that determines the weights. Training continues only from a
// checkpoint of the same job.
type job struct {
	Shards   []Shard `json:"shards"`
	Format   string  `json:"format"`
	Features int     `json:"features"` // 0: the highest index in the shards
	Positive *int    `json:"positive,omitempty"`
	Mix      string  `json:"mix"`
}

func (j *job) reading() reading { return reading{j.Format, j.Positive} }

// A checkpoint is the content of a checkpoint file. The file has two lines: JSON, and the
// SHA-256 of the first line, without its newline, in hexadecimal. Numbers in this JSON
// keep every bit.
type checkpoint struct {
	Job job `json:"job"`
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
	for i := range c.Job.Shards {
		c.Job.Shards[i].Number = i
	}
	if len(c.History) != c.Round || len(c.Weights) == 0 && c.Failed == "" {
		return c, fmt.Errorf("inconsistent: %d rounds, a history of %d rounds, %d weights", c.Round, len(c.History), len(c.Weights))
	}
	return c, nil
}

// differs describes the first difference from the saved job. It returns "" if the jobs
// are equal.
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
		return fmt.Sprintf("there were %d shards, now %d", len(saved.Shards), len(j.Shards))
	}
	for i, s := range j.Shards {
		if was := saved.Shards[i]; s != was {
			return fmt.Sprintf("shard %d was %s with %d bytes, now %s with %d bytes", i, was.Name, was.Size, s.Name, s.Size)
		}
	}
	return cmp.Or(differ("format", saved.Format, j.Format), differ("features", saved.Features, j.Features),
		differ("positive", label(saved.Positive), label(j.Positive)), differ("mix", saved.Mix, j.Mix))
}

// load reads a checkpoint. The error is fs.ErrNotExist if the file does not exist.
func load(ctx context.Context, name string) (checkpoint, error) {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return checkpoint{}, err
	}
	defer files.Close()
	if err := find(ctx, files, name); err != nil {
		return checkpoint{}, err
	}
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

// stored reports whether a name refers to an object store or similar, not to a local
// file.
func stored(name string) bool { return strings.Contains(name, "://") }

// find returns fs.ErrNotExist if the file does not exist. For a store, it lists the name,
// because each store returns its own error for a missing file.
func find(ctx context.Context, files filesystem.Interface, name string) error {
	if !stored(name) {
		_, err := os.Stat(name)
		return err
	}
	names, err := files.List(ctx, name)
	if err == nil && len(names) == 0 {
		err = fs.ErrNotExist
	}
	return err
}

// save writes the checkpoint under a temporary name and renames it, so that the file is
// always complete. Object stores need no rename: there, a file appears when it is closed.
func (c checkpoint) save(ctx context.Context, name string) error {
	content, err := c.encode()
	if err != nil {
		return err
	}
	if stored(name) {
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

// write writes a file on any of Beam's file systems.
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

// remove removes a file if it exists.
func remove(ctx context.Context, name string) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	if err := find(ctx, files, name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	remover, ok := files.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: the file system cannot remove files", name)
	}
	return remover.Remove(ctx, name)
}
