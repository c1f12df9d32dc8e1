//go:build !purego

package vec

// groupOf returns the size of the groups for k vectors of d elements. For up to four AVX2 is as
// good: they fill half of AVX-512's registers, and a processor may take twice as long for a whole
// one.
func groupOf(k, d int) int {
	if k == 1 || d > 31 {
		return 1
	}
	return [...]int{generic: 1, avx2: 4, avx512: 8}[min(int(kernel), (k+3)/4)]
}
