//go:build (!amd64 && !arm64) || purego

package vec

import "testing"

// eachVersion runs a test with every version of the kernels: here there is one.
func eachVersion(t *testing.T, f func(t *testing.T)) { f(t) }
