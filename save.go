package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"perceptron/internal/atomicfile"
	"perceptron/internal/saved"
)

// Save writes the model's binary form to the file at path. After a crash of the program or the
// machine, the file holds the whole old model or the whole new one. Save writes and synchronises a
// temporary file .perceptron-*.tmp in the same directory, renames it, and synchronises the
// directory, if the operating system can. A crash may leave the temporary file behind; nothing
// reads it. Of concurrent Saves to one path, one wins. A new file has permissions 0600; an existing
// file keeps its own, but not its owner. If path is a symbolic link, its target, which must exist,
// is replaced. Save returns ErrConfig if m is nil or no model of this package, if its fields make
// no sense, or if path is not a regular file, and the errors of the file system. On error the file
// is unchanged, unless synchronising the directory failed.
func Save(path string, m Model) error {
	if !isModel(m) {
		return fmt.Errorf("%w: cannot save a %T, want a non-nil model of this package", ErrConfig, m)
	}
	data, err := saved.AppendFrame(nil, m.(json.Marshaler))
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, data, ".perceptron-*.tmp")
	if errors.Is(err, atomicfile.ErrNotRegular) {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return err
}

// isModel reports whether m is a model of this package that is not nil. A type of another package
// may embed one.
func isModel(m Model) bool {
	switch m.(type) {
	case *Online, *Margin, *Batch, *OneVsRest, *Multiclass:
		return !reflect.ValueOf(m).IsNil()
	}
	return false
}

// Load returns the model, of the type that the file decides, from a file that Save wrote or that
// holds the JSON of a model. ErrFormat describes the first problem and its position. Other errors
// are those of the file system. To reject large files early, Load reads on only if the header is
// that of a model of the file's size, or if the file begins with white space or a brace.
func Load(path string) (Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var form savedModel
	var m model
	if err := saved.ReadFile(f, &form, func() (err error) { m, err = form.model(); return err }); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
