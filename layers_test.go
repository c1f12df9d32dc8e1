package perceptron_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLayers checks that the files of each package form layers: no files use each
// other in a cycle, and perceptron.go uses no other file.
func TestLayers(t *testing.T) {
	own, imports := listPackages(t)
	for _, p := range own {
		sources := map[string]any{}
		for _, name := range p.GoFiles {
			sources[filepath.Join(p.Dir, name)] = nil // read from the disk
		}
		uses, err := fileUses(p.ImportPath, sources, imports)
		if err != nil {
			t.Fatal(err)
		}
		if err := uses.cycle(); err != nil {
			t.Errorf("%s: %v", p.ImportPath, err)
		}
		for to, name := range uses["perceptron.go"] {
			t.Errorf("perceptron.go uses %s of %s, want no other file used", name, to)
		}
	}
}

func TestLayersFindsCycles(t *testing.T) {
	for name, test := range map[string]struct{ a, b, c, want string }{
		"layers":      {"func f() { g(); h() }", "func g() { h() }", "func h() {}", ""},
		"functions":   {"func f() { g() }", "func g() { h() }", "func h() { f() }", "a.go uses g of b.go, b.go uses h of c.go, c.go uses f of a.go"},
		"below a use": {"func f() { g() }", "func g() { h() }", "func h() { g() }", "b.go uses h of c.go, c.go uses g of b.go"},
		"methods":     {"type T struct{}", "func (T) m() { v() }", "func v() { T{}.m() }", "b.go uses v of c.go, c.go uses m of b.go"},
		"generics":    {"type T[E any] struct{}", "func (T[E]) m() { v() }", "func v() { T[int]{}.m() }", "b.go uses v of c.go, c.go uses m of b.go"},
		"types":       {"type T struct{ u *U }", "type U struct{ t *T }", "", "a.go uses U of b.go, b.go uses T of a.go"},
		"variables":   {"var x = y", "const y = z", "const z = 1; func f() int { return x }", "a.go uses y of b.go, b.go uses z of c.go, c.go uses x of a.go"},
		"fields":      {"type T struct{ x int }", "var v T", "func f() { v.x++ }", ""},
		"interfaces":  {"type I interface{ m() }", "type T struct{}; func (T) m() { f(nil) }", "func f(i I) { i.m() }", ""},
	} {
		sources := map[string]any{"a.go": "package p; " + test.a, "b.go": "package p; " + test.b, "c.go": "package p; " + test.c}
		uses, err := fileUses("p", sources, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		got := ""
		if err := uses.cycle(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: cycle %q, want %q", name, got, test.want)
		}
	}
}

// fileUsage[a][b] is a name that file a uses and file b declares.
type fileUsage map[string]map[string]string

// fileUses type-checks a package. A file uses another if it names anything that the
// other declares: a function, type, constant, variable, method or field.
func fileUses(path string, sources map[string]any, imports types.Importer) (fileUsage, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range sources {
		f, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imports}).Check(path, fset, files, info)
	if err != nil {
		return nil, err
	}
	base := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	uses := fileUsage{}
	for id, o := range info.Uses {
		if from, to := base(id.Pos()), base(o.Pos()); o.Pkg() == pkg && from != to {
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			uses[from][to] = max(uses[from][to], o.Name()) // the same one in every run
		}
	}
	return uses, nil
}

// cycle returns an error that names the files of a cycle, or nil if there is none.
func (u fileUsage) cycle() error {
	done := map[string]bool{}
	var path []string // the files being visited, each used by the one before
	var visit func(file string) error
	visit = func(file string) error {
		if i := slices.Index(path, file); i >= 0 {
			return u.describe(append(path[i:], file))
		}
		if done[file] {
			return nil
		}
		path = append(path, file)
		for _, to := range slices.Sorted(maps.Keys(u[file])) {
			if err := visit(to); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		done[file] = true
		return nil
	}
	for _, file := range slices.Sorted(maps.Keys(u)) {
		if err := visit(file); err != nil {
			return err
		}
	}
	return nil
}

func (u fileUsage) describe(path []string) error {
	var steps []string
	for i, from := range path[:len(path)-1] {
		steps = append(steps, fmt.Sprintf("%s uses %s of %s", from, u[from][path[i+1]], path[i+1]))
	}
	return errors.New(strings.Join(steps, ", "))
}
