package saved

import (
	"errors"
	"fmt"
	"strings"
)

// ErrFormat is the kind of every error about the data of a saved form. Errors of the file system are
// not of this kind.
var ErrFormat = errors.New("perceptron: bad format")

// A formatError describes what is wrong in a saved form: the path of the field in the
// JSON, then a colon and the text. A path has a part ".name" for a field and "[i]" for
// an element. The callers of the function that fails add the parts to the front, so
// reading valid input spends no time on paths.
type formatError string

func (e formatError) Error() string {
	return ErrFormat.Error() + ": " + strings.TrimLeft(string(e), ".: ")
}

func (e formatError) Unwrap() error { return ErrFormat }

// Errorf returns an error without a path. Callers add the path with [At].
func Errorf(format string, args ...any) error {
	return formatError(": " + fmt.Sprintf(format, args...))
}

// Count returns a number and its noun: Count(7, "byte", "bytes") is "7 bytes".
func Count[N int | int64 | uint64](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprint(n, " ", many)
}

// bytesOf returns a number of bytes in words.
func bytesOf[N int | int64 | uint64](n N) string { return Count(n, "byte", "bytes") }

// Expect returns nil if ok is true, else an error about the field, or about the value itself if field is empty. cmp.Or of several calls
// of Expect returns the first error.
func Expect(ok bool, field, format string, args ...any) error {
	if ok {
		return nil
	}
	if field != "" {
		field = "." + field
	}
	return At(field, Errorf(format, args...))
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

// Index is [At] with an array and an index in it.
func Index(array string, i int, err error) error {
	if err == nil {
		return nil
	}
	return At(fmt.Sprintf("%s[%d]", array, i), err)
}
