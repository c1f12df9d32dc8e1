//go:build !js

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

//go:embed page
var page embed.FS

// files maps the name of each file of the page to its contents.
type files map[string][]byte

// build compiles this package to WebAssembly with the installed go command, and returns all files
// that the page needs. importPath is the path of this package, as seen from the folder.
func build(folder, importPath string) (files, error) {
	wasm, err := compile(folder, importPath)
	if err != nil {
		return nil, err
	}
	return bundle(wasm)
}

// source returns a folder and the path of this package, for build. If go run downloaded a version of
// this package, the module of the user's folder need not require it. Then the folder is that of the
// package in the module cache.
func source(info *debug.BuildInfo) (folder, importPath string, err error) {
	if info.Main.Sum == "" {
		return ".", info.Path, nil // a checkout has no checksum
	}
	command := exec.Command("go", "mod", "download", "-json", info.Main.Path+"@"+info.Main.Version)
	command.Dir = os.TempDir() // outside any module, so that no go.sum changes
	text, err := command.Output()
	var module struct{ Dir, Error string }
	if parse := json.Unmarshal(text, &module); parse != nil || err != nil {
		return "", "", fmt.Errorf("%v: %w %s", command, cmp.Or(err, parse), module.Error)
	}
	return filepath.Join(module.Dir, strings.TrimPrefix(info.Path, info.Main.Path)), ".", nil
}

// bundle returns all files that the page needs: the compiled program wasm, Go's loader for it, and the
// files of the folder page.
func bundle(wasm []byte) (files, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	// The program is stored compressed and the page unpacks it, so that any web server sends it
	// compressed.
	all := files{"wasm_exec.js": bytes.ReplaceAll(loader, []byte("\t"), nil), "playground.wasm.gz": zip(wasm)}
	sources, err := fs.Sub(page, "page")
	if err != nil {
		return nil, err
	}
	return all, fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(sources, name)
		if body = slim(name, body); path.Dir(name) == "style" { // the page asks once for its style
			name, body = "style.css", append(all["style.css"], body...)
		}
		all[name] = body
		return err
	})
}

// notes matches the comments and the indents of the page, which browsers do not need.
var notes = regexp.MustCompile(`(?m)^[ \t]+(//.*\n)?|^//.*\n|^/\*[^*]*\*/\n`)

// spaces matches spaces around braces and semicolons, which a style sheet does not need.
var spaces = regexp.MustCompile(`\s*([{};])\s*`)

// slim returns the contents of a file without notes and spaces. It does not change files in vendor,
// which contain licences.
func slim(name string, body []byte) []byte {
	if strings.HasPrefix(name, "vendor/") {
		return body
	}
	if body = notes.ReplaceAll(body, nil); strings.HasSuffix(name, ".css") {
		body = spaces.ReplaceAll(body, []byte("$1"))
	}
	return body
}

func compile(folder, importPath string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "playground.wasm")
	// Without inlining the download is 5 % smaller.
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", out, importPath)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", command, err, text)
	}
	return os.ReadFile(out)
}

func zip(body []byte) []byte {
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	z.Write(body) // a bytes.Buffer returns no error
	z.Close()
	return zipped.Bytes()
}

// write writes the files to a folder, for any web server. The site is the address that the folder
// will have, or empty. The page needs a full address of its preview image, because other sites
// do not resolve a relative address.
func (all files) write(folder, site string) error {
	if site != "" {
		site = strings.TrimSuffix(site, "/") + "/og.png"
		all["index.html"] = bytes.Replace(all["index.html"], []byte(`content="og.png"`), []byte(`content="`+html.EscapeString(site)+`"`), 1)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, body := range all {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
