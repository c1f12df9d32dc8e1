package serve

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lock makes sure that no other server writes the model's file: two would overwrite
// each other's model. The lock is advisory and ends with the process, even if it is
// killed. It is on a file beside the model, because a save replaces the model's file.
func lock(file string) (release func() error, err error) {
	target, err := filepath.EvalSymlinks(file) // one name, whatever links lead to the file
	if err != nil {
		return nil, err
	}
	l := flock.New(target + ".lock")
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("another server uses %s: stop it, or choose another -m (its lock is %s)", file, l.Path())
	}
	return l.Unlock, nil
}
