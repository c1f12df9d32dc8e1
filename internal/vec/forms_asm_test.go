//go:build (amd64 || arm64) && !purego

package vec

import (
	"fmt"
	"testing"
)

// eachForm runs a test with every form of the kernels that the machine has.
func eachForm(t *testing.T, f func(t *testing.T)) {
	best := kernel
	defer func() { kernel = best }()
	for k := generic; k <= best; k++ {
		kernel = k
		t.Run(fmt.Sprintf("form %d", k), f)
	}
}
