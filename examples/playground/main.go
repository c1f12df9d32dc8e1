//go:build !js

// Playground is a page on which the library itself, compiled to WebAssembly, learns
// points that are clicked, and the theorem can be watched at work.
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
	port := flag.Int("port", 0, "port to serve on, at 127.0.0.1; 0 takes any that is free")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		log.Fatal("this program does not know its own import path: it was built without module support")
	}
	if err := run(os.Stdout, info.Path, *port); err != nil {
		log.Fatal(err)
	}
}

// run compiles the package at path, which is this one, and serves it.
func run(w io.Writer, path string, port int) error {
	files, err := build(path)
	if err != nil {
		return err
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the playground is at http://%s (Ctrl-C ends it)\n", listener.Addr())
	server := &http.Server{
		Handler:           files,
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
	return server.Serve(listener)
}
