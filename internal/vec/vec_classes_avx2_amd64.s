//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// Registers:
//
//	SI, DI   the next features, and the next elements of the group's vectors
//	DX       features left
//	R8, BX   the row and its length
//	R9       the next scores
//	CX       vectors left
//	R10, R11 in strides the next features and elements
//	AX, R12  8 times the sum's number; features of the strides left
//	Y0–Y7    v[0], …, v[7] of Dot for the vectors of a group
//	Y8–Y15   products
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of a feature, O bytes behind X, with its elements at W.
#define MUL(O, X, W, V) \
	VBROADCASTSD O(X), V       \
	VMULPD       (4*O)(W), V, V

// MAC adds such products to V. T is scratch.
#define MAC(O, X, W, V, T) \
	MUL(O, X, W, T) \
	VADDPD T, V, V

// func classesAVX2(dst, w, x *float64, d, k int)
TEXT ·classesAVX2(SB), NOSPLIT, $256-40
	MOVQ dst+0(FP), R9
	MOVQ w+8(FP), DI
	MOVQ x+16(FP), R8
	MOVQ d+24(FP), BX
	MOVQ k+32(FP), CX

group:
	MOVQ   R8, SI
	MOVQ   BX, DX
	VXORPD X0, X0, X0
	CMPQ   DX, $32
	JGE    strides
	SUBQ   $8, DX
	JGE    first
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	JMP    tail

first: // a sum is its first product; v[0] adds it to +0, which alone keeps the score from −0
	MAC(0, SI, DI, Y0, Y8)
	MUL(8, SI, DI, Y1)
	MUL(16, SI, DI, Y2)
	MUL(24, SI, DI, Y3)
	MUL(32, SI, DI, Y4)
	MUL(40, SI, DI, Y5)
	MUL(48, SI, DI, Y6)
	MUL(56, SI, DI, Y7)
	JMP next

eights:
	MAC(0, SI, DI, Y0, Y8)
	MAC(8, SI, DI, Y1, Y9)
	MAC(16, SI, DI, Y2, Y10)
	MAC(24, SI, DI, Y3, Y11)
	MAC(32, SI, DI, Y4, Y12)
	MAC(40, SI, DI, Y5, Y13)
	MAC(48, SI, DI, Y6, Y14)
	MAC(56, SI, DI, Y7, Y15)

next:
	ADDQ $64, SI
	ADDQ $256, DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of the last features, less 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, SI, DI, Y0, Y8)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, SI, DI, Y1, Y9)
	JLT  fold
	MAC(16, SI, DI, Y2, Y10)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, SI, DI, Y3, Y11)
	JLT  fold
	MAC(32, SI, DI, Y4, Y12)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, SI, DI, Y5, Y13)
	JLT  fold
	MAC(48, SI, DI, Y6, Y14)

fold: // step 4 of Dot, and b
	SHLQ   $5, DX
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1
	VADDPD Y6, Y2, Y2
	VADDPD Y7, Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y1, Y0, Y0
	VADDPD 256(DI)(DX*1), Y0, Y0
	LEAQ   288(DI)(DX*1), DI
	SUBQ   $4, CX
	JLT    last
	VMOVUPD Y0, (R9)
	ADDQ   $32, R9
	TESTQ  CX, CX
	JNZ    group
	VZEROUPPER
	RET

last: // a group that is not full
	ADDQ       $4, CX
	MASKS(CX, AX)
	VMOVUPD    (AX), Y1
	VMASKMOVPD Y0, Y1, (R9)
	VZEROUPPER
	RET

strides: // steps 1 and 2 of Dot, for one v at a time: features 8 apart, in four lanes
	XORL AX, AX
	ANDQ $~31, DX

stride:
	LEAQ (SI)(AX*1), R10
	LEAQ (DI)(AX*4), R11
	MOVQ DX, R12
	MUL(0, R10, R11, Y8)
	MUL(64, R10, R11, Y9)
	MUL(128, R10, R11, Y10)
	MUL(192, R10, R11, Y11)
	JMP  more

lanes:
	MAC(0, R10, R11, Y8, Y12)
	MAC(64, R10, R11, Y9, Y13)
	MAC(128, R10, R11, Y10, Y14)
	MAC(192, R10, R11, Y11, Y15)

more:
	ADDQ    $256, R10
	ADDQ    $1024, R11
	SUBQ    $32, R12
	JNZ     lanes
	VADDPD  Y9, Y8, Y8
	VADDPD  Y11, Y10, Y10
	VADDPD  Y10, Y8, Y8
	VMOVUPD Y8, sums-256(SP)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, $64
	JLT     stride
	VADDPD  sums-256(SP), Y0, Y0
	VMOVUPD sums-224(SP), Y1
	VMOVUPD sums-192(SP), Y2
	VMOVUPD sums-160(SP), Y3
	VMOVUPD sums-128(SP), Y4
	VMOVUPD sums-96(SP), Y5
	VMOVUPD sums-64(SP), Y6
	VMOVUPD sums-32(SP), Y7
	LEAQ    (SI)(DX*8), SI
	MOVQ    DX, AX
	SHLQ    $5, AX
	ADDQ    AX, DI
	MOVQ    BX, DX
	ANDQ    $31, DX
	JMP     rest
