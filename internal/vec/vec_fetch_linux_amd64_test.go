//go:build !purego

package vec

import (
	"fmt"
	"testing"
)

// TestFetches: however rows are fetched, the results are equal, and no memory around them is read.
func TestFetches(t *testing.T) {
	defer func(before uint8) { fetch = before }(fetch)
	for fetch = thrice; fetch <= inOrder; fetch++ {
		t.Run(fmt.Sprint(fetch), TestFences)
	}
}
