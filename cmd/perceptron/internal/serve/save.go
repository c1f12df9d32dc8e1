package serve

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"perceptron/internal/atomicfile"
)

// Another program may replace the file at any time, for example a new training. A save must not
// overwrite the other program's file. So the service remembers the checksums of what it has read and
// written. It compares the file with them before a save, and again after it has written the temporary
// file and before it renames that file.

// A content identifies the content of a file by its checksum.
type content = [sha256.Size]byte

// errReplaced reports that the content of the file is not what the service has read or written.
var errReplaced = errors.New("another program has replaced the file; SIGHUP serves the new one")

// errReadonlyFile reports that the file's permissions let nobody write it. The service checks this
// itself, because a rename over the file needs only the permission to write to the folder.
var errReadonlyFile = errors.New("the file is read-only: serve it with --readonly")

func readonly(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 == 0 }

// mine returns an error if the service must not replace the model's file.
func (s *service) mine() error {
	info, err := os.Stat(s.Model)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // no file would be overwritten
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errReplaced
	case readonly(info):
		return errReadonlyFile
	}
	text, err := os.ReadFile(s.Model)
	if err == nil && !slices.Contains(s.ours[:], sha256.Sum256(text)) {
		err = errReplaced
	}
	return err
}

// save saves the model if rows were learned since the last save. The caller must hold
// s.writer.
func (s *service) save() error {
	// If no row was learned since the last save, the file and its modification time stay as they are.
	if s.learned == s.saved {
		return nil
	}
	text, err := s.current.Load().file.Encode()
	if err == nil {
		err = s.mine()
	}
	if err == nil {
		s.ours[1] = sha256.Sum256(text)                                           // a write may fail after it has replaced the file
		err = s.write(s.Model, bytes.NewReader(text), temporary(s.Model), s.mine) // calls s.mine just before it replaces the file
	}
	if err != nil {
		s.metrics.saveErrors.Inc()
		return err
	}
	s.metrics.saves.Inc()
	// From here on, only this content counts as the service's own.
	s.ours[0], s.saved = s.ours[1], s.learned
	s.metrics.unsaved.Set(0)
	return nil
}

// temporary returns the pattern for the names of a model's temporary files. A server that holds the
// lock of the model is the only server that writes such files.
func temporary(model string) string {
	if target, err := filepath.EvalSymlinks(model); err == nil {
		model = target
	}
	return ".perceptron-" + filepath.Base(model) + "-*.tmp"
}

// sweep removes the temporary files that a server left behind when it was killed. The caller must
// hold the lock. os.CreateTemp replaces the asterisk of the pattern by digits. sweep removes no
// other names, so the files of other models stay.
func sweep(model string) {
	before := regexp.QuoteMeta(strings.TrimSuffix(temporary(model), "*.tmp"))
	left := regexp.MustCompile(`^` + before + `\d+\.tmp$`)
	files, _ := os.ReadDir(filepath.Dir(model))
	for _, f := range files {
		if left.MatchString(f.Name()) {
			_ = os.Remove(filepath.Join(filepath.Dir(model), f.Name()))
		}
	}
}

// warnings is the time between two messages about failed saves.
const warnings = time.Minute

// warn logs the result of a save: a failure at most once a minute, and a success only after a logged
// failure.
func (s *service) warn(err error) {
	switch {
	case err != nil && time.Since(s.warned) >= warnings:
		s.warned = time.Now()
		s.log.Error("the model cannot be saved; every request to learn tries again", "error", err, "unsaved", s.learned-s.saved)
	case err == nil && !s.warned.IsZero():
		s.warned = time.Time{}
		s.log.Info("the model is saved again")
	}
}

// close saves the model. If the save fails, close saves the model in another file.
func (s *service) close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	defer func() { s.log.Info("stopped", "learned", s.learned, "saved", s.saved) }()
	if err := s.save(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", s.Model, err), s.aside())
	}
	return nil
}

// aside saves a model with unsaved rows in a new file beside the model's file.
func (s *service) aside() error {
	path := s.Model + ".unsaved-" + time.Now().UTC().Format("20060102T150405.000000")
	text, err := s.current.Load().file.Encode()
	if err == nil {
		err = atomicfile.Write(path, text, temporary(s.Model))
	}
	if err != nil {
		return fmt.Errorf("%d rows are not saved: %w", s.learned-s.saved, err)
	}
	s.log.Warn("the model with the unsaved rows is in another file", "file", path, "unsaved", s.learned-s.saved)
	return nil
}

// reload reads the model's file, and serves it if another program has replaced it. If no other
// program has, reload saves the current model instead. If the file is bad, the service keeps its
// model.
func (s *service) reload() {
	s.writer.Lock()
	defer s.writer.Unlock()
	st, err := s.load()
	// A bad file changes nothing. If the file is the service's own, the service saves its model. Any
	// other file replaces the model, after a model with unsaved rows is saved in another file.
	switch {
	case err != nil:
	case slices.Contains(s.ours[:], st.read):
		if err = s.save(); err == nil {
			s.log.Info("the file has not changed; the model is saved", "learned", s.learned)
			return
		}
	case s.learned > s.saved:
		err = s.aside()
	}
	if err != nil {
		s.metrics.reloadErrors.Inc()
		s.log.Error("the file is not read; the service keeps its model", "error", err)
		return
	}
	s.install(st)
	s.metrics.reloads.Inc()
	s.log.Info("the file is read", "file", s.Model)
}

// lock makes sure that no other server writes the model's file, because two servers would overwrite
// each other's model. The lock is advisory and ends with the process, even if the process is killed.
// The lock is on a file beside the model, because a save replaces the model's file.
func lock(file string) (release func() error, err error) {
	target, err := filepath.EvalSymlinks(file) // one name, whatever links lead to the file
	if err != nil {
		return nil, err
	}
	l := flock.New(target + ".lock")
	ok, err := l.TryLock()
	if err == nil && !ok {
		err = fmt.Errorf("another server uses %s: stop it, or choose another -m (its lock is %s)", file, l.Path())
	}
	if err == nil {
		sweep(target)
	}
	return l.Unlock, err
}
