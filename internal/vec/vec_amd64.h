// Shared by the AVX2 and the AVX-512 kernels.

// SUM4 folds the lanes t[0..3] of Y to their sum (t[0] + t[2]) + (t[1] + t[3]) in X.
// X is the lower half of Y, T is scratch.
#define SUM4(Y, X, T) \
	VEXTRACTF128 $1, Y, T  \
	VADDPD       T, X, X   \
	VPERMILPD    $1, X, T  \
	VADDSD       T, X, X
