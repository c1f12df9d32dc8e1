package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"perceptron"
)

// TestBadShards: an error in a shard fails the run. The message states the position, and
// the run writes no checkpoint. When the shard is good, the same command gives the result of an
// undisturbed run. Of the library's messages, the test compares only the beginning.
func TestBadShards(t *testing.T) {
	good := separable(1, 20, 3)
	text := good.text()
	odd := good
	odd.y = slices.Clone(good.y)
	odd.y[7] = 3
	far := good
	far.y = slices.Clone(good.y)
	far.y[7], far.y[8] = 1<<32+1, 1<<32-1 // as int32 +1 and −1
	for want, shard := range map[string][]byte{
		`b.svm: perceptron: bad format: line 21, column 5: value "x"`:                              append(slices.Clone(text), "1 1:x\n"...),
		`b.svm: perceptron: bad format: line 23, column 2: label "a"`:                              append(slices.Clone(text), "\n# none\n a\n"...),
		`b.svm: row 8: perceptron: bad label: 3`:                                                   odd.text(),
		`b.svm: row 8: perceptron: bad label: 4294967297`:                                          far.text(),
		`b.svm: row 1: perceptron: bad label: 0`:                                                   []byte("0 1:1\n1 1:2\n"),
		`b.svm: row 21: perceptron: not finite`:                                                    append(slices.Clone(text), "\n 1 1:1e308 2:1e308 3:1e308\n"...),
		`b.svm: perceptron: bad format: line 1, column 3: index 134217729, want at most 134217728`: []byte("1 134217729:1\n"),
	} {
		for _, features := range []int{0, 3} {
			if features == 3 && strings.Contains(want, "134217728") {
				continue // this error needs the other setting
			}
			c := setUp(t, []dataset{good, good, good})
			c.Features, c.rounds = features, 2
			bad := filepath.Join(filepath.Dir(c.pattern), "b.svm")
			put(t, bad, shard)
			err := run(t.Context(), io.Discard, c)
			if err == nil || !strings.Contains(err.Error(), filepath.Dir(bad)+"/"+want) {
				t.Errorf("%v, want %s", err, want)
			}
			if label := strings.Contains(want, "bad label"); label != strings.Contains(fmt.Sprint(err), "-positive") || strings.Contains(fmt.Sprint(err), "Classifier") {
				t.Errorf("%v: only the error of a label names -positive, and none names another model", err)
			}
			if _, err := os.Stat(c.checkpoint); !os.IsNotExist(err) {
				t.Errorf("%s: the run wrote a checkpoint", want)
			}
			put(t, bad, text)
			if got := trained(t, c); !equal(got.State, goroutines(t, []dataset{good, good, good}, uniform, 2)) {
				t.Errorf("%s: without the fault, the run gives another result", want)
			}
		}
	}
}

// TestWidth: the widest shard sets the number of features. Some shards may be empty, but
// not all.
func TestWidth(t *testing.T) {
	set := dataset{[][]float64{{1, 0, 0}, {-1, 0, 0}}, []int{1, -1}}
	wide := dataset{[][]float64{{1, 0, 2, 0, 3}}, []int{1}}
	c := setUp(t, []dataset{set, {}, wide, set})
	if got := trained(t, c); len(got.State.Weights) != 5 || !got.Converged || got.History[0].Examples != 5 {
		t.Errorf("%+v", got.State)
	}
	c.checkpoint += "7"
	c.Features = 7
	if got := trained(t, c); len(got.State.Weights) != 7 {
		t.Errorf("%d weights, want 7", len(got.State.Weights))
	}
	c = setUp(t, []dataset{{}, {}})
	if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), "no features in any shard") {
		t.Errorf("empty shards: %v", err)
	}
	c.Features = 3
	if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), "no examples in any shard") {
		t.Errorf("empty shards of 3 features: %v", err)
	}
}

// TestPositive: -positive separates one label from all others.
func TestPositive(t *testing.T) {
	set := separable(1, 50, 3)
	labels := dataset{set.X, slices.Clone(set.y)}
	for i, y := range labels.y {
		labels.y[i] = map[int]int{+1: 4, -1: i}[y] + map[bool]int{true: 100}[y < 0]
	}
	c := setUp(t, labels.split(3))
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	new(config).define(flags)
	four := 4
	c.Positive = &four
	if got, want := trained(t, c), goroutines(t, set.split(3), uniform, c.rounds); !equal(got.State, want) {
		t.Errorf("%+v, want %+v", got.State, want)
	}
	if flags.Parse([]string{"-positive", "4"}) != nil || flags.Parse([]string{"-positive", "four"}) == nil {
		t.Error("-positive is not a number")
	}
}

// counted is a file system of local files at counted://. It counts the bytes read.
type counted struct {
	filesystem.Interface
	read *int
}

type countedFile struct {
	io.ReadCloser
	read *int
}

func (c counted) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	file, err := c.Interface.OpenRead(ctx, strings.TrimPrefix(name, "counted://"))
	return countedFile{file, c.read}, err
}

func (c counted) Size(ctx context.Context, name string) (int64, error) {
	return c.Interface.Size(ctx, strings.TrimPrefix(name, "counted://"))
}

func (f countedFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	*f.read += n
	return n, err
}

var bytesRead int

func init() {
	filesystem.Register("counted", func(ctx context.Context) filesystem.Interface { return counted{local.New(ctx), &bytesRead} })
}

// TestStreamed: the program reads at most one buffer ahead of the row being learned.
func TestStreamed(t *testing.T) {
	text := bytes.Repeat(separable(1, 100, 5).text(), 500)
	name := filepath.Join(t.TempDir(), "shard")
	put(t, name, text)
	bytesRead = 0
	n, ahead := 0, 0
	_, err := reading{Features: 5}.each(t.Context(), Shard{Name: "counted://" + name, Size: int64(len(text))}, origin{}, func(rows examples) error {
		for range rows {
			ahead = max(ahead, bytesRead-n*len(text)/50000)
			n++
		}
		return nil
	})
	if err != nil || bytesRead != len(text) || ahead > 1<<16+len(text)/100 {
		t.Errorf("read %d bytes ahead of %d; %v", ahead, bytesRead, err)
	}
}

// TestEach: each returns the errors of the stream and of learn. If learn stops early, or
// the context ends, each stops reading.
func TestEach(t *testing.T) {
	c := setUp(t, []dataset{separable(1, 20, 3)})
	shards := must(expand(t.Context(), c.pattern))(t)
	stop := errors.New("stop")
	n := 0
	_, err := reading{Features: 3}.each(t.Context(), shards[0], origin{}, func(rows examples) error {
		for range rows {
			if n++; n == 5 {
				return &perceptron.ExampleError{Index: 4, Err: stop}
			}
		}
		return nil
	})
	if !errors.Is(err, stop) || err.Error() != shards[0].Name+": row 5: stop" {
		t.Errorf("%v, want the error of row 5", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	_, err = reading{Features: 3}.each(ctx, shards[0], origin{}, func(rows examples) error {
		for range rows {
			n++
			cancel()
		}
		return nil
	})
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %d rows, want the end of the context after 1", err, n)
	}
	shards[0].Name += "x"
	if _, err := (reading{Features: 3}).each(t.Context(), shards[0], origin{}, nil); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
}

// TestExpand: the shards are numbered in the order of their names.
func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.svm", "a.svm", "c.txt", "a10.svm"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []Shard{{Name: dir + "/a.svm", Size: 5}, {Number: 1, Name: dir + "/a10.svm", Size: 7}, {Number: 2, Name: dir + "/b.svm", Size: 5}}
	if got := must(expand(t.Context(), dir+"/*.svm"))(t); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
