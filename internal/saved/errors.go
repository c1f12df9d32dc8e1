package saved

import (
	"errors"
	"fmt"
	"strings"
)

// ErrFormat is the kind of every error about data. Errors of files are not of this kind.
var ErrFormat = errors.New("perceptron: bad format")

// A formatError describes what is wrong in a saved form: the path of the field in the
// JSON, each part with a dot before it, then a colon and the text. The path grows on
// the way up, so that reading valid input does not pay for it.
type formatError string

func (e formatError) Error() string {
	return ErrFormat.Error() + ": " + strings.TrimLeft(string(e), ".: ")
}

func (e formatError) Unwrap() error { return ErrFormat }

// Errorf returns an error without a path. Functions on the way up add it with [At].
func Errorf(format string, args ...any) error {
	return formatError(": " + fmt.Sprintf(format, args...))
}

// Expect returns nil if ok is true, else an error about the field. cmp.Or of several
// checks is the first error.
func Expect(ok bool, field, format string, args ...any) error {
	if ok {
		return nil
	}
	return At("."+field, Errorf(format, args...))
}

// At adds a part to the front of err's path: ".field", "[index]", or "" for none. An error
// of another kind, such as that of a validator, becomes an error about the data. At returns
// nil if err is nil.
func At(part string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(formatError)
	if !ok {
		e = formatError(": " + reason(err))
	}
	return formatError(part) + e
}

// reason returns the text of an error without its kind, which is the error that it wraps.
func reason(err error) string {
	if kind := errors.Unwrap(err); kind != nil {
		return strings.TrimPrefix(err.Error(), kind.Error()+": ")
	}
	return err.Error()
}
