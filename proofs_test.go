package perceptron_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// theorems returns the file of each theorem in proofs.
func theorems(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("proofs/*.v")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d proofs, %v", len(files), err)
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^Theorem (\w+)`).FindAllStringSubmatch(string(text), -1) {
			if other, twice := found[m[1]]; twice {
				t.Errorf("%s: %s is a theorem of %s too", file, m[1], other)
			}
			found[m[1]] = filepath.ToSlash(file)
		}
	}
	return found
}

// cited returns the names and files of "Coq checks …: a, b and c in file, and d in file".
func cited(doc string) map[string]string {
	doc = strings.Join(strings.Fields(doc), " ")
	found := map[string]string{}
	for _, claim := range regexp.MustCompile(`Coq checks[^:.]*: ([^:]*?\.v)\.( |$)`).FindAllStringSubmatch(doc, -1) {
		var names []string
		for _, word := range regexp.MustCompile(`[\w/]+(\.v)?`).FindAllString(claim[1], -1) {
			switch {
			case strings.HasSuffix(word, ".v"):
				for _, name := range names {
					found[name] = word
				}
				names = nil
			case word != "and" && word != "in":
				names = append(names, word)
			}
		}
	}
	return found
}

// docs returns the documentation of every declaration and field of the package.
func docs(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = "method " + name
				}
				found[name] = d.Doc.Text()
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.ValueSpec); ok {
						found[s.Names[0].Name] = s.Doc.Text()
					}
					if s, ok := spec.(*ast.TypeSpec); ok {
						found[s.Name.Name] = d.Doc.Text()
						if s, ok := s.Type.(*ast.StructType); ok {
							for _, field := range s.Fields.List {
								for _, name := range field.Names {
									found[spec.(*ast.TypeSpec).Name.Name+"."+name.Name] = field.Doc.Text()
								}
							}
						}
					}
				}
			}
		}
	}
	return found
}

// TestProofsCited checks that the documentation of the theory names its theorems, and
// that each of them is in the file named.
func TestProofsCited(t *testing.T) {
	proved, docs := theorems(t), docs(t)
	for name, doc := range docs {
		for theorem, file := range cited(doc) {
			if proved[theorem] != file {
				t.Errorf("%s: %s is in %q, not in %q", name, theorem, proved[theorem], file)
			}
		}
	}
	for _, name := range []string{
		"MistakeBound", "StartBound", "StartEnvelope", "MarginBound", "ThresholdBound", "BatchBound",
		"InseparableBound", "MulticlassBound", "MixBound", "Margin", "Result.Upper", "Separation", "method MistakeBound", "Converged", "Cycled",
	} {
		if len(cited(docs[name])) == 0 {
			t.Errorf("%s names no theorem", name)
		}
	}
}

// TestProofsListed checks that proofs/README.md lists every theorem, and no other.
func TestProofsListed(t *testing.T) {
	text, err := os.ReadFile("proofs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|.*\\| (\\w+\\.v) \\|").FindAllStringSubmatch(string(text), -1) {
		listed[m[1]] = "proofs/" + m[2]
	}
	proved := theorems(t)
	for _, name := range slices.Sorted(maps.Keys(proved)) {
		if listed[name] != proved[name] {
			t.Errorf("%s is in %q, but the table has %q", name, proved[name], listed[name])
		}
	}
	for name, file := range listed {
		if proved[name] != file {
			t.Errorf("the table has %s in %s, but it is in %q", name, file, proved[name])
		}
	}
}

// TestTheorems checks docs/theorems.md. Each theorem has a proof, and names what states it
// in Go, its theorems in Coq and its tests. All of these exist. The page names every
// function of bound.go, and every theorem that the package's documentation names.
func TestTheorems(t *testing.T) {
	text, err := os.ReadFile("docs/theorems.md")
	if err != nil {
		t.Fatal(err)
	}
	names, bounds := declared(t, "*.go", "internal/*/*.go"), declared(t, "bound.go")
	proved, named := theorems(t), map[string]bool{}
	for _, section := range strings.Split(string(text), "\n## ")[2:] { // after the notation
		title, body, _ := strings.Cut(section, "\n")
		body = strings.Join(strings.Fields(body), " ")
		m := regexp.MustCompile(` \*Proof\.\* .* ∎ .*Go: (.*)\. Coq: (.*)\. Tests: (.*)\.$`).FindStringSubmatch(body)
		if m == nil {
			t.Errorf("%s: no proof with Go, Coq and tests", title)
			continue
		}
		quoted := func(list string) (words []string) {
			for _, w := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
				named[w[1]] = true
				words = append(words, w[1])
			}
			return words
		}
		for _, name := range append(quoted(m[1]), quoted(m[3])...) {
			if !names[name] {
				t.Errorf("%s: %s does not exist", title, name)
			}
		}
		for _, in := range regexp.MustCompile(`([^.]*?) in (\w+\.v)`).FindAllStringSubmatch(m[2], -1) {
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
	for name, doc := range docs(t) {
		for theorem := range cited(doc) {
			if !named[theorem] {
				t.Errorf("%s names %s, but the page does not", name, theorem)
			}
		}
	}
}

// TestProofsDocumented checks that docs/theorems.md names theorems that exist, and that
// the table of proofs has its headings.
func TestProofsDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/theorems.md")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("proofs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	proved := theorems(t)
	for _, claim := range regexp.MustCompile(`(?s)Coq: (.*?)Tests:`).FindAllStringSubmatch(string(text), -1) {
		for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(claim[1], -1) {
			if proved[m[1]] == "" {
				t.Errorf("docs/theorems.md names %s, which is no theorem", m[1])
			}
		}
	}
	own := []string{"Spaces", "Certificates and logs"} // of the proofs alone
	for _, m := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(string(table), -1) {
		if !slices.Contains(own, m[1]) && !strings.Contains(string(text), "\n## "+m[1]+"\n") {
			t.Errorf("docs/theorems.md has no heading %q", m[1])
		}
	}
}

// declared returns the names declared in Go files: functions, types and constants, and
// methods and fields as Type.Name.
func declared(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				declare(names, d)
			}
		}
	}
	return names
}

// declare adds the names that d declares.
func declare(names map[string]bool, d ast.Decl) {
	if d, ok := d.(*ast.FuncDecl); ok {
		name := d.Name.Name
		if d.Recv != nil {
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if of, ok := receiver.(*ast.Ident); ok {
				name = of.Name + "." + name
			}
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
