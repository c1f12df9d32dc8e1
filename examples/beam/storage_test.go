package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
)

// hanging is a file system of local files at hanging://. Calls block until a test ends once
// hangs is set, or after lingers more results are written.
type hanging struct{ filesystem.Interface }

var (
	hangs   atomic.Bool
	lingers atomic.Int64
	release = make(chan struct{})
)

func init() {
	filesystem.Register("hanging", func(ctx context.Context) filesystem.Interface { return hanging{local.New(ctx)} })
}

// hung returns the name of a local file, when the storage answers.
func hung(name string) string {
	if hangs.Load() {
		<-release
		return "/dev/null/none"
	}
	return strings.TrimPrefix(name, "hanging://")
}

func (h hanging) List(ctx context.Context, pattern string) ([]string, error) {
	names, err := h.Interface.List(ctx, hung(pattern))
	for i := range names {
		names[i] = "hanging://" + names[i]
	}
	return names, err
}

func (h hanging) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	return h.Interface.OpenRead(ctx, hung(name))
}

func (h hanging) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	file, err := h.Interface.OpenWrite(ctx, hung(name))
	return lingering{file, strings.HasSuffix(name, nextFile)}, err
}

func (h hanging) Remove(_ context.Context, name string) error { return os.Remove(hung(name)) }

// A lingering file of a result can be read, but closing it does not end.
type lingering struct {
	io.WriteCloser
	result bool
}

func (l lingering) Close() error {
	err := l.WriteCloser.Close()
	if l.result && lingers.Add(-1) == 0 {
		<-release
	}
	return err
}

// stuck prepares flags for a checkpoint at hanging://, until the test ends.
func stuck(t *testing.T, shards []dataset) (c config, checkpoint string) {
	c = setUp(t, shards)
	checkpoint = c.checkpoint
	c.checkpoint = "hanging://" + checkpoint
	c.rounds, c.chunk = 4, 2
	limit := storageLimit.Load()
	t.Cleanup(func() {
		close(release)
		hangs.Store(false)
		lingers.Store(0)
		storageLimit.Store(limit)
		release = make(chan struct{})
	})
	return c, checkpoint
}

// TestHangs: if the storage does not answer any more, the run ends after -stall, and after a
// signal at once. The checkpoint has the rounds before, and the same command continues.
func TestHangs(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	for name, stall := range map[string]time.Duration{"the storage does not answer": time.Second, "the run was canceled: context canceled": time.Hour} {
		t.Run(name, func(t *testing.T) {
			c, checkpoint := stuck(t, shards)
			c.stall = stall
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out := lineFunc(func(line string) {
				if strings.HasPrefix(line, "round 2:") {
					hangs.Store(true)
					if stall == time.Hour {
						cancel()
					}
				}
			})
			began := time.Now()
			if err := run(ctx, out, c); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%v, want %s", err, name)
			}
			t.Logf("ended after %v", time.Since(began))
			c.checkpoint, c.stall = checkpoint, time.Minute
			if saved := must(loadAll(t, checkpoint))(t); saved.Round != 2 {
				t.Errorf("%d rounds in the checkpoint, want 2", saved.Round)
			}
			if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 4)) {
				t.Error("the restart gives another result")
			}
		})
	}
}

// A lineFunc is a writer that calls a function for each line.
type lineFunc func(string)

func (f lineFunc) Write(p []byte) (int, error) { f(string(p)); return len(p), nil }

// TestLingers: a job that does not end after the last report of its chunk is canceled. The
// next chunk trains.
func TestLingers(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	c, checkpoint := stuck(t, shards)
	c.stall = 2 * time.Second
	lingers.Store(3) // the survey and two rounds
	if err := run(t.Context(), io.Discard, c); err != nil {
		t.Fatal(err)
	}
	if got := must(loadAll(t, checkpoint))(t); !equal(got.State, goroutines(t, shards, uniform, 4)) {
		t.Errorf("%+v", got.State)
	}
}

// TestUmask: the umask determines the permissions of all files, so that workers of other users may read them.
func TestUmask(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	c := setUp(t, noisy(1, 60, 3).split(3))
	c.rounds = 1
	for _, umask := range []int{0o022, 0o027, 0o077} {
		syscall.Umask(umask)
		c.checkpoint += "x" // a file that exists keeps its permissions
		trained(t, c)
		o := lease(t, c)
		o.Run = o.ID
		shard := must(expand(t.Context(), c.pattern))(t)[0]
		_, failed, err := reading{}.parse(t.Context(), shard, o, o.cacheOf(shard), func(rows examples) error {
			for range rows {
			}
			return nil
		})
		must(0, errors.Join(failed, err))(t)
		names := must(filepath.Glob(c.checkpoint + "*"))(t)
		if len(names) != 5 { // checkpoint, block, lease, beat, cache
			t.Errorf("files: %v", names)
		}
		for _, name := range names {
			if info := must(os.Stat(name))(t); info.Mode() != fs.FileMode(0o666&^umask) {
				t.Errorf("umask %o, %s: %v", umask, name, info.Mode())
			}
		}
	}
}

// TestReplace: replace creates a file, or replaces the target of a symbolic link. It refuses what is
// not a file, and leaves no temporary file.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "sub", "link")
	must(0, errors.Join(os.Mkdir(dir+"/sub", 0o700), os.Symlink("../file", link)))(t)
	for _, name := range []string{file, file, link} {
		must(0, replace(name, []byte(name)))(t)
		if got := must(os.ReadFile(file))(t); string(got) != name {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, want := range map[string]string{
		dir: "not a regular file", os.DevNull: "not a regular file", dir + "/none/file": "no such file", file + "/x": "not a directory",
	} {
		if err := replace(name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if info := must(os.Lstat(link))(t); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if names := must(filepath.Glob(dir + "/.*"))(t); len(names) != 0 {
		t.Errorf("files left: %v", names)
	}
}
