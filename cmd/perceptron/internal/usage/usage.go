// Package usage has the errors of flags, and of the options of package pipeline, which have the same names.
package usage

import (
	"fmt"
	"strings"
)

// An Error reports a wrong use of the flags. It has an exit status of its own, so that scripts
// can distinguish it from bad data.
type Error struct{ error }

// Errorf returns an Error.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// If returns an Error if wrong is true, and else nil. A cmp.Or of several calls returns the
// first error.
func If(wrong bool, format string, args ...any) error {
	if !wrong {
		return nil
	}
	return Errorf(format, args...)
}

// A Set has the names of flags or options that the user set, by Name.
type Set map[string]bool

// Name returns the name of a flag or a field of options, as a Set has it.
func Name(flag string) string { return strings.ToLower(strings.ReplaceAll(flag, "-", "")) }

// Has reports whether a flag is set.
func (s Set) Has(flag string) bool { return s[Name(flag)] }

// Without returns an Error if the user set one of the flags, which have no effect together with
// the flag or setting that with names. If such a flag were ignored, the user would believe that the
// result depends on it.
func (s Set) Without(with string, flags ...string) error {
	for _, name := range flags {
		if s.Has(name) {
			return Errorf("--%s cannot be used with %s", name, with)
		}
	}
	return nil
}
