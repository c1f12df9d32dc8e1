//go:build !purego

#include "textflag.h"
#include "kernels_amd64.h"

// Registers of both products:
//
//	SI, R12       w and its length
//	R10, R11      the next index and its x
//	CX            the elements left
//	DX            the last index
//	AX to R14     the next indexes
//	Y0–Y7         lanes 0–3, 4–7, …, 28–31
//	Y8–Y11        elements of w, products

// NEXT sets J to the index at O. It is valid if it exceeds LAST, the index before it, and if BELOW
// finds that the last of some indexes is less than the length of w.
#define NEXT(O, J, LAST) \
	MOVL O(R10), J \
	CMPQ J, LAST   \
	JLE  invalid

#define BELOW(J) \
	CMPQ J, R12 \
	JGE  invalid

// FOUR sets Y to four products, from the elements at A, B, C and D of w and the x at O.
#define FOUR(A, B, C, D, O, X, Y, XT) \
	VMOVSD      (SI)(A*8), X      \
	VMOVHPD     (SI)(B*8), X, X   \
	VMOVSD      (SI)(C*8), XT     \
	VMOVHPD     (SI)(D*8), XT, XT \
	VINSERTF128 $1, XT, Y, Y      \
	VMULPD      O(R11), Y, Y

// EIGHT adds eight products to the lanes L and M.
#define EIGHT(L, M) \
	NEXT(0, AX, DX)                                \
	NEXT(4, BX, AX)                                \
	NEXT(8, R8, BX)                                \
	NEXT(12, R9, R8)                               \
	NEXT(16, DI, R9)                               \
	NEXT(20, R13, DI)                              \
	NEXT(24, R14, R13)                             \
	NEXT(28, DX, R14)                              \
	BELOW(DX)                                      \
	FOUR(AX, BX, R8, R9, 0, X8, Y8, X9)            \
	FOUR(DI, R13, R14, DX, 32, X10, Y10, X11)      \
	ADDQ   $32, R10                                \
	ADDQ   $64, R11                                \
	VADDPD Y8, L, L                                \
	VADDPD Y10, M, M

// func dotSparseAVX2(w *float64, d int, at *uint32, x *float64, z int) float64
TEXT ·dotSparseAVX2(SB), NOSPLIT, $0-48
#include "sparse_amd64.h"

// In dotPlacesAVX2 the indexes need not ascend, so each must be less than the length of w.
#undef NEXT
#define NEXT(O, J, LAST) \
	MOVL O(R10), J \
	CMPQ J, R12    \
	JGE  invalid

#undef BELOW
#define BELOW(J)

// func dotPlacesAVX2(w *float64, d int, at *uint32, x *float64, z int) float64
TEXT ·dotPlacesAVX2(SB), NOSPLIT, $0-48
#include "sparse_amd64.h"

// Registers:
//
//	DI             dst
//	SI, R13, R14   w, sum and low
//	R12            their length
//	R10, CX        the next index, and the number of indexes left
//	DX             the last index, or −1 if the indexes need not ascend
//	R9             0 if the indexes must ascend, else −1
//	AX, BX, R8, R11 the next indexes
//	Y15, Y14, Y13  n, the signs of four numbers, NaN where a mean is not finite
//	Y0–Y8          elements and sums

// NEXT sets J to the index at O.
#undef NEXT
#define NEXT(O, J) \
	MOVL O(R10), J \
	CMPQ J, DX     \
	JLE  invalid   \
	CMPQ J, R12    \
	JGE  invalid   \
	MOVQ J, DX     \
	ORQ  R9, DX

// GATHER sets Y to the elements of P at the next four indexes.
#define GATHER(P, X, Y) \
	VMOVSD      (P)(AX*8), X       \
	VMOVHPD     (P)(BX*8), X, X    \
	VMOVSD      (P)(R8*8), X8      \
	VMOVHPD     (P)(R11*8), X8, X8 \
	VINSERTF128 $1, X8, Y, Y

// MEAN sets Y5 to the means, from w, sum and low in Y0, Y1 and Y2, in the order of meanWithin.
#define MEAN \
	VMULPD      Y15, Y0, Y3 \ // p = n·w
	VFMSUB213PD Y3, Y15, Y0 \ // e = n·w − p
	VXORPD      Y14, Y1, Y1 \ // TwoSum of p and −sum: s, t and r
	VADDPD      Y1, Y3, Y5  \
	VSUBPD      Y3, Y5, Y6  \
	VSUBPD      Y6, Y5, Y7  \
	VSUBPD      Y7, Y3, Y7  \
	VSUBPD      Y6, Y1, Y1  \
	VADDPD      Y1, Y7, Y7  \
	VSUBPD      Y2, Y7, Y7  \ // (s + ((r − low) + e))/n
	VADDPD      Y0, Y7, Y7  \
	VADDPD      Y7, Y5, Y5  \
	VDIVPD      Y15, Y5, Y5 \
	VSUBPD      Y5, Y5, Y6  \
	VORPD       Y6, Y13, Y13

// func meansAVX2(dst, w, sum, low *float64, d int, n float64, at *uint32, z int, ordered bool) (valid, finite bool)
TEXT ·meansAVX2(SB), NOSPLIT, $0-74
	MOVQ         dst+0(FP), DI
	MOVQ         w+8(FP), SI
	MOVQ         sum+16(FP), R13
	MOVQ         low+24(FP), R14
	MOVQ         d+32(FP), R12
	VBROADCASTSD n+40(FP), Y15
	MOVQ         at+48(FP), R10
	MOVQ         z+56(FP), CX
	MOVBQZX      ordered+64(FP), R9
	DECQ         R9
	MOVQ         $-1, DX
	VPCMPEQD     Y14, Y14, Y14
	VPSLLQ       $63, Y14, Y14
	VXORPD       Y13, Y13, Y13
	SUBQ         $4, CX
	JLT          few

four:
	NEXT(0, AX)
	NEXT(4, BX)
	NEXT(8, R8)
	NEXT(12, R11)
	GATHER(SI, X0, Y0)
	GATHER(R13, X1, Y1)
	GATHER(R14, X2, Y2)
	MEAN
	VMOVUPD Y5, (DI)
	ADDQ    $16, R10
	ADDQ    $32, DI
	SUBQ    $4, CX
	JGE     four

few:
	ADDQ $4, CX
	JEQ  done

one:
	NEXT(0, AX)
	VMOVSD (SI)(AX*8), X0
	VMOVSD (R13)(AX*8), X1
	VMOVSD (R14)(AX*8), X2
	MEAN
	VMOVSD X5, (DI)
	ADDQ   $4, R10
	ADDQ   $8, DI
	DECQ   CX
	JNE    one

done:
	VPTEST Y13, Y13
	SETEQ  finite+73(FP)
	MOVB   $1, valid+72(FP)
	VZEROUPPER
	RET

invalid:
	MOVB $0, valid+72(FP)
	MOVB $0, finite+73(FP)
	VZEROUPPER
	RET

// Registers:
//
//	SI, R13      the elements of the four vectors, and 8k: the bytes from one element to the next
//	R8, R9, DX   the indexes and x of a pass, and the number of blocks
//	R10, R11     the next index and its x
//	CX           the blocks or elements left
//	DI           where this pass stores its lanes
//	AX           the place of an element
//	Y0–Y7        eight lanes of each of the four vectors

// ADD adds the products of the index at O and its x to the lane L of each vector.
#define ADD(O, L) \
	MOVL         O(R10), AX        \
	IMULQ        R13, AX           \
	VBROADCASTSD (2*O)(R11), Y8    \
	VMULPD       (SI)(AX*1), Y8, Y8 \
	VADDPD       Y8, L, L

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

// func scoresAVX2(scores, m *float64, k, d int, at *uint32, x *float64, z int)
TEXT ·scoresAVX2(SB), 0, $1024-56
	MOVQ   m+8(FP), SI
	MOVQ   k+16(FP), R13
	MOVQ   at+32(FP), R8
	MOVQ   x+40(FP), R9
	MOVQ   z+48(FP), DX
	SHLQ   $3, R13
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
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
	VXORPD  X0, X0, X0
	VXORPD  X1, X1, X1
	VXORPD  X2, X2, X2
	VXORPD  X3, X3, X3
	VXORPD  X4, X4, X4
	VXORPD  X5, X5, X5
	VXORPD  X6, X6, X6
	VXORPD  X7, X7, X7
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
	JEQ  sum
	ADD(0, Y0)
	DECQ CX
	JEQ  sum
	ADD(4, Y1)
	DECQ CX
	JEQ  sum
	ADD(8, Y2)
	DECQ CX
	JEQ  sum
	ADD(12, Y3)
	DECQ CX
	JEQ  sum
	ADD(16, Y4)
	DECQ CX
	JEQ  sum
	ADD(20, Y5)
	DECQ CX
	JEQ  sum
	ADD(24, Y6)

	// Step 4, and b.
sum:
	MOVQ    scores+0(FP), DI
	MOVQ    d+24(FP), AX
	IMULQ   R13, AX
	VADDPD  Y4, Y0, Y0
	VADDPD  Y5, Y1, Y1
	VADDPD  Y6, Y2, Y2
	VADDPD  Y7, Y3, Y3
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y1, Y1
	VADDPD  Y1, Y0, Y0
	VADDPD  (SI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

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
