package perceptron_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const apiFile = "docs/api.txt"

var writeAPI = flag.Bool("api", false, "write "+apiFile)

// TestAPI compares the exported API with docs/api.txt, so that no change of it goes
// unnoticed. A deliberate change is recorded by
//
//	go test -run TestAPI -api .
func TestAPI(t *testing.T) {
	own, imports := listPackages(t)
	root := own[slices.IndexFunc(own, func(p listedPackage) bool { return p.Name == "perceptron" })]
	pkg, err := imports.Import(root.ImportPath)
	if err != nil {
		t.Fatal(err)
	}
	got := apiOf(pkg)
	if *writeAPI {
		if err := os.WriteFile(apiFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("not in %s: %s", apiFile, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("only in %s: %s", apiFile, line)
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
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,Module", ".", "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var own []listedPackage
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			own = append(own, p)
		}
	}
	return own, importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}
