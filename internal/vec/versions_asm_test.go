//go:build (amd64 || arm64) && !purego

package vec

import (
	"fmt"
	"testing"
)

// eachVersion runs a test with every version of the kernels that the machine has.
func eachVersion(t *testing.T, f func(t *testing.T)) {
	best := kernel
	defer func() { kernel = best }()
	for k := generic; k <= best; k++ {
		kernel = k
		t.Run(fmt.Sprintf("version %d", k), f)
	}
}
