//go:build !purego

#include "textflag.h"
#include "kernels_amd64.h"

// Registers of the products:
//
//	SI, R12         w and its length
//	R9, DI          sum and low, of the products with means
//	R10, R11        the next index and its x
//	CX              the elements left
//	DX              the last index
//	AX, BX, R8, DX  the next indexes
//	Y0–Y7           lanes 0–3, 4–7, …, 28–31
//	Y8              elements of w, products
//	Y9–Y14          scratch
//	Y15             n, of the products with means

// NEXT sets J to the index at O. It is valid if it exceeds LAST, the index before it, and if BELOW
// finds that the last of some indexes is less than the length of w.
#define NEXT(O, J, LAST) \
	MOVL O(R10), J \
	CMPQ J, LAST   \
	JLE  invalid

#define BELOW(J) \
	CMPQ J, R12 \
	JGE  invalid

// GATHER sets Y, whose lower half is X, to the elements of P at AX, BX, R8 and DX.
#define GATHER(P, X, Y) \
	VMOVSD      (P)(AX*8), X      \
	VMOVHPD     (P)(BX*8), X, X   \
	VMOVSD      (P)(R8*8), X9     \
	VMOVHPD     (P)(DX*8), X9, X9 \
	VINSERTF128 $1, X9, Y, Y

// FOUR sets Y8 to the products of the four indexes at O and their x.
#define FOUR(O) \
	NEXT(O, AX, DX)           \
	NEXT((O+4), BX, AX)       \
	NEXT((O+8), R8, BX)       \
	NEXT((O+12), DX, R8)      \
	BELOW(DX)                 \
	GATHER(SI, X8, Y8)        \
	MEANS4                    \
	VMULPD (2*O)(R11), Y8, Y8

// EIGHT adds eight products to the lanes L and M.
#define EIGHT(L, M) \
	FOUR(0)          \
	VADDPD Y8, L, L  \
	FOUR(16)         \
	VADDPD Y8, M, M  \
	ADDQ   $32, R10  \
	ADDQ   $64, R11

// ONE sets X, the lower half of Y, to the product of the index J at O and its x. It counts CX down.
#define ONE(O, J, LAST, X, Y) \
	NEXT(O, J, LAST)        \
	BELOW(J)                \
	VMOVSD (SI)(J*8), X     \
	MEAN1(J, Y)             \
	VMULSD (2*O)(R11), X, X \
	DECQ   CX

// The products with w itself compute no means.
#define MEANS4
#define MEAN1(J, Y)

// func dotSparseAVX2(w *float64, d int, at *uint32, x *float64, z int) float64
TEXT ·dotSparseAVX2(SB), NOSPLIT, $0-48
#include "sparse_amd64.h"
	VMOVSD X0, ret+40(FP)
	RET

// In the other products the indexes need not ascend, so each must be less than the length of w.
#undef NEXT
#define NEXT(O, J, LAST) \
	MOVL O(R10), J \
	CMPQ J, R12    \
	JGE  invalid

#undef BELOW
#define BELOW(J)

// MEAN sets W to the means of the elements W, of sum in Y12, and of low in Y13. With p = n·w rounded,
// its rounding error e, and s + r = p − sum, the mean is (s + ((r − low) + e))/n.
#define MEAN(W) \
	VMULPD      W, Y15, Y10   \
	VFMSUB213PD Y10, Y15, W   \
	VSUBPD      Y12, Y10, Y11 \
	VSUBPD      Y10, Y11, Y14 \
	VADDPD      Y14, Y12, Y12 \
	VSUBPD      Y14, Y11, Y14 \
	VSUBPD      Y14, Y10, Y10 \
	VSUBPD      Y12, Y10, Y10 \
	VSUBPD      Y13, Y10, Y10 \
	VADDPD      W, Y10, Y10   \
	VADDPD      Y10, Y11, W   \
	VDIVPD      Y15, W, W

#undef MEANS4
#define MEANS4 \
	GATHER(R9, X12, Y12) \
	GATHER(DI, X13, Y13) \
	MEAN(Y8)

#undef MEAN1
#define MEAN1(J, Y) \
	VMOVSD (R9)(J*8), X12 \
	VMOVSD (DI)(J*8), X13 \
	MEAN(Y)

// func dotMeansAVX2(w *float64, d int, at *uint32, x *float64, z int, sum, low *float64, n float64) float64
TEXT ·dotMeansAVX2(SB), NOSPLIT, $0-72
	MOVQ         sum+40(FP), R9
	MOVQ         low+48(FP), DI
	VBROADCASTSD n+56(FP), Y15
#include "sparse_amd64.h"
	VMOVSD X0, ret+64(FP)
	RET

// Registers:
//
//	SI, R13      the elements of the four vectors, and 8k: the bytes from one element to the next
//	R8, R9, DX   the indexes and x of a pass, and the number of blocks
//	R10, R11     the next index and its x
//	CX           the blocks or elements left
//	DI           where this pass stores its lanes
//	R12          the elements of a vector
//	AX           an index, the place of its elements
//	Y0–Y7        eight lanes of each of the four vectors

// ADD adds the products of the index at O and its x to the lane L of each vector. It checks the index
// each time it reads it, because another goroutine may change it meanwhile.
#define ADD(O, L) \
	MOVL         O(R10), AX        \
	CMPQ         AX, R12           \
	JGE          invalid           \
	IMULQ        R13, AX           \
	VBROADCASTSD (2*O)(R11), Y8    \
	VMULPD       (SI)(AX*1), Y8, Y8 \
	VADDPD       Y8, L, L

// ADD1 is ADD if an element is left. It counts CX down.
#define ADD1(O, L) \
	DECQ CX   \
	JLT  sum  \
	ADD(O, L)

#define ADD8 \
	ADD(0, Y0)  \
	ADD(4, Y1)  \
	ADD(8, Y2)  \
	ADD(12, Y3) \
	ADD(16, Y4) \
	ADD(20, Y5) \
	ADD(24, Y6) \
	ADD(28, Y7)

// FOLD sets Y to the fold of the lanes that the four passes have stored at J.
#define FOLD(J, Y) \
	VMOVUPD J(SP), Y           \
	VADDPD  (J+256)(SP), Y, Y \
	VMOVUPD (J+512)(SP), Y8   \
	VADDPD  (J+768)(SP), Y8, Y8 \
	VADDPD  Y8, Y, Y

// func productsAVX2(products, m *float64, k, d int, at *uint32, x *float64, z int)
TEXT ·productsAVX2(SB), 0, $1024-56
	MOVQ   m+8(FP), SI
	MOVQ   k+16(FP), R13
	MOVQ   d+24(FP), R12
	MOVQ   at+32(FP), R8
	MOVQ   x+40(FP), R9
	MOVQ   z+48(FP), DX
	SHLQ   $3, R13
	CLEAR2
	CLEAR6
	MOVQ   R8, R10
	MOVQ   R9, R11
	SHRQ   $5, DX
	JEQ    last

	// Step 1 of Dot's order: each of four passes adds to eight of the 32 lanes.
	MOVQ SP, DI
	LEAQ 1024(SP), BX

pass:
	MOVQ R8, R10
	MOVQ R9, R11
	MOVQ DX, CX

block:
	ADD8
	ADDQ    $128, R10
	ADDQ    $256, R11
	DECQ    CX
	JNE     block
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	CLEAR2
	CLEAR6
	ADDQ    $32, R8
	ADDQ    $64, R9
	ADDQ    $256, DI
	CMPQ    DI, BX
	JNE     pass

	// Step 2. The last pass has ended 24 elements too far.
	FOLD(0, Y0)
	FOLD(32, Y1)
	FOLD(64, Y2)
	FOLD(96, Y3)
	FOLD(128, Y4)
	FOLD(160, Y5)
	FOLD(192, Y6)
	FOLD(224, Y7)
	SUBQ $96, R10
	SUBQ $192, R11

	// Step 3.
last:
	MOVQ z+48(FP), CX
	ANDQ $31, CX
	SUBQ $8, CX
	JLT  few

eight:
	ADD8
	ADDQ $32, R10
	ADDQ $64, R11
	SUBQ $8, CX
	JGE  eight

few:
	ADDQ $8, CX
	ADD1(0, Y0)
	ADD1(4, Y1)
	ADD1(8, Y2)
	ADD1(12, Y3)
	ADD1(16, Y4)
	ADD1(20, Y5)
	ADD1(24, Y6)

	// Step 4.
sum:
	FOLD1(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)

store:
	MOVQ    products+0(FP), DI
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

invalid:
	VPCMPEQD Y0, Y0, Y0 // NaN
	JMP      store

// AX points to the next cache line, CX to the last byte.

// func fetchLines(p unsafe.Pointer, n int)
TEXT ·fetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), CX
	LEAQ -1(AX)(CX*1), CX

loop:
	PREFETCHT0 (AX)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        loop
	PREFETCHT0 (CX)
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
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)
	PREFETCHT0 64(BX)      // which may be after the last line
	ADDQ       $64, AX
	ADDQ       $128, BX
	SUBQ       $16, CX
	JGT        both
	PREFETCHT0 (DI)
	PREFETCHT0 (SI)
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
