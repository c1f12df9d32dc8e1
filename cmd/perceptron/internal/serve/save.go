package serve

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"perceptron/internal/atomicfile"
)

// A content identifies the content of a file.
type content struct {
	size int64
	sum  [sha256.Size]byte
}

func contentOf(text []byte) content { return content{int64(len(text)), sha256.Sum256(text)} }

// errReplaced reports that the file is not the one that the service has read or written.
var errReplaced = errors.New("another program has replaced the file; SIGHUP serves the new one")

// errReadonlyFile reports that nobody may write the file. The file system alone would
// let the service replace it: the permissions of the folder decide.
var errReadonlyFile = errors.New("the file is read-only: serve it with --readonly")

func readonly(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 == 0 }

// mine returns an error if the service must not replace the model's file.
func (s *service) mine() error {
	f, err := os.Open(s.Model)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is nothing to lose
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case readonly(info):
		return errReadonlyFile
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, max(s.ours[0].size, s.ours[1].size)+1))
	if err != nil {
		return err
	}
	if !slices.Contains(s.ours[:], content{n, [sha256.Size]byte(sum.Sum(nil))}) {
		return errReplaced
	}
	return nil
}

// save saves the model if rows were learned since the last save. The caller must hold
// s.writer.
func (s *service) save() error {
	if s.learned == s.saved {
		return nil
	}
	err := s.mine()
	if err == nil {
		err = s.write(s.Model)
	}
	if err != nil {
		s.metrics.saveErrors.Inc()
		return err
	}
	s.metrics.saves.Inc()
	s.saved = s.learned
	s.metrics.unsaved.Set(0)
	return nil
}

// write writes the current model to a file.
func (s *service) write(path string) error {
	text, err := s.current.Load().file.Encode()
	if err != nil {
		return err
	}
	if path == s.Model {
		s.ours[1] = contentOf(text) // a write may fail after it has replaced the file
	}
	if err := atomicfile.Write(path, text, ".perceptron-*.tmp"); err != nil {
		return err
	}
	if path == s.Model {
		s.ours[0] = s.ours[1]
	}
	return nil
}

// warnings is the time between two messages about failed saves.
const warnings = time.Minute

// warn logs that saving fails, at most once a minute, and that it succeeds again.
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

// close saves the model, in another file if it must not replace its own.
func (s *service) close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	err := s.save()
	if err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", s.Model, err), s.aside())
	}
	return err
}

// aside saves a model with unsaved rows beside its file.
func (s *service) aside() error {
	path := s.Model + ".unsaved-" + time.Now().UTC().Format("20060102T150405.000000")
	if err := s.write(path); err != nil {
		return fmt.Errorf("%d rows are not saved: %w", s.learned-s.saved, err)
	}
	s.log.Warn("the model with the unsaved rows is in another file", "file", path, "unsaved", s.learned-s.saved)
	return nil
}

// reload serves the model's file as it is now. If the file is bad, the service keeps its
// model. If no other program has replaced the file, it saves the model.
func (s *service) reload() {
	s.writer.Lock()
	defer s.writer.Unlock()
	st, is, err := s.load()
	switch {
	case err != nil:
	case slices.Contains(s.ours[:], is):
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
	s.install(st, is)
	s.metrics.reloads.Inc()
	s.log.Info("the file is read", "file", s.Model)
}
