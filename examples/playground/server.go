//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"
)

var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".gz": "application/octet-stream", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// ServeHTTP answers with the file at the request's path. The policy about what the page may load is in
// the page itself.
func (all files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	body, ok := all[name]
	if !ok {
		w.Header().Set("Content-Type", kinds[".html"])
		w.WriteHeader(http.StatusNotFound)
		w.Write(all["404.html"])
		return
	}
	head := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	sum := sha256.Sum256(body)
	head.Set("Content-Type", kinds[path.Ext(name)])
	head.Set("Content-Security-Policy", "frame-ancestors 'none'")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-cache") // the browser must check the tag before it uses its copy
	head.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	head.Set("Vary", "Accept-Encoding")
	if strings.HasPrefix(head.Get("Content-Type"), "text/") && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		body = zip(body)
		head.Set("Content-Encoding", "gzip")
		head.Set("ETag", `"z`+hex.EncodeToString(sum[:8])+`"`)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
