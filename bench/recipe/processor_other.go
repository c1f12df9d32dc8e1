//go:build !unix

package main

import "time"

var begin = time.Now()

// processor returns the time since the start of the program, where processor time is not known.
func processor() time.Duration { return time.Since(begin) }
