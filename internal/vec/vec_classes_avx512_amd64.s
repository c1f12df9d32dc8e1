//go:build !purego

#include "textflag.h"

// Registers:
//
//	SI, DI   the next features, and the next elements of the group's vectors
//	DX       features left
//	R8, BX   the row and its length
//	R9       the next scores
//	CX       vectors left
//	R10, R11 in strides the next features and elements
//	AX, R12  8 times the sum's number; features of the strides left
//	K1       the mask of the last scores
//	Z0–Z7    v[0], …, v[7] of Dot for the vectors of a group
//	Z8–Z15   products
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of a feature, O bytes behind X, with its elements at W.
#define MUL(O, X, W, V) \
	VBROADCASTSD O(X), V       \
	VMULPD       (8*O)(W), V, V

// MAC adds such products to V. T is scratch.
#define MAC(O, X, W, V, T) \
	MUL(O, X, W, T) \
	VADDPD T, V, V

// func classesAVX512(dst, w, x *float64, d, k int)
TEXT ·classesAVX512(SB), NOSPLIT, $512-40
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
	MAC(0, SI, DI, Z0, Z8)
	MUL(8, SI, DI, Z1)
	MUL(16, SI, DI, Z2)
	MUL(24, SI, DI, Z3)
	MUL(32, SI, DI, Z4)
	MUL(40, SI, DI, Z5)
	MUL(48, SI, DI, Z6)
	MUL(56, SI, DI, Z7)
	JMP next

eights:
	MAC(0, SI, DI, Z0, Z8)
	MAC(8, SI, DI, Z1, Z9)
	MAC(16, SI, DI, Z2, Z10)
	MAC(24, SI, DI, Z3, Z11)
	MAC(32, SI, DI, Z4, Z12)
	MAC(40, SI, DI, Z5, Z13)
	MAC(48, SI, DI, Z6, Z14)
	MAC(56, SI, DI, Z7, Z15)

next:
	ADDQ $64, SI
	ADDQ $512, DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of the last features, less 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, SI, DI, Z0, Z8)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, SI, DI, Z1, Z9)
	JLT  fold
	MAC(16, SI, DI, Z2, Z10)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, SI, DI, Z3, Z11)
	JLT  fold
	MAC(32, SI, DI, Z4, Z12)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, SI, DI, Z5, Z13)
	JLT  fold
	MAC(48, SI, DI, Z6, Z14)

fold: // step 4 of Dot, and b
	SHLQ   $6, DX
	VADDPD Z4, Z0, Z0
	VADDPD Z5, Z1, Z1
	VADDPD Z6, Z2, Z2
	VADDPD Z7, Z3, Z3
	VADDPD Z2, Z0, Z0
	VADDPD Z3, Z1, Z1
	VADDPD Z1, Z0, Z0
	VADDPD 512(DI)(DX*1), Z0, Z0
	LEAQ   576(DI)(DX*1), DI
	SUBQ   $8, CX
	JLT    last
	VMOVUPD Z0, (R9)
	ADDQ   $64, R9
	TESTQ  CX, CX
	JNZ    group
	VZEROUPPER
	RET

last: // a group that is not full
	ADDQ    $8, CX
	MOVL    $1, AX
	SHLL    CX, AX
	DECL    AX
	KMOVW   AX, K1
	VMOVUPD Z0, K1, (R9)
	VZEROUPPER
	RET

strides: // steps 1 and 2 of Dot, for one v at a time: features 8 apart, in four lanes
	XORL AX, AX
	ANDQ $~31, DX

stride:
	LEAQ (SI)(AX*1), R10
	LEAQ (DI)(AX*8), R11
	MOVQ DX, R12
	MUL(0, R10, R11, Z8)
	MUL(64, R10, R11, Z9)
	MUL(128, R10, R11, Z10)
	MUL(192, R10, R11, Z11)
	JMP  more

lanes:
	MAC(0, R10, R11, Z8, Z12)
	MAC(64, R10, R11, Z9, Z13)
	MAC(128, R10, R11, Z10, Z14)
	MAC(192, R10, R11, Z11, Z15)

more:
	ADDQ    $256, R10
	ADDQ    $2048, R11
	SUBQ    $32, R12
	JNZ     lanes
	VADDPD  Z9, Z8, Z8
	VADDPD  Z11, Z10, Z10
	VADDPD  Z10, Z8, Z8
	VMOVUPD Z8, sums-512(SP)(AX*8)
	ADDQ    $8, AX
	CMPQ    AX, $64
	JLT     stride
	VADDPD  sums-512(SP), Z0, Z0
	VMOVUPD sums-448(SP), Z1
	VMOVUPD sums-384(SP), Z2
	VMOVUPD sums-320(SP), Z3
	VMOVUPD sums-256(SP), Z4
	VMOVUPD sums-192(SP), Z5
	VMOVUPD sums-128(SP), Z6
	VMOVUPD sums-64(SP), Z7
	LEAQ    (SI)(DX*8), SI
	MOVQ    DX, AX
	SHLQ    $6, AX
	ADDQ    AX, DI
	MOVQ    BX, DX
	ANDQ    $31, DX
	JMP     rest
