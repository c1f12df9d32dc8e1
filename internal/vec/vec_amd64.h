// Shared by the kernels.

// SUM4 folds the lanes t[0..3] of Y to their sum (t[0] + t[2]) + (t[1] + t[3]) in X.
// X is the lower half of Y, T is scratch.
#define SUM4(Y, X, T) \
	VEXTRACTF128 $1, Y, T  \
	VADDPD       T, X, X   \
	VPERMILPD    $1, X, T  \
	VADDSD       T, X, X

// MASKS points T at the mask of the first 4 of R elements, R < 8, which 32 bytes on is
// that of the others. It changes R.
#define MASKS(R, T) \
	LEAQ ·ones+64(SB), T \
	SHLQ $3, R           \
	SUBQ R, T

// PAGES requests a line of each page of the R elements at P, and the last line. It changes
// both. Until a processor has looked up where a page is, it may drop the requests for other
// lines of it. So a row's pages are requested before its lines.
#define PAGES(P, R) \
	PREFETCHT1 -8(P)(R*8) \
page:                     \
	PREFETCHT1 (P)        \
	ADDQ $4096, P         \
	SUBQ $512, R          \
	JGT  page
