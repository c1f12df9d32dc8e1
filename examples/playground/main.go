// Playground serves a web page on which you make a perceptron fail, and see why its mistakes stop.
// The page is a folder of static files.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

//go:embed page
var embedded embed.FS

func main() {
	log.SetFlags(0)
	port := flag.Int("port", 0, "port to serve on, at 127.0.0.1; 0 means any free port")
	folder := flag.String("build", "", "write the page to this folder, for any web server, and serve nothing")
	site := flag.String("url", "", "with -build, the address that the folder will have")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	page, err := fs.Sub(embedded, "page")
	if err == nil && *folder != "" {
		err = write(page, *folder, *site)
	} else if err == nil {
		err = serve(os.Stdout, handler(page), *port)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// kinds are the types of the files by extension. Those of the system may differ.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// handler serves the page's files. The policy about what the page may load is in the page itself.
func handler(page fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, head := cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html"), w.Header()
		body, err := fs.ReadFile(page, name)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			head.Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		} else if err != nil {
			http.NotFound(w, r)
			return
		}
		head.Set("Content-Type", kinds[path.Ext(name)])
		head.Set("Content-Security-Policy", "frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Cache-Control", "no-cache") // another version of the program has other files
		head.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && path.Ext(name) != ".png" {
			var zipped bytes.Buffer
			z := gzip.NewWriter(&zipped)
			z.Write(body) // a bytes.Buffer returns no error
			z.Close()
			body = zipped.Bytes()
			head.Set("Content-Encoding", "gzip")
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

func serve(w io.Writer, h http.Handler, port int) error {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the playground is at http://%s (stop it with Ctrl-C)\n", listener.Addr())
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
	}
	return server.Serve(listener)
}

// write copies the page to a folder. The site is the folder's address, or empty. The page needs the
// full address of its image, because other sites do not resolve a relative one.
func write(page fs.FS, folder, site string) error {
	return fs.WalkDir(page, ".", func(name string, entry fs.DirEntry, err error) error {
		to := filepath.Join(folder, filepath.FromSlash(name))
		if err != nil {
			return err
		} else if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		body, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		if name == "index.html" && site != "" {
			full := html.EscapeString(strings.TrimSuffix(site, "/") + "/og.png")
			body = bytes.Replace(body, []byte(`content="og.png"`), []byte(`content="`+full+`"`), 1)
		}
		return os.WriteFile(to, body, 0o644)
	})
}
