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

// TestProofsDocumented checks that docs/theorems.md names theorems that exist, and that
// the table of proofs has its headings.
func TestProofsDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/theorems.md")
	if os.IsNotExist(err) {
		t.Skip("docs/theorems.md does not exist")
	}
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

// TestProofsProject checks that _CoqProject lists every file.
func TestProofsProject(t *testing.T) {
	text, err := os.ReadFile("proofs/_CoqProject")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("proofs/*.v")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d proofs, %v", len(files), err)
	}
	for _, file := range files {
		if !strings.Contains(string(text), "\n"+filepath.Base(file)+"\n") {
			t.Errorf("_CoqProject does not list %s", file)
		}
	}
}
