package perceptron_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestExamplesRunInPage: the documentation page can run every example, because no
// example needs anything of another file. Every example states its output.
func TestExamplesRunInPage(t *testing.T) {
	names, err := filepath.Glob("example_*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, e := range doc.Examples(files...) {
		if e.Play == nil || e.Output == "" {
			t.Errorf("Example%s: runs in the page %v, output %q", e.Name, e.Play != nil, e.Output)
		}
	}
}
