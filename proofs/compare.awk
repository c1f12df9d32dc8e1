# Compares the rows of a proof with those of a CSV file. The first file has, for each row, its
# line in the CSV file, its label and its features. verify calls this script. It sets bias for
# a log in Linear space, and classes to the number of classes, if the proof has one.

# fields splits a line of CSV, with quoted fields, into the array cell.
function fields(line, cell,    n, text, quoted, i, c) {
	n = 0; text = ""; quoted = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { text = text c; i++ }
		else if (c == "\"") quoted = !quoted
		else if (c == comma && !quoted) { cell[++n] = trim(text); text = "" }
		else text = text c
	}
	if (quoted) fail("line " FNR " of " data " ends within quotes: a field of several lines cannot be compared")
	cell[++n] = trim(text)
	return n
}

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# decimal returns a number as Coq writes it, or "" for what is none.
function decimal(s,    sign, e, whole, fraction, i) {
	if (comma != ",") sub(/,/, ".", s)
	if (s !~ /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/) return ""
	sign = s ~ /^-/ ? "-" : ""
	sub(/^[+-]/, "", s)
	e = ""
	if (i = match(s, /[eE]/)) {
		e = substr(s, i + 1); s = substr(s, 1, i - 1)
		sub(/^\+/, "", e)
		i = e ~ /^-/; sub(/^-/, "", e); sub(/^0+/, "", e)
		e = "e" (e == "" ? "0" : (i ? "-" : "") e)
	}
	i = index(s, ".")
	whole = i ? substr(s, 1, i - 1) : s
	fraction = i ? substr(s, i + 1) : ""
	if (whole fraction ~ /^0*$/) sign = ""
	return sign (whole == "" ? "0" : whole) (fraction == "" ? "" : "." fraction) e
}

function fail(text) { print text > "/dev/stderr"; failed = 1; exit 1 }

# One label stands for each class, and +1 for one label alone.
function name(text, class, line) {
	if (class == "false") {
		if (text == plus) fail("label " text " is +1 on line " plusLine ", and -1 on line " line)
		minus[text] = line
		return
	}
	if (class == "true") {
		if (text in minus) fail("label " text " is -1 on line " minus[text] ", and +1 on line " line)
		if (plusLine && text != plus) fail("+1 is label " plus " on line " plusLine ", and label " text " on line " line)
		plus = text; plusLine = line
		return
	}
	if ((class in text_of) && text_of[class] != text) fail("class " class " is label " text_of[class] ", and on line " line " label " text)
	if ((text in class_of) && class_of[text] != class) fail("label " text " is class " class_of[text] ", and on line " line " class " class)
	if (!(class in text_of)) different++
	text_of[class] = text; class_of[text] = class
}

NR == FNR {
	row[$1 + 0] = $0; rows++; width = NF - 2
	if ($3 != "1") noOne = 1
	next
}

FNR == 1 {
	sub(/^\xef\xbb\xbf/, "")
	comma = index($0, "\t") ? "\t" : index($0, ";") ? ";" : ","
}
{ sub(/\r$/, "") }
/^[ \t]*$/ { next }
!started {
	started = 1
	columns = fields($0, cell)
	labelAt = columns
	if (label ~ /^[0-9]+$/) labelAt = label + 0
	else if (label != "") {
		for (labelAt = 1; labelAt <= columns && cell[labelAt] != label; labelAt++);
	}
	if (labelAt < 1 || labelAt > columns) fail(data " has no column " label)
	# A log in Linear space may begin each row with a 1, the input of the bias.
	extra = width - (columns - 1)
	if (extra != 0 && (extra != 1 || noOne || !bias)) fail(file " has " width " features, and " data " has " columns - 1)
	# The first line may have names. A line with a number is no such line, but a row. NaN and
	# infinities count as numbers, because programs write them for features.
	if (!(FNR in row)) {
		for (j = 1; j <= columns && decimal(cell[j]) == "" && tolower(cell[j]) !~ /^[+-]?(nan|inf(inity)?)$/; j++);
		if (j > columns) next
	}
}
{
	if (!(FNR in row)) fail("line " FNR " of " data " is not in " file)
	n = fields($0, cell)
	if (n != columns) fail("line " FNR " of " data " has " n " fields, and the first line " columns)
	split(row[FNR], is, " ")
	k = 2 + extra
	for (j = 1; j <= n; j++) {
		if (j == labelAt) continue
		if (decimal(cell[j]) == "") fail("line " FNR " of " data ": \"" cell[j] "\" is no decimal number")
		if (decimal(cell[j]) != is[++k]) fail("line " FNR ": field " j " is " cell[j] " in " data ", and " is[k] " in " file)
	}
	name(cell[labelAt], is[2], FNR)
	seen++
}

END {
	if (failed) exit 1
	if (seen != rows) { print file " has " rows " rows, and " data " has " seen + 0 > "/dev/stderr"; exit 1 }
	if (classes && classes != different) { print file " has " classes " classes, and " data " has " different > "/dev/stderr"; exit 1 }
	print "the " rows " rows are those of " data (plusLine ? "; +1 is " plus : "")
}
