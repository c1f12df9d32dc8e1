// Shared by the kernels.

// SUM4 folds the lanes t[0..3] of Y to their sum (t[0] + t[2]) + (t[1] + t[3]) in X.
// X is the lower half of Y, T is scratch.
#define SUM4(Y, X, T) \
	VEXTRACTF128 $1, Y, T  \
	VADDPD       T, X, X   \
	VPERMILPD    $1, X, T  \
	VADDSD       T, X, X

// MASKS points T at the masks of R elements, R < 8: the mask of elements 0 to 3 is at T, that of
// elements 4 to 7 is 32 bytes later. It changes R.
#define MASKS(R, T) \
	LEAQ ·ones+64(SB), T \
	SHLQ $3, R           \
	SUBQ R, T

// READ loads a number of each cache line of the R elements at P. It goes in the order of memory,
// where a processor fetches the next lines by itself. It changes P, R and T.
#define READ(P, R, T) \
line:                 \
	MOVQ (P), T   \
	ADDQ $64, P   \
	SUBQ $8, R    \
	JGT  line

// PAGES requests a line of each page of the R elements at P, and the last line. It changes P and R.
// Before a processor knows the address of a page, it may drop requests for lines of that page. So a
// row's pages are requested before its other lines.
#define PAGES(P, R) \
	PREFETCHT1 -8(P)(R*8) \
page:                     \
	PREFETCHT1 (P)        \
	ADDQ $4096, P         \
	SUBQ $512, R          \
	JGT  page

// INDEX sets CX to the index of the row at the position R12, and jumps to row. Before, CX is R12.
// R8 to R10 point to the rows, their labels and their order, but R10 is 1 if there is no order. If
// the lesson at DX says so, INDEX requests the row, of BX elements, that is 16 positions later, and
// the slice and the label that are 32 positions later. AX and DI are scratch.
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

// ORDERED points R8 to R10 to the rows of the lesson at DX, their labels and their order. R10 is 0
// if there is neither an order nor a row to request. Then INDEX is not needed.
#define ORDERED \
	MOVQ    Lesson_X(DX), R8      \
	MOVQ    Lesson_Y(DX), R9      \
	MOVQ    Lesson_Order(DX), R10 \
	TESTQ   R10, R10              \
	JNZ     ordered               \
	MOVBQZX Lesson_Fetch(DX), R10 \
ordered:

// CLEAR2 sets Y0 and Y1 to 0, and CLEAR6 the registers Y2 to Y7.
#define CLEAR2 \
	VXORPD X0, X0, X0 \
	VXORPD X1, X1, X1

#define CLEAR6 \
	VXORPD X2, X2, X2 \
	VXORPD X3, X3, X3 \
	VXORPD X4, X4, X4 \
	VXORPD X5, X5, X5 \
	VXORPD X6, X6, X6 \
	VXORPD X7, X7, X7

// FOLD4 is step 2 of Dot's order: it folds the 32 lanes in Y0 to Y7 to 8 in Y0 and Y1.
#define FOLD4 \
	VADDPD Y2, Y0, Y0 \
	VADDPD Y3, Y1, Y1 \
	VADDPD Y6, Y4, Y4 \
	VADDPD Y7, Y5, Y5 \
	VADDPD Y4, Y0, Y0 \
	VADDPD Y5, Y1, Y1

// FOLD1 is step 4 of Dot's order for several vectors, with each of their 8 lanes in a register.
#define FOLD1(V0, V1, V2, V3, V4, V5, V6, V7) \
	VADDPD V4, V0, V0 \
	VADDPD V5, V1, V1 \
	VADDPD V6, V2, V2 \
	VADDPD V7, V3, V3 \
	VADDPD V2, V0, V0 \
	VADDPD V3, V1, V1 \
	VADDPD V1, V0, V0
