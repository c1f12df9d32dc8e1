//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// Registers:
//
//	Y0–Y3           8 lanes of the sums with the first vector: lanes 0–3 and 4–7 of the
//	                first row, and of the second
//	Y4–Y7, Y8–Y11   those with the second and the third
//	Y12–Y15         elements, products and masks

#define LANES 384

#define CLEARS \
	CLEAR2            \
	CLEAR6            \
	VXORPD X8, X8, X8 \
	VXORPD X9, X9, X9 \
	VXORPD X10, X10, X10 \
	VXORPD X11, X11, X11

// HALF adds the products of 4 elements of two rows, in Y12 and Y13, with those of the
// vector at W to lanes A and B.
#define HALF(O, W, A, B) \
	VMOVUPD O(W)(DX*1), Y14 \
	VMULPD  Y14, Y12, Y15   \
	VMULPD  Y14, Y13, Y14   \
	VADDPD  Y15, A, A       \
	VADDPD  Y14, B, B

// ROWS loads 4 elements of two rows.
#define ROWS(O) \
	VMOVUPD O(SI)(DX*1), Y12 \
	VMOVUPD O(DI)(DX*1), Y13

#define COLUMNS(UPPER, DONE) \
	ROWS(0)                \
	HALF(0, R10, Y0, Y2)   \
	HALF(0, R11, Y4, Y6)   \
	CMPQ R14, $3           \
	JLT  UPPER             \
	HALF(0, R12, Y8, Y10)  \
UPPER:                         \
	ROWS(32)               \
	HALF(32, R10, Y1, Y3)  \
	HALF(32, R11, Y5, Y7)  \
	JLT  DONE              \
	HALF(32, R12, Y9, Y11)

// LAST adds the products of the elements in the mask Y12 to the lanes A of the row at X.
#define LAST(O, X, W, A) \
	VMASKMOVPD O(X)(DX*1), Y12, Y13 \
	VMASKMOVPD O(W)(DX*1), Y12, Y14 \
	VMULPD     Y14, Y13, Y13        \
	VADDPD     Y13, A, A

#define LASTS(DONE) \
	MASKS(BX, AX)         \
	CMPQ    R14, $3       \
	VMOVUPD (AX), Y12     \
	LAST(0, SI, R10, Y0)  \
	LAST(0, DI, R10, Y2)  \
	LAST(0, SI, R11, Y4)  \
	LAST(0, DI, R11, Y6)  \
	JLT     upper         \
	LAST(0, SI, R12, Y8)  \
	LAST(0, DI, R12, Y10) \
upper:                        \
	VMOVUPD 32(AX), Y12   \
	LAST(32, SI, R10, Y1) \
	LAST(32, DI, R10, Y3) \
	LAST(32, SI, R11, Y5) \
	LAST(32, DI, R11, Y7) \
	JLT     DONE          \
	LAST(32, SI, R12, Y9) \
	LAST(32, DI, R12, Y11)

// STORES stores all lanes at P. ADDS adds the lanes stored at P to those in the registers.
#define STORES(P) \
	VMOVUPD Y0, P+0(AX) \
	VMOVUPD Y1, P+32(AX) \
	VMOVUPD Y2, P+64(AX) \
	VMOVUPD Y3, P+96(AX) \
	VMOVUPD Y4, P+128(AX) \
	VMOVUPD Y5, P+160(AX) \
	VMOVUPD Y6, P+192(AX) \
	VMOVUPD Y7, P+224(AX) \
	VMOVUPD Y8, P+256(AX) \
	VMOVUPD Y9, P+288(AX) \
	VMOVUPD Y10, P+320(AX) \
	VMOVUPD Y11, P+352(AX)

#define ADDS(P) \
	VADDPD P+0(AX), Y0, Y0 \
	VADDPD P+32(AX), Y1, Y1 \
	VADDPD P+64(AX), Y2, Y2 \
	VADDPD P+96(AX), Y3, Y3 \
	VADDPD P+128(AX), Y4, Y4 \
	VADDPD P+160(AX), Y5, Y5 \
	VADDPD P+192(AX), Y6, Y6 \
	VADDPD P+224(AX), Y7, Y7 \
	VADDPD P+256(AX), Y8, Y8 \
	VADDPD P+288(AX), Y9, Y9 \
	VADDPD P+320(AX), Y10, Y10 \
	VADDPD P+352(AX), Y11, Y11

// FOLD folds the lanes of two rows' sums in Dot's order, and stores the two sums at P of the
// results. XA and XC are the lower halves of YA and YC.
#define FOLD(P, YA, XA, YB, YC, XC, YD) \
	VADDPD       YB, YA, YA    \
	VADDPD       YD, YC, YC    \
	VEXTRACTF128 $1, YA, X14   \
	VEXTRACTF128 $1, YC, X15   \
	VADDPD       X14, XA, XA   \
	VADDPD       X15, XC, XC   \
	VUNPCKLPD    XC, XA, X14   \
	VUNPCKHPD    XC, XA, X15   \
	VADDPD       X15, X14, X14 \
	VMOVUPD      X14, P(CX)

#define FOLDS(DONE) \
	FOLD(0, Y0, X0, Y1, Y2, X2, Y3)  \
	FOLD(32, Y4, X4, Y5, Y6, X6, Y7) \
	CMPQ R14, $3                     \
	JLT  DONE                        \
	FOLD(64, Y8, X8, Y9, Y10, X10, Y11)

#define REQUESTS(A, B) REQUEST(A)

// ROUND exchanges the two rows in use with the other two rows, and moves to their sums, which are
// 16 bytes later. After the second round, everything is as before.
#define ROUND \
	ADDQ  $16, sums-24(SP) \
	XCHGQ SI, R8           \
	XCHGQ DI, R9           \
	XORQ  $1, round-56(SP) \
	JNZ   round            \
	SUBQ  $32, sums-24(SP)

// func blockAVX2(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)
TEXT ·blockAVX2(SB), NOSPLIT, $56-72
#include "block_amd64.h"
