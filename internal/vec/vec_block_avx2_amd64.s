//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// As in AVX-512, the kernel passes over the vectors four times, and a pass reads one cache
// line of every four. The registers hold 8 lanes of the sums of two rows with up to three
// vectors. The other two rows follow, while the vectors' lines are in the first cache.
//
// Registers:
//
//	SI, DI           the beginnings of two rows
//	R11, R12         the beginnings of the other two
//	R8, R9, R10      the beginnings of the group's vectors
//	DX               the offset into rows and vectors
//	R15              the bytes in whole blocks of 32 elements
//	R14              the number of the group's vectors
//	R13              the lanes of the two rows' sums; then those of the next
//	BX               what to prefetch of the next rows, or 0; outside of the blocks scratch
//	AX, CX           scratch
//	Y0–Y3            8 lanes of the sums with the first vector: lanes 0–3 and 4–7 of the
//	                 first row, and of the second
//	Y4–Y7, Y8–Y11    those with the second and the third
//	Y12–Y15          elements, products and masks
//
// VMULPD and VADDPD round separately. No instruction here is fused.

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

// TWO and THREE add the products of 8 elements to the lanes of so many vectors.
#define TWO \
	ROWS(0)              \
	HALF(0, R8, Y0, Y2)  \
	HALF(0, R9, Y4, Y6)  \
	ROWS(32)             \
	HALF(32, R8, Y1, Y3) \
	HALF(32, R9, Y5, Y7)

#define THREE \
	ROWS(0)                \
	HALF(0, R8, Y0, Y2)    \
	HALF(0, R9, Y4, Y6)    \
	HALF(0, R10, Y8, Y10)  \
	ROWS(32)               \
	HALF(32, R8, Y1, Y3)   \
	HALF(32, R9, Y5, Y7)   \
	HALF(32, R10, Y9, Y11)

// FETCH requests a line of the next rows three times: a processor drops requests that it
// has no room for. Two groups of vectors do that, or one does it for two lines.
#define FETCH \
	PREFETCHT1 (BX) \
	PREFETCHT1 (BX) \
	PREFETCHT1 (BX) \
	ADDQ $64, BX

// LAST adds the products of the elements in the mask Y12 to the lanes A of the row at X.
#define LAST(O, X, W, A) \
	VMASKMOVPD O(X)(DX*1), Y12, Y13 \
	VMASKMOVPD O(W)(DX*1), Y12, Y14 \
	VMULPD     Y14, Y13, Y13        \
	VADDPD     Y13, A, A

// STORES stores all lanes at P. ADDS adds the lanes there to them.
#define STORES(P) \
	VMOVUPD Y0, P+0(R13) \
	VMOVUPD Y1, P+32(R13) \
	VMOVUPD Y2, P+64(R13) \
	VMOVUPD Y3, P+96(R13) \
	VMOVUPD Y4, P+128(R13) \
	VMOVUPD Y5, P+160(R13) \
	VMOVUPD Y6, P+192(R13) \
	VMOVUPD Y7, P+224(R13) \
	VMOVUPD Y8, P+256(R13) \
	VMOVUPD Y9, P+288(R13) \
	VMOVUPD Y10, P+320(R13) \
	VMOVUPD Y11, P+352(R13)

#define ADDS(P) \
	VADDPD P+0(R13), Y0, Y0 \
	VADDPD P+32(R13), Y1, Y1 \
	VADDPD P+64(R13), Y2, Y2 \
	VADDPD P+96(R13), Y3, Y3 \
	VADDPD P+128(R13), Y4, Y4 \
	VADDPD P+160(R13), Y5, Y5 \
	VADDPD P+192(R13), Y6, Y6 \
	VADDPD P+224(R13), Y7, Y7 \
	VADDPD P+256(R13), Y8, Y8 \
	VADDPD P+288(R13), Y9, Y9 \
	VADDPD P+320(R13), Y10, Y10 \
	VADDPD P+352(R13), Y11, Y11

// FOLD folds the lanes of two rows' sums in Dot's order, and stores them at P of the
// results. X is the lower half of a Y.
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
	VMOVUPD      X14, P(AX)

// func blockAVX2(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)
TEXT ·blockAVX2(SB), NOSPLIT, $48-72
	MOVQ  n+32(FP), R15
	SHLQ  $3, R15
	ANDQ  $-256, R15
	MOVQ  next+64(FP), DX
	TESTQ DX, DX
	JZ    first
	MOVQ  $4, CX

pages: // of the next rows
	MOVQ (DX), R8
	MOVQ n+32(FP), R9
	PAGES(R8, R9)
	ADDQ $8, DX
	DECQ CX
	JNZ  pages

first:
	XORL  BX, BX
	TESTQ R15, R15
	JNZ   pass
	MOVQ  $3, BX // no whole block: the last pass alone

pass: // number BX; it prefetches one of the next rows
	MOVQ  BX, pass-8(SP)
	MOVQ  lanes+8(FP), R13
	MOVQ  w+24(FP), CX
	MOVQ  CX, w-16(SP)
	MOVQ  sums+0(FP), CX
	MOVQ  CX, sums-24(SP)
	XORL  CX, CX
	MOVQ  next+64(FP), DX
	TESTQ DX, DX
	JZ    start
	MOVQ  (DX)(BX*8), CX

start:
	MOVQ CX, next-32(SP)
	XORL CX, CX

group: // number CX; the first two prefetch
	MOVQ CX, group-40(SP)
	CMPQ CX, $2
	JNE  size
	MOVQ $0, next-32(SP)

size:
	MOVQ size+48(FP), R14
	CMPQ CX, larger+56(FP)
	JGE  vectors
	INCQ R14

vectors:
	MOVQ w-16(SP), CX
	LEAQ (CX)(R14*8), DX
	MOVQ DX, w-16(SP)
	MOVQ (CX), R8
	MOVQ 8(CX), R9
	MOVQ 16(CX), R10
	MOVQ x+16(FP), CX
	MOVQ (CX), SI
	MOVQ 8(CX), DI
	MOVQ 16(CX), R11
	MOVQ 24(CX), R12
	MOVQ $2, pairs-48(SP)

pair: // of rows, with their lanes at R13
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	VXORPD X8, X8, X8
	VXORPD X9, X9, X9
	VXORPD X10, X10, X10
	VXORPD X11, X11, X11
	MOVQ pass-8(SP), DX
	SHLQ $6, DX
	CMPQ DX, R15
	JGE  tail
	MOVQ next-32(SP), BX
	CMPQ R14, $3
	JEQ  threes

twos:
	TESTQ BX, BX
	JZ    two
	FETCH
	CMPQ  groups+40(FP), $1
	JNE   two
	FETCH

two:
	TWO
	ADDQ $256, DX
	CMPQ DX, R15
	JLT  twos
	JMP  blocked

threes:
	TESTQ BX, BX
	JZ    three
	FETCH
	CMPQ  groups+40(FP), $1
	JNE   three
	FETCH

three:
	THREE
	ADDQ $256, DX
	CMPQ DX, R15
	JLT  threes

blocked:
	MOVQ BX, next-32(SP)

	// 32 lanes to 8: (pass 0 + pass 1) + (pass 2 + pass 3)
	MOVQ pass-8(SP), BX
	CMPQ BX, $1
	JLT  store
	JEQ  second
	CMPQ BX, $3
	JLT  third
	ADDS(384)
	ADDS(0)

tail: // the elements after the last block, 8 at a time
	MOVQ R15, DX
	MOVQ n+32(FP), CX
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	CMPQ R14, $3
	JEQ  eight3
	TWO
	JMP  eight

eight3:
	THREE

eight:
	ADDQ $64, DX
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8, the rest of the registers zero
	TESTQ   CX, CX
	JZ      fold
	MASKS(CX, AX)
	VMOVUPD (AX), Y12
	LAST(0, SI, R8, Y0)
	LAST(0, DI, R8, Y2)
	LAST(0, SI, R9, Y4)
	LAST(0, DI, R9, Y6)
	CMPQ    R14, $3
	JNE     upper
	LAST(0, SI, R10, Y8)
	LAST(0, DI, R10, Y10)

upper:
	VMOVUPD 32(AX), Y12
	LAST(32, SI, R8, Y1)
	LAST(32, DI, R8, Y3)
	LAST(32, SI, R9, Y5)
	LAST(32, DI, R9, Y7)
	CMPQ    R14, $3
	JNE     fold
	LAST(32, SI, R10, Y9)
	LAST(32, DI, R10, Y11)

fold:
	MOVQ sums-24(SP), AX
	FOLD(0, Y0, X0, Y1, Y2, X2, Y3)
	FOLD(32, Y4, X4, Y5, Y6, X6, Y7)
	CMPQ R14, $3
	JNE  next
	FOLD(64, Y8, X8, Y9, Y10, X10, Y11)
	JMP  next

second:
	ADDS(0)

store:
	STORES(0)
	JMP next

third:
	STORES(384)

next: // the other two rows, the next group, the next pass
	ADDQ $768, R13
	ADDQ $16, sums-24(SP)
	MOVQ R11, SI
	MOVQ R12, DI
	DECQ pairs-48(SP)
	JNZ  pair
	DECQ R14
	SHLQ $5, R14
	ADDQ R14, sums-24(SP)
	MOVQ group-40(SP), CX
	INCQ CX
	CMPQ CX, groups+40(FP)
	JLT  group
	MOVQ pass-8(SP), BX
	INCQ BX
	CMPQ BX, $4
	JLT  pass
	VZEROUPPER
	RET
