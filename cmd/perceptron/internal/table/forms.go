package table

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// LooksNumeric matches words that a person reads as numbers: 12 %, $12, '12', 0x1f, 1_000, 12:30, 120/80, the
// digits of other scripts, and both 1,5 and 1.5 whatever the file's decimal mark is.
func LooksNumeric(word string) bool { return numeric().MatchString(word) }

var numeric = lazily(`^['’‘"“”«»]?([-+−(~±=]?\s?([A-Z]{0,2}[$€£¥₹]|[A-Z]{3}\s|Rs\.?|kr\.?)?\s?[-+−]?[\p{Nd}\p{No}][\p{Nd}\p{No}.,_\x{a0}\x{202f}\x{66b}\x{66c}．，'’ ]*([eEdD][-+]?\d+)?\s?[-%‰$€£¥₹°)]?|0[xX][0-9a-fA-F]+|\d+[:/]\d+(:\d+)?([.,]\d+)?)['’‘"“”«»]?$`)

// measured matches a number with a unit, and finds the unit. Codes such as A11 begin with the letter.
var measured = lazily(`^[-+−~±]?\s?\d[\d.,_' ]*(?:e[-+]?\d+)?\s?([\pL°µ%‰€£$][\pL°µ%/²³^·.-]*\d?)$`)

// signed finds the sign of a currency, or another one, before a number.
var signed = lazily(`^([A-Z]{0,2}[~±$€£¥₹]|[A-Z]{3}\s|Rs\.?|kr\.?)\s?`)

// lazily returns a function that compiles a pattern when it is first called: classes of letters take memory.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// leastMeasured is the least number of different numbers that make what follows them a unit. Of 2WD and 4WD, or
// 1Story, 2Story and 1Fam, these are the names of categories.
const leastMeasured = 3

// A unit counts the words and the fields with the same unit.
type unit struct{ words, fields int }

// measure counts a new word that is a number with a unit, and returns the unit, or "".
func (p *profile) measure(word string) string {
	m := measured().FindStringSubmatch(word)
	if m == nil {
		return ""
	}
	if p.units == nil {
		p.units = map[string]*unit{}
	}
	u := cmp.Or(p.units[m[1]], new(unit))
	u.words, p.units[m[1]] = u.words+1, u
	return m[1]
}

// several matches a field with several numbers, which are not the parts of one, as in 1 000.
var (
	listed  = regexp.MustCompile(`^(\[.*,.*\]|[\[({]?\s*[-+]?\d[\d.,eE+-]*([\s;|]+[-+]?\d[\d.,eE+-]*)+\s*[\])}]?)$`)
	grouped = regexp.MustCompile(`^[-+]?\d{1,3}([\s.,'’\x{a0}\x{202f}]\d{3})+([.,]\d*)?$`)
)

func several(field string) bool { return listed.MatchString(field) && !grouped.MatchString(field) }

// A grouping shows whether the marks of a column may separate thousands instead of decimals, as in 2.897 beside 675.
type grouping struct {
	decimal bool   // a mark stands where none separates thousands
	long    bool   // a number without a mark has more than three digits
	zero    bool   // a number with a mark ends with 0, as the shortest form of a fraction does not
	marked  string // the first number with a mark
	most    string // the greatest digits before a mark
	least   string // the least number of three digits without a mark
}

// add adds a number. It is fast, because it is called for each number of a file.
func (g *grouping) add(field string, mark decimal) {
	if g.decimal || g.long && mark != ',' {
		return
	}
	digits := field
	if c := field[0]; c == '-' || c == '+' {
		digits = field[1:]
	}
	i := strings.IndexByte(digits, byte(mark))
	switch n := len(digits); {
	case i < 0 && n > 3:
		g.long = true
	case i < 0:
		if n == 3 && digits[0] > '0' && digits[1] <= '9' && (g.least == "" || digits < g.least) { // not 1e5
			g.least = strings.Clone(digits)
		}
	case i == 0 || i > 3 || n != i+4 || digits[0] == '0' || strings.ContainsAny(digits, "eE"):
		g.decimal = true
	default:
		if g.marked == "" {
			g.marked = strings.Clone(field)
		}
		if whole := digits[:i]; i > len(g.most) || i == len(g.most) && whole > g.most {
			g.most = strings.Clone(whole)
		}
		g.zero = g.zero || digits[n-1] == '0'
	}
}

// thousands returns a warning about columns whose marks may separate thousands, or "". One reason is that no comma
// of the file shows that it is a decimal mark: then all is true. Another reason is a number of three digits
// without a mark, if decimal numbers do not explain it: one of them would end with 0, or they would have other
// sizes.
func (s *Source) thousands(columns []Column, of []grouping, mark decimal) (warning string, all bool) {
	all = mark == ',' && !slices.ContainsFunc(of, func(g grouping) bool { return g.decimal })
	var names []string
	such := ""
	for j, g := range of {
		if g.marked == "" || g.decimal || !all && (g.long || g.least == "" || !g.zero && len(g.most) == 3 && g.most >= g.least) {
			continue
		}
		names = append(names, columns[j].Name)
		if such = cmp.Or(such, strconv.Quote(g.marked)); g.least != "" && len(names) == 1 {
			such += " beside " + strconv.Quote(g.least)
		}
	}
	if names == nil || characters[s.Decimal] != 0 {
		return "", false
	}
	is := map[decimal]string{'.': "point", ',': "comma"}[mark]
	return fmt.Sprintf("column %s: the %s in numbers such as %s may separate thousands, but is read as a decimal mark: remove it, or accept it with --decimal %s", Short(names), is, such, is), all
}

// mixed returns an error at the first word if the column has words but was probably meant to have
// numbers: at least half of its fields are numbers or look like numbers, or forgets is true. Read
// as words, numbers could become hundreds of features without an order.
func (p *profile) mixed(name string, mark decimal) error {
	alike := p.alike
	for _, u := range p.units {
		if u.words >= leastMeasured {
			alike += u.fields
		}
	}
	if p.word == nil || !p.forgets && 2*(p.numbers+alike) < p.rows {
		return nil
	}
	also, word := "", p.examples[0]
	convert := mark.remedy(name, word)
	if units := slices.Sorted(maps.Keys(p.units)); len(units) > 1 {
		convert = "the units " + Short(units) + " must become one"
		if !slices.ContainsFunc(units, func(unit string) bool { return powers[unit] == "" }) {
			convert += ", as sed -E '"
			for _, unit := range units {
				convert += fmt.Sprintf(`s/([0-9]) ?%s/\1%s/g; `, unit, powers[unit])
			}
			convert = strings.TrimSuffix(convert, "; ") + "' makes them"
		}
	}
	if several(word) {
		return fmt.Errorf("%w; %s", p.word, convert)
	}
	if p.rows > p.numbers+1 {
		such := map[bool]string{true: ", such as " + Short(p.examples)}[convert == ""]
		also = fmt.Sprintf(" (%d of %d values are words%s)", p.rows-p.numbers, p.rows, such)
	}
	switch {
	case convert != "":
		also += "; " + convert
	case !LooksNumeric(word):
		also += fmt.Sprintf("; %s reads it as a missing value", Flag("na", word))
	}
	return fmt.Errorf("%w%s; %s leaves the column out, %s reads all values as words", p.word, also, Flag("drop", name), Flag("category", name))
}

// powers are the units that stand for powers of ten.
var powers = map[string]string{"k": "e3", "K": "e3", "M": "e6", "B": "e9", "bn": "e9"}

// remedy returns how to make a word of a column a number, or "" if that is not clear. The file has the decimal mark d.
func (d decimal) remedy(column, word string) string {
	quote, sign := strings.Trim(word, "'’‘\"“”«»"), signed().FindString(word)
	unit, is := measured().FindStringSubmatch(word), map[bool]string{true: "comma", false: "point"}[strings.Contains(word, ",")]
	for _, r := range word {
		if zero := r - r%16; r > '9' && unicode.Is(unicode.Nd, r) { // the digits of a script follow each other
			if !unicode.Is(unicode.Nd, zero) {
				zero += 6
			}
			digits := make([]rune, 10)
			for k := range digits {
				digits[k] = zero + rune(k)
			}
			return fmt.Sprintf("sed 'y/%s/0123456789/' converts the digits", string(digits))
		}
	}
	switch {
	case word == column:
		return "remove the line, if it has the names again"
	case several(word):
		return "it has several numbers in one field: --comma sets the separator, such as space"
	case isNumber(word) && grouped.MatchString(word):
		return fmt.Sprintf("a separator of thousands must be removed, and --decimal %s reads a decimal mark", is)
	case isNumber(word):
		return fmt.Sprintf("--decimal %s reads it", is)
	case grouped.MatchString(word):
		return "separators of thousands must be removed"
	case quote != word && isNumber(quote):
		return fmt.Sprintf("tr -d %q removes the quotes", word[:strings.Index(word, quote)])
	case strings.HasPrefix(word, "(") && LooksNumeric(word):
		return `sed -E 's/\(([0-9.]+)\)/-\1/g' writes a minus for parentheses`
	case LooksNumeric(word) && strings.Contains(word, "_"):
		return `sed -E 's/([0-9])_/\1/g' removes the underscores`
	case unit != nil && powers[unit[1]] != "":
		return fmt.Sprintf(`sed -E 's|([0-9]) ?%s|\1%s|g' writes %q out`, unit[1], powers[unit[1]], unit[1])
	case unit != nil && !strings.HasPrefix(strings.ToLower(word), "0x"):
		return fmt.Sprintf(`sed -E 's|([0-9]) ?%s|\1|g' removes %q`, regexp.QuoteMeta(unit[1]), unit[1])
	case LooksNumeric(word) && sign != "":
		return fmt.Sprintf(`sed -E 's|%s([0-9])|\1|g' removes %q`, regexp.QuoteMeta(sign), sign)
	}
	return ""
}

// A model that memorises ids cannot predict new rows. The reader rejects a column that looks like
// ids. It does not leave out the column silently, because the column may have no ids.
//
// leastIDs is the least number of rows for which different words in all rows look like ids.
const leastIDs = 10

// More than fewWords different words with less than two rows for each look like ids too.
const fewWords = 20

// isID matches names such as id, customer_id, PassengerId, and those that programs give
// to the number of the row.
var isID = regexp.MustCompile(`^(?i:id|.*[ _.-](id|uuid|guid)|(u|gu|user|customer|client|patient|person|student|employee|member|order|product|item|sample|subject|record|case)id|id[ _.-]?(no|nr|num|number)|index|unnamed.*|\.\.\.\d+|row|row[ ._]?(names?|numbers?|id))$|[a-z]I[dD]$`).MatchString

// isLabel matches names that people give to labels.
var isLabel = regexp.MustCompile(`^(?i:class|label|target|outcome|species|y)$`).MatchString

// isDate matches a date in one of the usual forms. As a category, a date would never occur
// again; as a number, it would have no useful scale.
var isDate = regexp.MustCompile(`^(\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.](\d\d?|[A-Z][a-z]{2})[-/.]\d{4}|[A-Z][a-z]{2} \d\d?, \d{4})([ T]\d.*)?$`).MatchString

// accept returns an error for a column that cannot help a model. A column that the user chose by
// name is rejected only if it has too many words. Different numbers in all rows do not look
// like ids, because measured numbers may all differ: the column's name must look like an id, or
// the numbers must be whole, and ascend or descend with the rows. If there is no other column, the user means this one.
func (p *profile) accept(name string, chosen, alone bool) error {
	const category = ", or name it in --category to use its words"
	words := len(p.words)
	for _, reason := range []struct {
		holds      bool
		what, keep string
	}{
		// A column that the user chose is rejected too, because so many features take much memory.
		{words > mostCategories, fmt.Sprintf("has more than %d different words", mostCategories), ", or hash its words with " + Flag("text", name)},
		{!chosen && words > 0 && p.dates == p.rows, "has dates", category},
		{!chosen && words == p.rows && words >= leastIDs, "has another word in every row, like an id", category + ", or hash them with " + Flag("text", name)},
		{!chosen && words > fewWords && 2*words > p.rows, fmt.Sprintf("has %d different words in %d rows, like an id", words, p.rows), category + ", or hash them with " + Flag("text", name)},
		{!chosen && isID(name) && p.numbers > 0, "looks like an id", ", or name it in --columns"},
		{!chosen && !alone && len(p.ends[1].field) > 16 && strings.Trim(p.ends[1].field, "0123456789") == "", "has whole numbers of more than 16 digits, like an id", ", or name it in --columns"},
		{!chosen && !alone && p.numbers == p.rows && p.rows >= leastIDs && !p.fraction && p.level != [2]bool{true, true}, "has whole numbers that never repeat, in the order of the file, like an index, an id or a time", ", or name it in --columns"},
	} {
		if reason.holds {
			return fmt.Errorf("column %q %s: leave it out with %s%s", name, reason.what, Flag("drop", name), reason.keep)
		}
	}
	return nil
}
