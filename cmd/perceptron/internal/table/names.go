package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Counted returns n and the noun, with a plural s unless n is 1.
func Counted(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, map[bool]string{true: "s"}[n != 1])
}

// Flag returns a flag with one name as a user types it. It escapes commas, which would separate two
// names, and puts = before a name that begins with -, which would look like another flag.
func Flag(flag, name string) string {
	equals := map[bool]string{false: " ", true: "="}[strings.HasPrefix(name, "-")]
	return "--" + flag + equals + strconv.Quote(strings.ReplaceAll(name, ",", `\,`))
}

// Short lists at most ten names in quotes, and the number of the others.
func Short(names []string) string { return ShortCounts(names, nil) }

// ShortCounts lists names as Short does, with their counts if there are any.
func ShortCounts(names []string, counts map[string]int) string {
	const most = 10
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		text := strconv.Quote(name)
		if counts != nil {
			text += fmt.Sprintf(" (%d)", counts[name])
		}
		quoted = append(quoted, text)
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(quoted, ", ")
}

// Spelled returns the index of the first name that differs from another name at most in case, spaces, a point or quotes
// around it, or the form of a number, or -1.
func Spelled(names []string, name string) int {
	return slices.IndexFunc(names, func(other string) bool { return Spelling(other) == Spelling(name) })
}

// Spelling returns a name in the form in which Spelled compares it.
func Spelling(name string) string {
	key := strings.ToLower(strings.Join(strings.Fields(name), ""))
	key = cmp.Or(strings.Trim(key, `.'"`), key)
	if v, ok := Number(name); ok {
		key = fmt.Sprint(v)
	}
	return key
}

// CompareClasses orders the names of classes: numbers by value, and then words. The second of two
// classes is the positive class, so this order is right for 0 and 1, and for no and yes.
// Different names of equal value, such as 1 and 1.0, are different classes.
func CompareClasses(a, b string) int {
	value := func(name string) float64 {
		if v, err := strconv.ParseFloat(name, 64); err == nil {
			return v
		}
		return math.Inf(1)
	}
	return cmp.Or(cmp.Compare(value(a), value(b)), strings.Compare(a, b))
}

// Ascending reports whether names are sorted and all different.
func Ascending(names []string, compare func(a, b string) int) bool {
	// IsSortedFunc compares each name with the one before it; -1 makes equal names unsorted.
	return slices.IsSortedFunc(names, func(a, b string) int { return cmp.Or(compare(a, b), -1) })
}
