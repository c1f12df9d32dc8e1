// Package docs checks that the pages of this folder name what exists.
package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMain runs the tests in the root, from which the pages are named.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	m.Run()
}

// must returns a function that returns v, or fails the test if err is not nil.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// filesOf returns the files of each pattern, which must match some.
func filesOf(t *testing.T, patterns ...string) (all []string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		all = append(all, files...)
	}
	return all
}

func page(t *testing.T, file string) string { return string(must(os.ReadFile(file))(t)) }

// backticked returns the words of text between backticks.
func backticked(text string) (words []string) {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	return words
}

// notes is docs/notes.md with what its rows may name: calls of the package, and tests and
// examples that run.
type notes struct {
	calls, runs map[string]bool
	required    []string // the examples of the notes, which the page must name
}

// readNotes collects the names. An example without an output is compiled, but does not run.
func readNotes(t *testing.T) (n notes) {
	t.Helper()
	n.calls, n.runs = map[string]bool{}, map[string]bool{}
	for _, m := range exportedName.FindAllStringSubmatch(page(t, "docs/api.txt"), -1) {
		n.calls[strings.TrimPrefix(m[1]+m[2]+"."+m[3], ".")] = true
	}
	for _, file := range filesOf(t, "*_test.go", "tests/*_test.go") {
		parsed := must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments))(t)
		for _, e := range doc.Examples(parsed) {
			n.runs["Example"+e.Name] = e.Output != "" || e.EmptyOutput
			if strings.HasPrefix(file, "tests/example_notes") {
				n.required = append(n.required, "Example"+e.Name)
			}
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") && len(f.Type.Params.List) == 1 {
				n.runs[f.Name.Name] = true
			}
		}
	}
	return n
}

var (
	// exportedName finds the type and the name of a line of docs/api.txt.
	exportedName = regexp.MustCompile(`(?m)^(?:method \(\*?(\w+)\)|type (\w+) struct,|func|const|var|type) (\w+)`)
	quotedName   = regexp.MustCompile("`([^`]+)`")
	rowsOfNote   = regexp.MustCompile(`(?m)^(\d+) rows, (\d+) of them slips\.`)
	rowsOfPage   = regexp.MustCompile(`There are (\d+) rows\.`)
)

// faults returns what is wrong with the page: with its rows, with a note that has another number of
// rows than it says, or an example that no row names.
func (n notes) faults(page string) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	sections := strings.Split(page, "\n## ")
	total := 0
	for _, section := range sections[1:] {
		title, body, _ := strings.Cut(section, "\n")
		rows, slips := 0, strings.Count(body, "| **Slip.**")
		for line := range strings.Lines(body) {
			if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "| where |") && !strings.HasPrefix(line, "|---") {
				rows++
				faults = append(faults, n.rowFaults(strings.TrimSpace(line))...)
			}
		}
		if says := rowsOfNote.FindStringSubmatch(body); says == nil || says[1] != strconv.Itoa(rows) || says[2] != strconv.Itoa(slips) {
			add("%s has %d rows and %d slips, and says %q", title, rows, slips, says)
		}
		total += rows
	}
	if says := rowsOfPage.FindStringSubmatch(sections[0]); len(sections) != 6 || says == nil || says[1] != strconv.Itoa(total) {
		add("%d notes with %d rows, and the page says %q", len(sections)-1, total, says)
	}
	for _, name := range n.required {
		if !strings.Contains(page, "`"+name+"`") {
			add("no row names %s", name)
		}
	}
	return faults
}

// rowFaults returns what is wrong with a row: it needs four cells, with calls that exist in the
// third, and examples or tests that run in the fourth.
func (n notes) rowFaults(row string) (faults []string) {
	cells := strings.Split(strings.Trim(row, "|"), " | ")
	if len(cells) != 4 {
		return []string{"not four cells: " + row}
	}
	if strings.HasPrefix(cells[1], "Slip") {
		faults = append(faults, "a slip that is not marked: "+row)
	}
	for i, exist := range []map[string]bool{n.calls, n.runs} {
		names := quotedName.FindAllStringSubmatch(cells[2+i], -1)
		if len(names) == 0 {
			faults = append(faults, "an empty cell: "+row)
		}
		for _, name := range names {
			if !exist[name[1]] {
				faults = append(faults, name[1]+" does not exist or does not run: "+row)
			}
		}
	}
	return faults
}

// TestNotes checks docs/notes.md. Any changed name in a row is a fault, and so is a missing row.
func TestNotes(t *testing.T) {
	n, text := readNotes(t), page(t, "docs/notes.md")
	for _, fault := range n.faults(text) {
		t.Error(fault)
	}
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") || !strings.Contains(line, "`") {
			continue
		}
		rows++
		mutations := []string{""}
		for _, name := range quotedName.FindAllString(line, -1) {
			mutations = append(mutations, strings.Replace(line, name, strings.TrimSuffix(name, "`")+"X`", 1))
		}
		for _, mutation := range mutations {
			if len(n.faults(strings.Replace(text, line, mutation, 1))) == 0 {
				t.Errorf("no fault: %q for %s", mutation, line)
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows", rows)
	}
}

// theorems returns the file of each theorem in proofs.
func theorems(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, file := range filesOf(t, "proofs/*/*.v", "proofs/*.v") {
		for _, m := range regexp.MustCompile(`(?m)^Theorem (\w+)`).FindAllStringSubmatch(page(t, file), -1) {
			if other, twice := found[m[1]]; twice {
				t.Errorf("%s: %s is a theorem of %s too", file, m[1], other)
			}
			found[m[1]] = filepath.ToSlash(file)
		}
	}
	return found
}

// TestTheorems checks docs/theorems.md. Each theorem has a proof, and names what states it in Go,
// its theorems in Coq and its tests. All of these exist. The page names every function of
// bound.go and every theorem in Coq.
func TestTheorems(t *testing.T) {
	names, bounds := declared(t, "*.go", "tests/*.go", "internal/*/*.go"), declared(t, "bound.go")
	proved, named := theorems(t), map[string]bool{}
	for _, section := range strings.Split(page(t, "docs/theorems.md"), "\n## ")[2:] { // after the notation
		title, body, _ := strings.Cut(section, "\n")
		body = strings.Join(strings.Fields(body), " ")
		m := regexp.MustCompile(` \*Proof\.\* .* ∎ .*Go: (.*)\. Coq: (.*)\. Tests: (.*)\.$`).FindStringSubmatch(body)
		if m == nil {
			t.Errorf("%s: no proof with Go, Coq and tests", title)
			continue
		}
		quoted := func(list string) (words []string) {
			words = backticked(list)
			for _, w := range words {
				named[w] = true
			}
			return words
		}
		for _, name := range append(quoted(m[1]), quoted(m[3])...) {
			if !names[name] {
				t.Errorf("%s: %s does not exist", title, name)
			}
		}
		for _, in := range regexp.MustCompile(`([^.]*?) in ([\w/]+\.v)`).FindAllStringSubmatch(m[2], -1) {
			for _, name := range quoted(in[1]) {
				if proved[name] != "proofs/"+in[2] {
					t.Errorf("%s: %s is in %q, not in %s", title, name, proved[name], in[2])
				}
			}
		}
	}
	for name, file := range proved {
		if !named[name] {
			t.Errorf("docs/theorems.md does not name %s of %s", name, file)
		}
	}
	for name := range bounds {
		if token.IsExported(name) && !named[name] {
			t.Errorf("no theorem names %s", name)
		}
	}
}

// declared returns the names declared in Go files: functions, types and constants, and
// methods and fields as Type.Name.
func declared(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range filesOf(t, patterns...) {
		for _, d := range must(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t).Decls {
			declare(names, d)
		}
	}
	return names
}

// declare adds the names that d declares.
func declare(names map[string]bool, d ast.Decl) {
	if d, ok := d.(*ast.FuncDecl); ok {
		name := d.Name.Name
		if d.Recv != nil {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
		}
		names[name] = true
		return
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range s.Names {
				names[name.Name] = true
			}
		case *ast.TypeSpec:
			names[s.Name.Name] = true
			if fields, ok := s.Type.(*ast.StructType); ok {
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						names[s.Name.Name+"."+name.Name] = true
					}
				}
			}
		}
	}
}

// pages returns the pages of the repository, without the folders of other programs.
func pages(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (path == ".git" || d.Name() == "testdata" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	return files
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	notSlugs = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the names by which links reach the headings of a page.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		found[strings.ReplaceAll(notSlugs.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return found
}

// TestLinks: each link of a page leads to a file or a folder, and to a heading if it names one.
func TestLinks(t *testing.T) {
	links := 0
	for _, file := range pages(t) {
		text := page(t, file)
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			target, anchor, named := strings.Cut(m[1], "#")
			path := filepath.Join(filepath.Dir(file), target)
			if target == "" {
				path = file
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", file, err)
			} else if named && !anchors(page(t, path))[anchor] {
				t.Errorf("%s: %s has no heading #%s", file, path, anchor)
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links", links)
	}
}

// TestChangelogFirst: nothing is released, so the first version of the changelog compares with none.
func TestChangelogFirst(t *testing.T) {
	versions := strings.Split(page(t, "CHANGELOG.md"), "\n## ")
	first := versions[len(versions)-1]
	if !strings.HasPrefix(first, "0.1.0 ") {
		t.Fatalf("the first version is %.20q", first)
	}
	before := regexp.MustCompile(`snapshots?|earlier commits?|older versions?|no longer|(is|are) new|the old|unchanged`)
	if m := before.FindString(strings.Join(strings.Fields(first), " ")); m != "" {
		t.Errorf("%q compares with a version that nobody has", m)
	}
}

// TestPeersMissing: a benchmark says what it needs where a package is missing.
func TestPeersMissing(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for _, script := range []string{"accuracy", "margins", "peer", "sparse", "tagger", "text"} {
		out, err := exec.Command(python, "-S", "-E", "bench/"+script+".py", "x").CombinedOutput()
		if err == nil || bytes.Count(out, []byte("\n")) != 1 || !bytes.Contains(out, []byte("It needs ")) {
			t.Errorf("bench/%s.py: %v: %s", script, err, out)
		}
	}
}
