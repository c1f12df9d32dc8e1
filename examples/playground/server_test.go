package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// names returns the names of the page's files, and their file system.
func names(t *testing.T) (all []string, page fs.FS) {
	t.Helper()
	page, err := fs.Sub(embedded, "page")
	if err == nil {
		all, err = fs.Glob(page, "*")
	}
	if err != nil {
		t.Fatal(err)
	}
	return all, page
}

// request sends a request, and returns the response with its body, which is not unpacked.
func request(t *testing.T, method, url, encoding string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", encoding)
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, body
}

// TestServer checks the responses to a browser, and that the page is at most 70 kilobytes.
func TestServer(t *testing.T) {
	all, page := names(t)
	server := httptest.NewServer(handler(page))
	defer server.Close()
	total := 0
	for _, name := range all {
		want, err := fs.ReadFile(page, name)
		if err != nil {
			t.Fatal(err)
		}
		r, got := request(t, http.MethodGet, server.URL+"/"+name, "gzip")
		if name != "og.png" { // no browser loads it with the page
			total += len(got)
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(name, err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(name, err)
			}
		}
		if r.StatusCode != 200 || r.Header.Get("Content-Type") == "" || r.Header.Get("Content-Security-Policy") == "" || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", name, r)
		}
		if r, got := request(t, http.MethodGet, server.URL+"/"+name, "identity"); r.Header.Get("Content-Encoding") != "" || !bytes.Equal(got, want) {
			t.Errorf("%s without compression: %v", name, r)
		}
		if r, got := request(t, http.MethodHead, server.URL+"/"+name, "gzip"); r.StatusCode != 200 || len(got) > 0 {
			t.Errorf("HEAD %s: %v", name, r)
		}
		if r, _ := request(t, http.MethodPost, server.URL+"/"+name, ""); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %v", name, r)
		}
	}
	t.Logf("%d bytes in all", total)
	if total < 15e3 || total > 70e3 {
		t.Errorf("%d bytes, want at most 70 kilobytes", total)
	}
	if _, body := request(t, http.MethodGet, server.URL, ""); !strings.HasPrefix(string(body), "<!doctype html>") {
		t.Errorf("/: %.40q", body)
	}
	for _, path := range []string{"/main.go", "/../main.go", "/favicon.ico", "//", "/page/index.html"} {
		if r, _ := request(t, http.MethodGet, server.URL+path, "gzip"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %v", path, r.Status)
		}
	}
}

// TestServe checks the printed address.
func TestServe(t *testing.T) {
	_, page := names(t)
	out, in := io.Pipe()
	go serve(in, handler(page), 0) // it ends with the test's process
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(line)
	if r, _ := request(t, http.MethodGet, address+"/maths.js", ""); r.StatusCode != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("%s: %v", line, r)
	}
}

// TestWrite checks that the folder contains what the server serves, and the image's address.
func TestWrite(t *testing.T) {
	all, page := names(t)
	folder := filepath.Join(t.TempDir(), "new", "folder")
	if err := write(page, folder, ""); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(os.DirFS(folder), all...); err != nil {
		t.Error(err)
	}
	for _, name := range all {
		want, _ := fs.ReadFile(page, name)
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if err := write(page, folder, "https://example.org/a&b/"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil || strings.Count(string(got), `content="https://example.org/a&amp;b/og.png"`) != 1 {
		t.Errorf("the image has another address: %v", err)
	}
	if err := write(page, filepath.Join(folder, "maths.js", "no"), ""); err == nil {
		t.Error("a file is no folder")
	}
}

// TestImage checks the size of the image for links, which other sites prescribe.
func TestImage(t *testing.T) {
	_, page := names(t)
	file, err := page.Open("og.png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if size, err := png.DecodeConfig(file); err != nil || size.Width != 1200 || size.Height != 630 {
		t.Errorf("%+v, %v", size, err)
	}
}

// TestSize checks that the code stays small, and its lines short.
func TestSize(t *testing.T) {
	lines := map[string]int{}
	for _, pattern := range []string{"page/*.html", "page/*.css", "page/*.js", "browser/*.js", "testdata/*.mjs", "main.go"} {
		all, err := filepath.Glob(pattern)
		if err != nil || len(all) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range all {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
				lines[filepath.Dir(name)]++
				if n := utf8.RuneCountInString(line); n > 100 && name != "main.go" {
					t.Errorf("%s:%d has %d columns", name, i+1, n)
				}
			}
		}
	}
	t.Log(lines)
	if lines["page"] > 2400 || lines["."] > 120 {
		t.Errorf("%d lines of the page, want at most 2,400; %d of Go, want at most 120", lines["page"], lines["."])
	}
	fields := regexp.MustCompile(`(?s)<meta name="description" content="([^"]*)"`)
	html, _ := os.ReadFile("page/index.html")
	if words := fields.FindSubmatch(html); words == nil || utf8.RuneCount(words[1]) > 170 || !bytes.Contains(words[1], []byte("ladder in a bubble")) || regexp.MustCompile(`\d|moves`).Match(words[1]) {
		t.Errorf("the description is %q", words)
	}
}
