// Playground serves a web page on which you make a perceptron fail, and see why its mistakes stop.
// The page is a folder of static files.
package main

import (
	"bytes"
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

// handler serves the page's files. The policy about what the page may load is in the page itself.
func handler(page fs.FS) http.Handler {
	files := http.FileServerFS(page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache") // a new version of the program has other files
		files.ServeHTTP(w, r)
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
		MaxHeaderBytes:    1 << 14,
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
