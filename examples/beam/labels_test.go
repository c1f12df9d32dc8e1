package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// sortedRows returns rows in the order of their labels.
func sortedRows(s dataset) dataset {
	order := make([]int, len(s.y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.y[i], s.y[j]) })
	var out dataset
	for _, i := range order {
		out.X, out.y = append(out.X, s.X[i]), append(out.y, s.y[i])
	}
	return out
}

// TestTrap: rows that are sorted by label, and then cut or dealt out, make few mistakes, but predict badly. The
// survey says so, and the command that it prints helps.
func TestTrap(t *testing.T) {
	set := noisy(1, 5000, 20)
	rows := sortedRows(dataset{set.X[:4000], set.y[:4000]})
	dealt := make([]dataset, 4)
	for i, x := range rows.X {
		dealt[i%4].X, dealt[i%4].y = append(dealt[i%4].X, x), append(dealt[i%4].y, rows.y[i])
	}
	accuracy := func(c config, out *strings.Builder) float64 {
		c.holdout, c.rounds = filepath.Dir(c.checkpoint)+"/holdout", 1
		must(0, os.WriteFile(c.holdout, dataset{set.X[4000:], set.y[4000:]}.text(), 0o600))(t)
		must(0, run(t.Context(), out, c))(t)
		found := regexp.MustCompile(`round 1: ([0-9.]+) % of 1000 rows`).FindStringSubmatch(out.String())
		return must(strconv.ParseFloat(found[1], 64))(t)
	}
	for want, shards := range map[string][]dataset{
		"warning: 3 of 4 shards: rows of one label only, such as": {
			{rows.X[:1000], rows.y[:1000]}, {rows.X[1000:2000], rows.y[1000:2000]}, {rows.X[2000:3000], rows.y[2000:3000]}, {rows.X[3000:], rows.y[3000:]}},
		"warning: 4 of 4 shards: rows sorted by label, such as": dealt,
	} {
		c := setUp(t, shards)
		var out strings.Builder
		bad := accuracy(c, &out)
		_, command, found := strings.Cut(out.String(), "\n    mkdir")
		command, _, _ = strings.Cut("mkdir"+command, "\n")
		if !strings.Contains(out.String(), want) || !found {
			t.Fatalf("%s; want %s", out.String(), want)
		}
		if _, err := exec.LookPath("shuf"); err != nil {
			t.Skip(err)
		}
		shell := exec.Command("bash", "-ec", command)
		shell.Dir = t.TempDir()
		if text, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v, %s", command, err, text)
		}
		c.pattern, c.checkpoint = shell.Dir+"/dealt/*.svm", shell.Dir+"/checkpoint"
		out.Reset()
		good := accuracy(c, &out)
		t.Logf("%s: %.1f %%, dealt out %.1f %%", want, bad, good)
		if strings.Contains(out.String(), "warning") || good < bad+5 {
			t.Errorf("%.1f %%, dealt out %.1f %%: %s", bad, good, out.String())
		}
	}
}

// TestWarnings: each kind of shards that a mean cannot learn from has its sentence; shards in random order
// have none.
func TestWarnings(t *testing.T) {
	shard := func(name string, examples, positive, changes int) Shard {
		return Shard{Name: name + ".svm", Examples: examples, Positive: positive, Changes: changes}
	}
	two, seven := 2, 7
	for _, test := range []struct {
		shards   []Shard
		positive *int
		want     string
	}{
		{[]Shard{shard("a", 1000, 400, 480), shard("b", 1000, 420, 470)}, nil, ""},
		{[]Shard{shard("a", 1000, 100, 180), shard("b", 1000, 500, 500)}, &two, ""},
		{[]Shard{shard("a", 0, 0, 0), shard("b", 1000, 500, 500)}, nil, "warning: 1 of 2 shards: no row, such as a.svm\n"},
		{[]Shard{shard("a", 1000, 0, 0), shard("b", 1000, 500, 500)}, nil, "warning: 1 of 2 shards: rows of one label only, such as a.svm\nSuch"},
		{[]Shard{shard("a", 1000, 100, 180), shard("b", 1000, 700, 420)}, nil, "warning: the label +1 has 10 % of the rows in a.svm, but 70 % in b.svm\nSuch"},
		{[]Shard{shard("a", 0, 0, 0), shard("b", 1000, 700, 420), shard("c", 1000, 100, 180)}, nil, "warning: 1 of 3 shards: no row, such as a.svm\nwarning: the label +1 has 10 % of the rows in c.svm, but 70 % in b.svm\nSuch"},
		{[]Shard{shard("a", 1000, 500, 49), shard("b", 1000, 500, 51)}, nil, "warning: 1 of 2 shards: rows sorted by label, such as a.svm\nSuch"},
		{[]Shard{shard("a", 10, 10, 0), shard("b", 5, 5, 0)}, nil, "warning: all rows have the label +1, so the model predicts no other\n"},
		{[]Shard{shard("a", 10, 0, 0)}, nil, "warning: all rows have the label -1, so the model predicts no other\n"},
		{[]Shard{shard("a", 10, 0, 0)}, &seven, "-positive 7: no row of the shards has this label"},
	} {
		var out strings.Builder
		c := config{job: job{Shards: test.shards, Positive: test.positive}}
		if err := c.warn(&out); err != nil {
			out.WriteString(err.Error())
		}
		if got := out.String(); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestPositiveNone: a run whose -positive no row has ends with an error, and writes no checkpoint.
func TestPositiveNone(t *testing.T) {
	c, seven := setUp(t, noisy(1, 60, 3).split(3)), 7
	c.Positive = &seven
	if err := run(t.Context(), io.Discard, c); err == nil || err.Error() != "-positive 7: no row of the shards has this label" {
		t.Error(err)
	}
	if _, err := os.Stat(c.checkpoint); !os.IsNotExist(err) {
		t.Error("the run wrote a checkpoint")
	}
}

// TestHoldout: rows held out that cannot be scored end the run with an error. Scoring that takes longer than the last
// step of a pipeline hides no line, and changes no time of a round.
func TestHoldout(t *testing.T) {
	for content, want := range map[string]string{
		"spam 1:1\n":         `-holdout: `,
		"3 1:1\n":            "row 1: perceptron: bad label: 3; -positive",
		"+1 1:1\n-1 1:9e999": "line 2",
		"":                   "-holdout: no rows in",
	} {
		c := setUp(t, noisy(1, 60, 3).split(3))
		c.holdout = filepath.Dir(c.pattern) + "/holdout"
		must(0, os.WriteFile(c.holdout, []byte(content), 0o600))(t)
		if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
	c := setUp(t, noisy(1, 60, 3).split(3))
	if err := c.setChunk("5m"); err != nil {
		t.Fatal(err)
	}
	c.rounds = 12
	c.holdout = "faulty://" + filepath.Dir(c.pattern) + "/b.held"
	must(0, os.WriteFile(strings.TrimPrefix(c.holdout, "faulty://"), []byte("+1 1:1\n"), 0o600))(t)
	fault, faultFrom = func(content []byte) io.Reader {
		return io.MultiReader(slow{}, bytes.NewReader(content))
	}, 0
	var out strings.Builder
	must(0, run(t.Context(), &out, c))(t)
	for _, round := range []int{1, 11, 12} {
		if !regexp.MustCompile(fmt.Sprintf(`\nround %d: [0-9.]+ %% of 1 row held out`, round)).MatchString(out.String()) {
			t.Errorf("round %d has no line:\n%s", round, out.String())
		}
	}
	if slow := regexp.MustCompile(`, (2\.[5-9]|[3-9]\.)[0-9]* s,`).FindString(out.String()); slow != "" {
		t.Errorf("the time of a round has that of the scoring:\n%s", out.String())
	}
}

// A slow reader is empty.
type slow struct{}

func (slow) Read([]byte) (int, error) {
	time.Sleep(2500 * time.Millisecond)
	return 0, io.EOF
}

// TestRunnerFlags: what a runner needs is an error before the program asks any server.
func TestRunnerFlags(t *testing.T) {
	runner := flag.Lookup("runner")
	was := []string{runner.Value.String(), *jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.Endpoint}
	defer func() {
		runner.Value.Set(was[0])
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.Endpoint = was[1], was[2], was[3]
	}()
	runner.Value.Set("flink")
	*jobopts.Endpoint, *jobopts.EnvironmentConfig = "localhost:1", ""
	for environment, want := range map[string]string{"PROCESS": "--environment_type=PROCESS needs --environment_config", "EXTERNAL": "--environment_type=EXTERNAL needs", "DOCKER": "--runner=flink needs -flink"} {
		*jobopts.EnvironmentType = environment
		if err := new(config).workers(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
