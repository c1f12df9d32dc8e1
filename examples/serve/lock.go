package main

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lock makes sure that no other server uses the model file: two would overwrite each
// other's model. The lock is advisory and ends with the process, even if it is killed.
// It is on a file beside the model, because a save replaces the model file itself.
func lock(file string) (release func() error, err error) {
	target, err := resolve(file)
	if err != nil {
		return nil, err
	}
	l := flock.New(target + ".lock")
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("another server uses %s: stop it, or choose another -file (its lock is %s)", file, l.Path())
	}
	return l.Unlock, nil
}

// resolve returns one name for a file, whatever links lead to it.
func resolve(file string) (string, error) {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		return filepath.Abs(target)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file)) // the file does not exist yet
	if err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(folder, filepath.Base(file)))
}
