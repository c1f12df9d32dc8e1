//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed index.html
var page []byte

//go:embed playground.js
var script []byte

// A file is the response for one path.
type file struct {
	kind   string // content type
	body   []byte
	zipped []byte
	tag    string
}

// files maps each path to its file.
type files map[string]file

// build compiles the package to WebAssembly with the installed go command. It returns
// all files that the page needs.
func build(path string) (files, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "playground.wasm")
	// Without inlining the download is 5 % smaller.
	compile := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", out, path)
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", compile, err, text)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	return files{
		"/":                newFile("text/html; charset=utf-8", page),
		"/playground.js":   newFile("text/javascript; charset=utf-8", script),
		"/wasm_exec.js":    newFile("text/javascript; charset=utf-8", loader),
		"/playground.wasm": newFile("application/wasm", wasm),
	}, nil
}

func newFile(kind string, body []byte) file {
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	z.Write(body) // a bytes.Buffer returns no error
	z.Close()
	sum := sha256.Sum256(body)
	return file{kind, body, zipped.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// policy lets the page run only its own script and WebAssembly. The page can connect
// only to this server.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; " +
	"connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (fs files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := fs[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	head := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	head.Set("Content-Type", f.kind)
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-cache") // the browser must check the tag before it uses its copy
	head.Set("Vary", "Accept-Encoding")
	body, tag := f.body, f.tag
	if accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		body, tag = f.zipped, strings.TrimSuffix(f.tag, `"`)+`-gzip"`
		head.Set("Content-Encoding", "gzip")
	}
	head.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		head.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		w.Write(body) // it fails only if the client has left
	}
}

// accepts reports whether the list, the value of an Accept-Encoding header, contains
// the coding with a weight that is not 0.
func accepts(list, coding string) bool {
	for item := range strings.SplitSeq(list, ",") {
		name, weight, _ := strings.Cut(item, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		_, q, found := strings.Cut(weight, "q=")
		v, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !found || err == nil && v > 0
	}
	return false
}
