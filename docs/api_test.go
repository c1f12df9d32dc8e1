package docs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const apiFile = "docs/api.txt"

var writeAPI = flag.Bool("api", false, "write "+apiFile)

// TestAPI compares the exported API with docs/api.txt. So no change goes unnoticed. A deliberate
// change is recorded by
//
//	go test ./docs -run TestAPI -api
func TestAPI(t *testing.T) {
	t.Parallel()
	own, imports := listPackages(t)
	root := own[slices.IndexFunc(own, func(p listedPackage) bool { return p.Name == "perceptron" })]
	got := apiOf(must(imports.Import(root.ImportPath))(t))
	if *writeAPI {
		must(0, os.WriteFile(apiFile, []byte(strings.Join(got, "\n")+"\n"), 0o644))(t)
	}
	want := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(apiFile))(t)), "\n"), "\n")
	for _, line := range slices.Concat(got, want) {
		if exported, listed := slices.Contains(got, line), slices.Contains(want, line); exported != listed {
			t.Errorf("exported: %v, in %s: %v: %s", exported, apiFile, listed, line)
		}
	}
}

// TestPrograms: the programs use the public API alone. Only the command imports internal packages.
func TestPrograms(t *testing.T) {
	for _, top := range []string{"bench", "examples", "proofs"} {
		must(0, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			for _, spec := range must(parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly))(t).Imports {
				if strings.HasPrefix(spec.Path.Value, `"perceptron/internal/`) {
					t.Errorf("%s imports %s", path, spec.Path.Value)
				}
			}
			return nil
		}))(t)
	}
}

// TestSealed: what only looks like a model does not compile as one.
func TestSealed(t *testing.T) {
	own, imports := listPackages(t)
	root := own[slices.IndexFunc(own, func(p listedPackage) bool { return p.Name == "perceptron" })]
	head := "package main\nimport . \"" + root.ImportPath + "\"\ntype foreign struct{}\nfunc (foreign) Predict([]float64) (int, error) { return 0, nil }\nfunc (foreign) Fit([][]float64, []int) (Result, error) { return Result{}, nil }\nfunc main() { _ = "
	for body, want := range map[string]string{
		"OneVsRest{Binary: &Online{}} }": "", "Save(\"\", &Margin{}) }": "",
		"OneVsRest{Binary: &OneVsRest{}} }": "missing method Hyperplane", "Multiclass{Binary: &Multiclass{}} }": "missing method Hyperplane",
		"OneVsRest{Binary: foreign{}} }": "missing method Hyperplane", "Save(\"\", foreign{}) }": "missing method learned",
		"SparseModel{Model: foreign{}} }": "missing method learned",
	} {
		fset := token.NewFileSet()
		file := must(parser.ParseFile(fset, "main.go", head+body, 0))(t)
		_, err := (&types.Config{Importer: imports}).Check("main", fset, []*ast.File{file}, nil)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// apiOf lists the exported API of a package, sorted, with a line for each constant,
// function, type, variable, field and method.
func apiOf(pkg *types.Package) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	text := func(t types.Type) string { return types.TypeString(t, types.RelativeTo(pkg)) }
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Const:
			add("const %s %s = %s", name, text(o.Type()), o.Val())
		case *types.Var:
			add("var %s %s", name, text(o.Type()))
		case *types.Func:
			add("func %s%s", name, strings.TrimPrefix(text(o.Type()), "func"))
		case *types.TypeName:
			lines = append(lines, apiOfType(o, text)...)
		}
	}
	slices.Sort(lines)
	return lines
}

func apiOfType(o *types.TypeName, text func(types.Type) string) []string {
	under := o.Type().Underlying()
	lines := []string{"type " + o.Name() + " " + kindOf(under, text)}
	if s, ok := under.(*types.Struct); ok {
		for i := range s.NumFields() {
			if f := s.Field(i); f.Exported() {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("type %s struct, %s %s %s", o.Name(), f.Name(), text(f.Type()), s.Tag(i))))
			}
		}
	}
	values, receiver := types.NewMethodSet(o.Type()), types.NewMethodSet(types.NewPointer(o.Type()))
	if types.IsInterface(under) {
		receiver = values
	}
	for m := range receiver.Methods() {
		if !token.IsExported(m.Obj().Name()) {
			continue
		}
		name := "*" + o.Name()
		if values.Lookup(nil, m.Obj().Name()) != nil {
			name = o.Name()
		}
		lines = append(lines, fmt.Sprintf("method (%s) %s%s", name, m.Obj().Name(), strings.TrimPrefix(text(m.Type()), "func")))
	}
	return lines
}

// kindOf names what is behind a type. The members of a struct and an interface have
// lines of their own.
func kindOf(under types.Type, text func(types.Type) string) string {
	switch under.(type) {
	case *types.Struct:
		return "struct"
	case *types.Interface:
		return "interface"
	}
	return text(under)
}

// A listedPackage is what go list reports about a package.
type listedPackage struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
	Module                        *struct{ Main bool }
}

// listPackages returns the packages of the root and of internal, and an importer of
// them and of all that they import.
func listPackages(t *testing.T) ([]listedPackage, types.Importer) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("this system cannot run the go command: ", err)
	}
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,Module", ".", "./internal/...")
	var own []listedPackage
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(must(list.Output())(t))); d.More(); {
		var p listedPackage
		must(0, d.Decode(&p))(t)
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			own = append(own, p)
		}
	}
	return own, importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// TestLayers checks that the files of each package form layers: no files use each
// other in a cycle, and perceptron.go uses no other file.
func TestLayers(t *testing.T) {
	t.Parallel()
	own, imports := listPackages(t)
	for _, p := range own {
		sources := map[string]any{}
		for _, name := range p.GoFiles {
			sources[filepath.Join(p.Dir, name)] = nil // read from the disk
		}
		uses := fileUses(t, p.ImportPath, sources, imports)
		for to, name := range uses["perceptron.go"] {
			t.Errorf("perceptron.go uses %s of %s, want no other file used", name, to)
		}
		if cycles := uses.cycles(); cycles != "" {
			t.Errorf("%s: %s", p.ImportPath, cycles)
		}
	}
}

func TestLayersFindsCycles(t *testing.T) {
	for name, test := range map[string]struct{ a, b, c, want string }{
		"layers":      {"func f() { g(); h() }", "func g() { h() }", "func h() {}", ""},
		"functions":   {"func f() { g() }", "func g() { h() }", "func h() { f() }", "a.go uses g of b.go, b.go uses h of c.go, c.go uses f of a.go"},
		"below a use": {"func f() { g() }", "func g() { h() }", "func h() { g() }", "a.go uses g of b.go, b.go uses h of c.go, c.go uses g of b.go"},
		"methods":     {"type T struct{}", "func (T) m() { v() }", "func v() { T{}.m() }", "b.go uses v of c.go, c.go uses m of b.go"},
		"generics":    {"type T[E any] struct{}", "func (T[E]) m() { v() }", "func v() { T[int]{}.m() }", "b.go uses v of c.go, c.go uses m of b.go"},
		"types":       {"type T struct{ u *U }", "type U struct{ t *T }", "", "a.go uses U of b.go, b.go uses T of a.go"},
		"variables":   {"var x = y", "const y = z", "const z = 1; func f() int { return x }", "a.go uses y of b.go, b.go uses z of c.go, c.go uses x of a.go"},
		"fields":      {"type T struct{ x int }", "var v T", "func f() { v.x++ }", ""},
		"interfaces":  {"type I interface{ m() }", "type T struct{}; func (T) m() { f(nil) }", "func f(i I) { i.m() }", ""},
	} {
		sources := map[string]any{"a.go": "package p; " + test.a, "b.go": "package p; " + test.b, "c.go": "package p; " + test.c}
		if got := fileUses(t, "p", sources, nil).cycles(); got != test.want {
			t.Errorf("%s: cycles %q, want %q", name, got, test.want)
		}
	}
}

// fileUsage[a][b] is a name that file a uses and file b declares.
type fileUsage map[string]map[string]string

// fileUses type-checks a package. A file uses another if it names anything that the
// other declares: a function, type, constant, variable, method or field.
func fileUses(t *testing.T, path string, sources map[string]any, imports types.Importer) fileUsage {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range sources {
		files = append(files, must(parser.ParseFile(fset, name, text, 0))(t))
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg := must((&types.Config{Importer: imports}).Check(path, fset, files, info))(t)
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
	return uses
}

// cycles removes the files that use no other, again and again. It names the uses that are left:
// those in cycles, and those of files in cycles.
func (u fileUsage) cycles() string {
	for before := -1; before != len(u); {
		before = len(u)
		for file, uses := range u {
			maps.DeleteFunc(uses, func(to, _ string) bool { return len(u[to]) == 0 })
			if len(uses) == 0 {
				delete(u, file)
			}
		}
	}
	var steps []string
	for from, uses := range u {
		for to, name := range uses {
			steps = append(steps, fmt.Sprintf("%s uses %s of %s", from, name, to))
		}
	}
	slices.Sort(steps)
	return strings.Join(steps, ", ")
}

// TestExamplesRunInPage: the documentation page can run every example, because no
// example needs anything of another file. Every example states its output.
func TestExamplesRunInPage(t *testing.T) {
	if strings.HasPrefix(runtime.Version(), "go1.24") {
		t.Skip("go/doc of Go 1.24 does not know the name of package math/rand/v2")
	}
	var files []*ast.File
	names := must(filepath.Glob("example_*_test.go"))(t)
	if len(names) == 0 {
		t.Fatal("no examples")
	}
	for _, name := range names {
		files = append(files, must(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t))
	}
	for _, e := range doc.Examples(files...) {
		if e.Play == nil || e.Output == "" {
			t.Errorf("Example%s: runs in the page %v, output %q", e.Name, e.Play != nil, e.Output)
		}
	}
}
