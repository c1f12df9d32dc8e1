package perceptron_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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

// A proofRow of the table in proofs/README.md names theorems and their file.
var proofRow = regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|.*\\| ([\\w/]+\\.v) \\|$")

// backticked returns the words of text between backticks.
func backticked(text string) (words []string) {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	return words
}

// TestProofsListed checks that proofs/README.md lists every theorem, and no other.
func TestProofsListed(t *testing.T) {
	listed := map[string]string{}
	for _, row := range proofRow.FindAllStringSubmatch(page(t, "proofs/README.md"), -1) {
		for _, name := range backticked(row[1]) {
			if _, twice := listed[name]; twice {
				t.Errorf("the table has %s twice", name)
			}
			listed[name] = "proofs/" + row[2]
		}
	}
	proved := theorems(t)
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(proved)), slices.Sorted(maps.Keys(listed))) {
		if listed[name] != proved[name] {
			t.Errorf("%s is in %q, but the table has %q", name, proved[name], listed[name])
		}
	}
}

// TestTheorems checks docs/theorems.md. Each theorem has a proof, and names what states it in Go,
// its theorems in Coq and its tests. All of these exist. The page names every function of bound.go.
func TestTheorems(t *testing.T) {
	names, bounds := declared(t, "*.go", "internal/*/*.go"), declared(t, "bound.go")
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
	for name := range bounds {
		if token.IsExported(name) && !named[name] {
			t.Errorf("no theorem names %s", name)
		}
	}
}

// TestProofsDocumented checks that docs/theorems.md has each heading of proofs/README.md,
// and that the section with this heading names each theorem below it.
func TestProofsDocumented(t *testing.T) {
	sections := map[string]string{}
	for _, section := range strings.Split(page(t, "docs/theorems.md"), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		sections[title] = body
	}
	headings := strings.Split(page(t, "proofs/README.md"), "\n| **")[1:]
	if len(headings) != len(sections) { // two are of the proofs alone, and two of the page alone
		t.Errorf("%d headings of theorems, want %d", len(headings), len(sections))
	}
	for _, section := range headings {
		title, body, _ := strings.Cut(section, "** | | |\n")
		if title == "Spaces" || title == "Certificates and logs" {
			continue // of the proofs alone
		}
		if sections[title] == "" {
			t.Errorf("docs/theorems.md has no heading %q", title)
		}
		for _, row := range proofRow.FindAllStringSubmatch(body, -1) {
			for _, name := range backticked(row[1]) {
				if !strings.Contains(sections[title], "`"+name+"`") {
					t.Errorf("%s: docs/theorems.md does not name %s", title, name)
				}
			}
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
