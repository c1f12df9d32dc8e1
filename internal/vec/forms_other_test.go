//go:build (!amd64 && !arm64) || purego

package vec

import "testing"

// eachForm runs a test with every form of the kernels: here there is one.
func eachForm(t *testing.T, f func(t *testing.T)) { f(t) }
