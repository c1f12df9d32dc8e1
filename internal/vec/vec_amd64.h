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

// READ loads a number of each line of the R elements at P, in the order of memory. There a
// processor fetches by itself what comes next. It changes all three.
#define READ(P, R, T) \
line:                 \
	MOVQ (P), T   \
	ADDQ $64, P   \
	SUBQ $8, R    \
	JGT  line

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

// INDEX sets CX, which is R12, to the row at the position R12, and jumps to row. R8 to R10 point
// to the rows, their labels and their order, but R10 is 1 if there is none. If DX's lesson says
// so, INDEX fetches the row of BX elements 16 positions on, and the slice and the label 32 on. AX
// and DI are scratch.
#define INDEX \
	CMPQ R10, $1            \
	JEQ  fetch              \
	MOVQ (R10)(R12*8), CX   \
fetch: \
	CMPB Lesson_Fetch(DX), $0 \
	JEQ  row                \
	LEAQ 32(R12), AX        \
	CMPQ AX, Lesson_X+8(DX) \
	JGE  row                \
	LEAQ 16(R12), DI        \
	CMPQ R10, $1            \
	JEQ  ahead              \
	MOVQ (R10)(AX*8), AX    \
	MOVQ (R10)(DI*8), DI    \
ahead: \
	PREFETCHT0 (R9)(AX*8)   \
	LEAQ       (AX)(AX*2), AX \
	PREFETCHT0 (R8)(AX*8)   \
	LEAQ       (DI)(DI*2), AX \
	MOVQ       (R8)(AX*8), DI \
	PREFETCHT0 (DI)         \
	PREFETCHT0 -8(DI)(BX*8) \
	JMP        row

// ORDERED points R8 to R10 to the rows of DX's lesson, their labels and their order. R10 is 0 if
// there is neither an order nor anything to fetch, so that INDEX may be left out.
#define ORDERED \
	MOVQ    Lesson_X(DX), R8      \
	MOVQ    Lesson_Y(DX), R9      \
	MOVQ    Lesson_Order(DX), R10 \
	TESTQ   R10, R10              \
	JNZ     ordered               \
	MOVBQZX Lesson_Fetch(DX), R10 \
ordered:
