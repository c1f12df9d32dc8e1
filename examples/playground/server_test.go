//go:build !js

package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestServer checks the responses to a browser, and that they total less than a
// megabyte.
func TestServer(t *testing.T) {
	fs, err := build(".")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(fs)
	defer server.Close()
	total := 0
	for path, want := range map[string]struct{ kind, begins string }{
		"/":                {"text/html; charset=utf-8", "<!doctype html>"},
		"/playground.js":   {"text/javascript; charset=utf-8", "// Draws the pictures"},
		"/wasm_exec.js":    {"text/javascript; charset=utf-8", "// Copyright"},
		"/playground.wasm": {"application/wasm", "\x00asm\x01\x00\x00\x00"},
	} {
		r, zipped := get(t, http.MethodGet, server.URL+path, http.Header{"Accept-Encoding": {"br, gzip;q=0.5"}})
		total += len(zipped)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want.kind || r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", path, r)
		}
		_, body := get(t, http.MethodGet, server.URL+path, http.Header{"Accept-Encoding": {"gzip;q=0, identity"}})
		if !strings.HasPrefix(body, want.begins) || unzip(t, zipped) != body {
			t.Errorf("%s begins with %.40q, want %q", path, body, want.begins)
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
	if total >= 1e6 {
		t.Errorf("%d bytes, want less than a megabyte", total)
	}
	for _, path := range []string{"/index.html", "/main.go", "/../main.go", "/favicon.ico", "//"} {
		if r, _ := get(t, http.MethodGet, server.URL+path, nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %v", path, r.Status)
		}
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

func unzip(t *testing.T, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
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
	if _, err := build("./nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}

// TestLoopback checks that the server answers at the printed loopback address only.
func TestLoopback(t *testing.T) {
	out, w := io.Pipe()
	go func() { w.CloseWithError(run(w, ".", 0)) }()
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

func TestAccepts(t *testing.T) {
	for list, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip": true, "br,gzip;q=0.1": true, "gzip; q=0": false,
		"gzip;q=0.0": false, "x-gzip": false, "gzip;q=x": false, "identity": false,
	} {
		if got := accepts(list, "gzip"); got != want {
			t.Errorf("%q: %v", list, got)
		}
	}
}
