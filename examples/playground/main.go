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
	if err := run(os.Stdout, *port); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, port int) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("this program does not know its own import path: it was built without module support")
	}
	files, err := build(info.Path)
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
