//go:build !purego

package vec

import (
	"fmt"
	"testing"
)

// TestFetches: however rows are fetched, the results are equal, and no memory around them is read.
func TestFetches(t *testing.T) {
	defer func(before uint8) { fetchMode = before }(fetchMode)
	for fetchMode = thrice; fetchMode <= inOrder; fetchMode++ {
		t.Run(fmt.Sprint(fetchMode), TestFences)
	}
}
