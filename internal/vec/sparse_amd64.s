//go:build !purego

#include "textflag.h"

// Registers:
//
//	SI, R8, R9  w, sum and low
//	R10, R11    the next index and its x
//	CX          the indexes left
//	R12         the end of the indexes of this step
//	R13         31 in step 1, 7 in step 3: the lane of an index
//	DX          the last index
//	DI          the lanes, in the frame
//	AX, BX, R14 the next indexes, their lanes
//	Y15, Y14    n, and the sign bits alone
//	Y0–Y7       elements, products and scratch

// GATHER sets Y, whose halves are X and XT, to the elements at AX, BX, R14 and DX of P.
#define GATHER(P, X, Y, XT) \
	VMOVSD      (P)(AX*8), X        \
	VMOVHPD     (P)(BX*8), X, X     \
	VMOVSD      (P)(R14*8), XT      \
	VMOVHPD     (P)(DX*8), XT, XT   \
	VINSERTF128 $1, XT, Y, Y

// MEAN sets W to the means of the elements W, U and LOW: with p = n·w rounded, its rounding error
// e, and s + r = p − u, the mean is (s + ((r − low) + e))/n. It changes U, and P to T are scratch.
#define MEAN(W, U, LOW, N, SIGN, P, S, T) \
	VMULPD      W, N, P   \
	VFMSUB213PD P, N, W   \
	VXORPD      SIGN, U, U \
	VADDPD      U, P, S   \
	VSUBPD      P, S, T   \
	VSUBPD      T, U, U   \
	VSUBPD      T, S, T   \
	VSUBPD      T, P, P   \
	VADDPD      U, P, P   \
	VSUBPD      LOW, P, P \
	VADDPD      W, P, P   \
	VADDPD      P, S, S   \
	VDIVPD      N, S, W

// ADD adds the lower element of X to the lane at J. T is scratch.
#define ADD(X, J, T) \
	VADDSD (DI)(J*8), X, T \
	VMOVSD T, (DI)(J*8)

// FOLD sets X to the fold of the lanes at J, J + 64, J + 128 and J + 192. It changes X8.
#define FOLD(J, X) \
	VMOVSD J(DI), X          \
	VADDSD (J+64)(DI), X, X  \
	VMOVSD (J+128)(DI), X8   \
	VADDSD (J+192)(DI), X8, X8 \
	VADDSD X8, X, X

// func dotMeansAVX2(w, sum, low *float64, n float64, d int, at *uint32, x *float64, z int) float64
TEXT ·dotMeansAVX2(SB), NOSPLIT, $256-72
	MOVQ         w+0(FP), SI
	MOVQ         sum+8(FP), R8
	MOVQ         low+16(FP), R9
	VBROADCASTSD n+24(FP), Y15
	MOVQ         d+32(FP), R12
	MOVQ         at+40(FP), R10
	MOVQ         x+48(FP), R11
	MOVQ         z+56(FP), CX
	LEAQ         lanes-256(SP), DI
	MOVQ         $31, R13
	MOVQ         $-1, DX
	ANDQ         $~31, R12
	VPCMPEQD     Y14, Y14, Y14
	VPSLLQ       $63, Y14, Y14
	VXORPD       X0, X0, X0
	VMOVUPD      Y0, (DI)
	VMOVUPD      Y0, 32(DI)
	VMOVUPD      Y0, 64(DI)
	VMOVUPD      Y0, 96(DI)
	VMOVUPD      Y0, 128(DI)
	VMOVUPD      Y0, 160(DI)
	VMOVUPD      Y0, 192(DI)
	VMOVUPD      Y0, 224(DI)
	SUBQ         $4, CX
	JLT          rest

	// Four indexes of step 1 at a time.
four:
	MOVL 0(R10), AX
	CMPQ AX, DX
	JLE  invalid
	MOVL 4(R10), BX
	CMPQ BX, AX
	JLE  invalid
	MOVL 8(R10), R14
	CMPQ R14, BX
	JLE  invalid
	LEAQ -1(AX), DX // less than AX, because rest may begin with the index in AX
	MOVL 12(R10), R15
	CMPQ R15, R12
	JGE  rest
	MOVQ R15, DX
	CMPQ DX, R14
	JLE  invalid
	GATHER(SI, X0, Y0, X3)
	GATHER(R8, X1, Y1, X3)
	GATHER(R9, X2, Y2, X3)
	MEAN(Y0, Y1, Y2, Y15, Y14, Y3, Y4, Y5)
	VMULPD       (R11), Y0, Y0
	ANDL         $31, AX
	ANDL         $31, BX
	ANDL         $31, R14
	ANDL         $31, R15
	VPERMILPD    $1, X0, X1
	VEXTRACTF128 $1, Y0, X2
	VPERMILPD    $1, X2, X3
	ADD(X0, AX, X4)
	ADD(X1, BX, X5)
	ADD(X2, R14, X6)
	ADD(X3, R15, X7)
	ADDQ         $16, R10
	ADDQ         $32, R11
	SUBQ         $4, CX
	JGE          four

rest:
	ADDQ $4, CX
	JEQ  fold

one:
	MOVL   (R10), AX
	CMPQ   AX, R12
	JGE    fold
	CMPQ   AX, DX
	JLE    invalid
	MOVQ   AX, DX
	VMOVSD (SI)(AX*8), X0
	VMOVSD (R8)(AX*8), X1
	VMOVSD (R9)(AX*8), X2
	MEAN(Y0, Y1, Y2, Y15, Y14, Y3, Y4, Y5)
	VMULSD (R11), X0, X0
	ANDQ   R13, AX
	ADD(X0, AX, X1)
	ADDQ   $4, R10
	ADDQ   $8, R11
	DECQ   CX
	JNE    one

	// After step 1, step 2 folds the lanes to 8. It reads the lanes one by one, as they were written,
	// because a wider load would wait until the stores are in the cache.
fold:
	CMPQ R13, $7
	JEQ  last
	FOLD(0, X0)
	FOLD(8, X1)
	FOLD(16, X2)
	FOLD(24, X3)
	FOLD(32, X4)
	FOLD(40, X5)
	FOLD(48, X6)
	FOLD(56, X7)
	TESTQ  CX, CX
	JEQ    sum
	VMOVSD X0, (DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	VMOVSD X4, 32(DI)
	VMOVSD X5, 40(DI)
	VMOVSD X6, 48(DI)
	VMOVSD X7, 56(DI)
	MOVQ   $7, R13
	MOVQ   d+32(FP), R12
	JMP    one

last:
	TESTQ  CX, CX // if an index is left, it is not less than d
	JNE    invalid
	VMOVSD (DI), X0
	VMOVSD 8(DI), X1
	VMOVSD 16(DI), X2
	VMOVSD 24(DI), X3
	VMOVSD 32(DI), X4
	VMOVSD 40(DI), X5
	VMOVSD 48(DI), X6
	VMOVSD 56(DI), X7

	// Step 4.
sum:
	VADDSD X4, X0, X0
	VADDSD X5, X1, X1
	VADDSD X6, X2, X2
	VADDSD X7, X3, X3
	VADDSD X2, X0, X0
	VADDSD X3, X1, X1
	VADDSD X1, X0, X0
	VZEROUPPER
	VMOVSD X0, ret+64(FP)
	RET

invalid:
	VPCMPEQD X0, X0, X0 // NaN
	VZEROUPPER
	VMOVSD   X0, ret+64(FP)
	RET

// DI lanes, SI rows, R8 the next index, R9 its x, CX the indexes left, DX n, R10 8n, R13 8k
// R12 mask, AX the next element of the row, BX that of the lane, R11 the elements left
// Y0 x[t], Y1 products and sums

// func addRowsAVX2(lanes, rows *float64, n, k int, at *uint32, x *float64, z, mask int)
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-64
	MOVQ lanes+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ k+24(FP), R13
	MOVQ at+32(FP), R8
	MOVQ x+40(FP), R9
	MOVQ z+48(FP), CX
	MOVQ mask+56(FP), R12
	LEAQ (DX*8), R10
	SHLQ $3, R13

index:
	MOVL         (R8), AX
	MOVQ         AX, BX
	ANDQ         R12, BX
	IMULQ        R13, AX
	IMULQ        R10, BX
	ADDQ         SI, AX
	ADDQ         DI, BX
	VBROADCASTSD (R9), Y0
	MOVQ         DX, R11
	SUBQ         $4, R11
	JLT          rest

	// Four vectors at a time.
four:
	VMULPD  (AX), Y0, Y1
	VADDPD  (BX), Y1, Y1
	VMOVUPD Y1, (BX)
	ADDQ    $32, AX
	ADDQ    $32, BX
	SUBQ    $4, R11
	JGE     four

	// The last n mod 4 vectors.
rest:
	ADDQ $4, R11
	JEQ  next

one:
	VMULSD (AX), X0, X1
	VADDSD (BX), X1, X1
	VMOVSD X1, (BX)
	ADDQ   $8, AX
	ADDQ   $8, BX
	DECQ   R11
	JNE    one

next:
	ADDQ $4, R8
	ADDQ $8, R9
	DECQ CX
	JNE  index
	VZEROUPPER
	RET

// SI, AX  the next lanes of the first and of the third quarter
// DX      the bytes of a quarter
// DI, CX  the next of last, and the elements left

// func foldRowsAVX2(lanes, last *float64, n int)
TEXT ·foldRowsAVX2(SB), NOSPLIT, $0-24
	MOVQ lanes+0(FP), SI
	MOVQ last+8(FP), DI
	MOVQ n+16(FP), CX
	LEAQ (CX*8), DX
	LEAQ (SI)(DX*2), AX

eight:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD (AX), Y2
	VMOVUPD 32(AX), Y3
	VADDPD  (SI)(DX*1), Y0, Y0
	VADDPD  32(SI)(DX*1), Y1, Y1
	VADDPD  (AX)(DX*1), Y2, Y2
	VADDPD  32(AX)(DX*1), Y3, Y3
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, AX
	ADDQ    $64, DI
	SUBQ    $8, CX
	JNE     eight
	VZEROUPPER
	RET

// AX points to the next cache line, CX to the last byte.

// func fetchLines(p unsafe.Pointer, n int)
TEXT ·fetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), CX
	LEAQ -1(AX)(CX*1), CX

loop:
	PREFETCHT1 (AX)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        loop
	PREFETCHT1 (CX)
	RET

// Registers:
//
//	AX, BX  the next lines of the indexes and of the elements
//	CX      the elements left
//	DI, SI  the last bytes of both

// func fetchSparse(at *uint32, x *float64, n int)
TEXT ·fetchSparse(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), AX
	MOVQ x+8(FP), BX
	MOVQ n+16(FP), CX
	LEAQ -1(AX)(CX*4), DI
	LEAQ -1(BX)(CX*8), SI

both:
	PREFETCHT1 (AX)
	PREFETCHT1 (BX)
	PREFETCHT1 64(BX)      // which may be after the last line
	ADDQ       $64, AX
	ADDQ       $128, BX
	SUBQ       $16, CX
	JGT        both
	PREFETCHT1 (DI)
	PREFETCHT1 (SI)
	RET

// Registers:
//
//	BX      the elements
//	SI, CX  the next index, and the end of the indexes
//	DX      the size of an element
//	AX, DI  the next cache line of an element, and its last byte

// func fetchEach(p unsafe.Pointer, at *uint32, n, size int)
TEXT ·fetchEach(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), BX
	MOVQ at+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ size+24(FP), DX
	LEAQ (SI)(CX*4), CX
	JMP  test

each:
	MOVL       (SI), AX
	ADDQ       $4, SI
	IMULQ      DX, AX
	ADDQ       BX, AX
	PREFETCHT1 (AX)
	CMPQ       DX, $8
	JEQ        test      // one element is in one line
	LEAQ       -1(AX)(DX*1), DI

lines:
	ADDQ       $64, AX
	PREFETCHT1 (AX)      // the last line, perhaps a second time
	CMPQ       AX, DI
	JLT        lines

test:
	CMPQ SI, CX
	JB   each
	RET
