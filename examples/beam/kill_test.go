package main
func serve() {}
func pool() {}
