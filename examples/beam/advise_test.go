package main

import (
	"errors"
	"strings"
	"testing"
)

// TestAdvise: errors that Flink has printed get a remedy. Others stay as they are.
func TestAdvise(t *testing.T) {
	for text, want := range map[string]string{
		"java.lang.IllegalArgumentException: Too little memory provided to sorter to perform task. Required are at least 12 pages.": "-chunk",
		"java.io.IOException: The record exceeds the maximum size of a sort buffer (current maximum: 4096000 bytes).":               "large-record-handler",
		"java.lang.OutOfMemoryError: Cannot reserve 1048576 bytes of direct buffer memory (allocated: 805306360, limit: 805306368)": "MaxDirectMemorySize",
		"java.util.concurrent.TimeoutException: Timeout has occurred: 15000 ms":                                                     "slots",
	} {
		cause := errors.New(text)
		if err := advise(cause); !errors.Is(err, cause) || !strings.Contains(strings.TrimPrefix(err.Error(), text+"\n"), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if other := errors.New("another error"); advise(other) != other || advise(nil) != nil {
		t.Error("an error without a remedy has changed")
	}
}
