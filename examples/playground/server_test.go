//go:build !js

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestServer checks the responses to a browser, and that they total less than
// 1.35 megabytes. Only if PERCEPTRON_FULL is set, the program is compiled: without inlining, all
// of its standard library is compiled too. Else random bytes stand for it.
func TestServer(t *testing.T) {
	all, err := pageFiles()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(all)
	defer server.Close()
	total := 0
	for name, body := range all {
		path := "/" + name
		r, got := get(t, http.MethodGet, server.URL+path, http.Header{"Accept-Encoding": {"gzip"}})
		if name != "og.png" && name != "404.html" { // no browser loads them with the page
			total += len(got)
		}
		if r.Header.Get("Content-Encoding") == "gzip" {
			got = unzip(t, []byte(got))
		}
		if _, plain := get(t, http.MethodGet, server.URL+path, http.Header{"Accept-Encoding": {"identity"}}); plain != string(body) {
			t.Errorf("%s without compression: %d bytes, want %d", path, len(plain), len(body))
		}
		if r.StatusCode != 200 || r.Header.Get("Content-Type") == "" || r.Header.Get("Content-Security-Policy") == "" || got != string(body) {
			t.Errorf("%s: %v", path, r)
		}
		again, nothing := get(t, http.MethodGet, server.URL+path, http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {r.Header.Get("ETag")}})
		if again.StatusCode != http.StatusNotModified || nothing != "" {
			t.Errorf("%s again: %v", path, again)
		}
		if head, nothing := get(t, http.MethodHead, server.URL+path, nil); head.StatusCode != 200 || nothing != "" {
			t.Errorf("HEAD %s: %v", path, head)
		}
		if post, _ := get(t, http.MethodPost, server.URL+path, nil); post.StatusCode != http.StatusMethodNotAllowed || post.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %v", path, post)
		}
	}
	t.Logf("%d bytes in all", total)
	if total < 1e5 || total >= 1.35e6 {
		t.Errorf("%d bytes, want less than 1.35 megabytes", total)
	}
	if wasm := unzip(t, all["playground.wasm.gz"]); !strings.HasPrefix(wasm, "\x00asm\x01") {
		t.Errorf("the program begins with %.8q", wasm)
	}
	if r, body := get(t, http.MethodGet, server.URL, nil); r.StatusCode != 200 || !strings.HasPrefix(body, "<!doctype html>") {
		t.Errorf("/: %v", r)
	}
	for _, path := range []string{"/main.go", "/../main.go", "/favicon.ico", "//", "/page/index.html"} {
		if r, body := get(t, http.MethodGet, server.URL+path, nil); r.StatusCode != http.StatusNotFound || !strings.Contains(body, "No such page") || r.Header.Get("Content-Type") != kinds[".html"] {
			t.Errorf("%s: %v", path, r.Status)
		}
	}
}

// pageFiles returns all files of the page.
func pageFiles() (files, error) {
	if full {
		return build(".", ".")
	}
	program := make([]byte, 5e5)
	_, _ = rand.NewChaCha8([32]byte{}).Read(program)
	return bundle(append([]byte("\x00asm\x01"), program...))
}

// TestWrite checks that the folder contains what the server serves.
func TestWrite(t *testing.T) {
	all := files{"index.html": []byte("a"), "page.js": []byte("b")}
	folder := filepath.Join(t.TempDir(), "new", "folder")
	if err := all.write(folder, ""); err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != string(want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := all.write(filepath.Join(folder, "page.js"), ""); err == nil {
		t.Error("a file is no folder")
	}
	for _, name := range []string{"page.js/below", "."} { // below a file, and a folder
		if err := (files{name: nil}).write(folder, ""); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// TestPublish checks what other sites read of the page: the image has the size that they
// want, shows the floor and the dome, and has the address of the folder.
func TestPublish(t *testing.T) {
	all, err := pageFiles()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := all.write(folder, "https://example.org/a?b=\"c/"); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "index.html"))
	for _, want := range []string{`<meta property="og:image" content="https://example.org/a?b=&#34;c/og.png">`, `<meta name="description"`, `<link rel="icon" href="favicon.svg">`} {
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%s is not in the page: %v", want, err)
		}
	}
	m, err := png.Decode(bytes.NewReader(all["og.png"]))
	if err != nil || m.Bounds().Dx() != 1200 || m.Bounds().Dy() != 630 || len(all["og.png"]) > 150e3 {
		t.Fatal(m.Bounds(), err)
	}
	colours := map[color.Color]int{}
	for i := range 1200 * 630 {
		colours[m.At(i%1200, i/1200)]++
	}
	if len(colours) < 100 { // a picture of the page, and not blank
		t.Errorf("%d colours", len(colours))
	}
	if all["404.html"] == nil || all["favicon.svg"] == nil {
		t.Error("a file is missing")
	}
}

func get(t *testing.T, method, url string, head http.Header) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, values := range head {
		request.Header[key] = values
	}
	r, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(body)
}

func unzip(t *testing.T, zipped []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestBuildFails checks that the error contains the output of the go command.
func TestBuildFails(t *testing.T) {
	if _, err := build(".", "./nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}

// TestLoopback checks that the server answers at the printed loopback address only.
func TestLoopback(t *testing.T) {
	out, w := io.Pipe()
	go func() { w.CloseWithError(serve(w, files{"index.html": nil}, 0)) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, _, _ := strings.Cut(line[strings.Index(line, "http"):], " ")
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Error(line)
	}
	if r, _ := get(t, http.MethodGet, url+"/", nil); r.StatusCode != 200 {
		t.Error(r.Status)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		ip := a.(*net.IPNet).IP
		if ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			continue
		}
		if c, err := net.Dial("tcp", net.JoinHostPort(ip.String(), port)); err == nil {
			c.Close()
			t.Errorf("the server answers at %v", ip)
		}
	}
}

// TestWordsOfMoves checks that the idea of a move has one paragraph of at most 40 words, and
// that no other text of a move is longer. Asides, which no phone shows, are texts of their own.
func TestWordsOfMoves(t *testing.T) {
	html, err := page.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	moves := regexp.MustCompile(`(?s)<article data-of="(\d+)".*?</article>`).FindAllStringSubmatch(string(html), -1)
	if len(moves) != lastChapter {
		t.Errorf("%d moves, want %d", len(moves), lastChapter)
	}
	for _, move := range moves {
		for _, p := range regexp.MustCompile(`(?s)<p[ >].*?</p>`).FindAllString(move[0], -1) {
			p = regexp.MustCompile(`<span class="aside">.*?</span>|<[^>]*>`).ReplaceAllString(p, "")
			if words := strings.Fields(p); len(words) > 40 {
				t.Errorf("move %s: %d words: %q", move[1], len(words), words)
			}
		}
		if idea, _, _ := strings.Cut(move[0], "</div>"); strings.Count(idea, "<p>") != 1 {
			t.Errorf("move %s has %d ideas", move[1], strings.Count(idea, "<p>"))
		}
	}
}

// TestStyle checks that the style has no line over 120 characters, and that the page asks for it once.
func TestStyle(t *testing.T) {
	all, err := pageFiles()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := page.ReadDir("page/style")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := page.ReadFile("page/style/" + source.Name())
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("%s:%d has %d characters", source.Name(), i+1, n)
			}
		}
		if all["style/"+source.Name()] != nil {
			t.Errorf("%s is a file of its own", source.Name())
		}
		body := slim("x.css", text)
		if len(body) < 100 || !bytes.Contains(all["style.css"], body) {
			t.Errorf("%s is not in style.css", source.Name())
		}
	}
}
