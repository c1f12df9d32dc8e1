package main

import (
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"
)

// TestReadingBar: a file with a known size gets a bar, other files do not.
func TestReadingBar(t *testing.T) {
	b := newBars(new(strings.Builder))
	defer b.close()
	for _, c := range []struct {
		size    int64
		purpose string
		want    bool
	}{{10, "counting the rows", true}, {0, "counting the rows", false}, {10, "", false}} {
		in := strings.NewReader("0123456789")
		if r := b.watch(in, c.size, c.purpose); (r != in) != c.want {
			t.Errorf("%+v: bar %v", c, r != in)
		}
	}
}

// TestRemaining: no time is shown before there is progress to estimate it from.
func TestRemaining(t *testing.T) {
	d := remaining(" left")
	if text, _ := d.Decor(decor.Statistics{Total: 100}); text != "" {
		t.Errorf("%q before any progress", text)
	}
	time.Sleep(time.Millisecond)
	if text, _ := d.Decor(decor.Statistics{Total: 100, Current: 50}); !strings.HasSuffix(text, "s left") {
		t.Errorf("%q, want a time", text)
	}
}
