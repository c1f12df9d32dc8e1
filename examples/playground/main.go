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
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("the import path is unknown: build this program in module mode")
	}
	if err := run(os.Stdout, info.Path, *port); err != nil {
		log.Fatal(err)
	}
}

// run compiles the package at path, which is this package, and serves it.
func run(w io.Writer, path string, port int) error {
	files, err := build(path)
	if err != nil {
		return err
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the playground is at http://%s (stop it with Ctrl-C)\n", listener.Addr())
	server := &http.Server{
		Handler:           files,
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
	return server.Serve(listener)
}
