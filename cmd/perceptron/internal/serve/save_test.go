package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// learned makes the service learn n rows, and returns the last answer.
func learned(t *testing.T, s *service, n int) (a struct{ Learned, Saved int }) {
	t.Helper()
	for range n {
		q, err := decode([]byte(`{"row":`+red+`,"class":"low"}`), true)
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := s.learn(q, local("POST", "/update", ""))
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// logged returns a service whose log is in a buffer.
func logged(t *testing.T, c Config) (*service, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	s, err := newService(c, c.logger(&log))
	if err != nil {
		t.Fatal(err)
	}
	return s, &log
}

// holds checks that a file holds the model of the service.
func holds(t *testing.T, path string, s *service) {
	t.Helper()
	want, err := s.current.Load().file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s does not hold the model: %v", path, err)
	}
	if _, err := modelfile.Read(path); err != nil {
		t.Error(err)
	}
}

// TestSaveFails: while the model cannot be saved, the service continues to learn,
// answers honestly what is saved, and logs once. When it can, it saves and logs that.
func TestSaveFails(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 1
	s, log := logged(t, c)
	dir := filepath.Dir(c.Model)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 50); a.Learned != 50 || a.Saved != 0 {
		t.Errorf("%+v", a)
	}
	if n := strings.Count(log.String(), "cannot be saved"); n != 1 {
		t.Errorf("%d messages:\n%s", n, log)
	}
	s.warned = s.warned.Add(-warnings)
	if learned(t, s, 1); strings.Count(log.String(), "cannot be saved") != 2 {
		t.Errorf("no message after a minute:\n%s", log)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 1); a.Saved != 52 || !strings.Contains(log.String(), "saved again") {
		t.Errorf("%+v\n%s", a, log)
	}
	holds(t, c.Model, s)
	if f, err := modelfile.Read(c.Model); err != nil || f.Data.Served != 52 {
		t.Errorf("the file counts %+v, %v", f.Data, err)
	}
	metrics := record(s, local("GET", "/metrics", "")).Body.String()
	for _, line := range []string{"saves_total 1", "save_errors_total 51", "unsaved_rows 0"} {
		if !strings.Contains(metrics, "\nperceptron_"+line+"\n") {
			t.Errorf("no line perceptron_%s", line)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if learned(t, s, 1); strings.Count(log.String(), "cannot be saved") != 3 {
		t.Errorf("no message about another failure:\n%s", log)
	}
}

// TestReadonlyFile: the service does not replace a file without permission to write.
func TestReadonlyFile(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 1
	s, log := logged(t, c)
	before, err := os.ReadFile(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(c.Model, 0o444); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 1); a.Saved != 0 || !strings.Contains(log.String(), "is read-only") {
		t.Errorf("%+v\n%s", a, log)
	}
	if after, err := os.ReadFile(c.Model); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the file has changed: %v", err)
	}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "read-only: serve it with --readonly") {
		t.Error(err)
	}
	if c.Readonly = true; c.Check() != nil {
		t.Error(c.Check())
	}
	if err := s.close(); err == nil || !strings.Contains(err.Error(), "is read-only") {
		t.Error(err)
	}
	holds(t, unsaved(t, c), s)
}

// unsaved returns the only file that holds unsaved rows.
func unsaved(t *testing.T, c Config) string {
	t.Helper()
	files, err := filepath.Glob(c.Model + ".unsaved-*")
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	return files[0]
}

// TestReplaced: the service does not overwrite a model that another program has
// written, and loses none of its own rows.
func TestReplaced(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 2
	s, log := logged(t, c)
	first, err := os.ReadFile(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 4); a.Saved != 4 { // it knows its own file
		t.Errorf("%+v", a)
	}
	if err := os.WriteFile(c.Model, first, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 2); a.Saved != 4 { // also a file that it has read is not its own any more
		t.Errorf("%+v", a)
	}
	other := example(t, "multiclass", table.MissingError)
	if err := other.Write(c.Model); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 3); a.Learned != 9 || a.Saved != 4 || strings.Count(log.String(), "another program has replaced the file") != 1 {
		t.Errorf("%+v\n%s", a, log)
	}
	err = s.close()
	if err == nil || !strings.Contains(err.Error(), "another program has replaced the file") {
		t.Error(err)
	}
	holds(t, unsaved(t, c), s)
	holds(t, c.Model, begin(t, c))
	if f, err := modelfile.Read(c.Model); err != nil || modelfile.Type(f.Model) != "multiclass" {
		t.Error(err)
	}
}

// TestReplacedMeanwhile: another program replaces the file while the service writes its
// model to the disk, which takes most of the time of a save.
func TestReplacedMeanwhile(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 1
	s, log := logged(t, c)
	s.write = func(path string, text io.WriterTo, temporary string, check func() error) error {
		return atomicfile.WriteIf(path, text, temporary, func() error {
			if err := example(t, "multiclass", table.MissingError).Write(path); err != nil {
				t.Error(err)
			}
			return check()
		})
	}
	if a := learned(t, s, 1); a.Learned != 1 || a.Saved != 0 || strings.Count(log.String(), "another program has replaced the file") != 1 {
		t.Errorf("%+v\n%s", a, log)
	}
	if f, err := modelfile.Read(c.Model); err != nil || modelfile.Type(f.Model) != "multiclass" {
		t.Error(err)
	}
}

// TestReload: SIGHUP serves the new file, and puts unsaved rows aside.
func TestReload(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	s, log := logged(t, c)
	learned(t, s, 3)
	version := s.current.Load().version
	if s.reload(); s.current.Load().version != version || s.saved != 3 || !strings.Contains(log.String(), "the file has not changed; the model is saved") {
		t.Errorf("%d saved\n%s", s.saved, log)
	}
	holds(t, c.Model, s)
	learned(t, s, 1)
	mine := s.current.Load()
	if err := os.WriteFile(c.Model, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s.reload(); s.current.Load() != mine || !strings.Contains(log.String(), "the service keeps its model") {
		t.Errorf("a bad file is served:\n%s", log)
	}
	if err := example(t, "multiclass", table.MissingError).Write(c.Model); err != nil {
		t.Fatal(err)
	}
	s.reload()
	if !strings.Contains(log.String(), "the file is read") || s.learned != 0 || len(s.current.Load().quoted) != 3 {
		t.Errorf("the new file is not served:\n%s", log)
	}
	holds(t, c.Model, s)
	s.current.Store(mine)
	holds(t, unsaved(t, c), s)
	if done, failed := s.metrics.reloads.Get(), s.metrics.reloadErrors.Get(); done != 1 || failed != 1 {
		t.Errorf("%d reloads and %d that failed", done, failed)
	}
}

// TestHalfSaved: a write that fails after it has replaced the file does not make the
// service believe that another program did.
func TestHalfSaved(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	s, _ := logged(t, c)
	before := s.ours[0]
	learned(t, s, 1)
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	s.ours[0] = before // as after an error of the last step
	if err := s.mine(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(c.Model); err != nil {
		t.Fatal(err)
	}
	if err := s.mine(); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(c.Model, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.mine(); err != errReplaced {
		t.Errorf("a folder: %v", err)
	}
}

// TestSweep: a server removes the temporary files that a killed one left beside its model, and
// no other file.
func TestSweep(t *testing.T) {
	model := config(t, example(t, "online", table.MissingError)).Model
	dir, name := filepath.Dir(model), filepath.Base(model)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(model, link); err != nil {
		t.Fatal(err)
	}
	ours := ".perceptron-" + name + "-123.tmp"
	if temporary(link) != temporary(model) || temporary(model) != strings.Replace(ours, "123", "*", 1) {
		t.Errorf("%s, %s", temporary(link), temporary(model))
	}
	others := []string{".perceptron-" + name + "-x-123.tmp", ".perceptron-" + name + "-123", ".perceptron-123.tmp", ".perceptron-other-123.tmp", "x.tmp"}
	for _, name := range append(others, ours) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release, err := lock(link)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := os.Stat(filepath.Join(dir, ours)); err == nil {
		t.Errorf("%s is still there", ours)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
