//go:build !js

// Playground serves a web page that runs the library, compiled to WebAssembly. The
// library learns points that the user clicks. The page shows Novikoff's theorem
// during the run.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"
)

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
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("the import path is unknown: build this program in module mode")
	}
	at, path, err := source(info)
	var all files
	if err == nil {
		all, err = build(at, path)
	}
	if err == nil && *folder != "" {
		err = all.write(*folder, *site)
	} else if err == nil {
		err = serve(os.Stdout, all, *port)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func serve(w io.Writer, all files, port int) error {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the playground is at http://%s (stop it with Ctrl-C)\n", listener.Addr())
	server := &http.Server{
		Handler:           all,
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
	return server.Serve(listener)
}
