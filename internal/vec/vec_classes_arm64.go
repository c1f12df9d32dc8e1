//go:build !purego

package vec

// groupOf returns the size of the groups for k vectors of d elements: two registers.
func groupOf(_, d int) int {
	if kernel == neon && d <= 31 {
		return 4
	}
	return 1
}
