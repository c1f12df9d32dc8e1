//go:build !purego

#include "textflag.h"

// Registers:
//
//	SI, DI   the next features, and the next elements of the group's vectors
//	DX       features left
//	R8, BX   the row and its length
//	R9       the next scores
//	CX       vectors left
//	AX       scratch
//	K1       the mask of the last scores
//	Z0–Z7    v[0], …, v[7] of Dot for the vectors of a group
//	Z8–Z15   products
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of the feature O bytes behind SI with its elements.
#define MUL(O, V) \
	VBROADCASTSD O(SI), V       \
	VMULPD       (8*O)(DI), V, V

// MAC adds such products to V. T is scratch.
#define MAC(O, V, T) \
	MUL(O, T) \
	VADDPD T, V, V

// func classesAVX512(dst, w, x *float64, d, k int)
TEXT ·classesAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), R9
	MOVQ w+8(FP), DI
	MOVQ x+16(FP), R8
	MOVQ d+24(FP), BX
	MOVQ k+32(FP), CX

group:
	MOVQ   R8, SI
	MOVQ   BX, DX
	VXORPD X0, X0, X0
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
	MAC(0, Z0, Z8)
	MUL(8, Z1)
	MUL(16, Z2)
	MUL(24, Z3)
	MUL(32, Z4)
	MUL(40, Z5)
	MUL(48, Z6)
	MUL(56, Z7)
	JMP next

eights:
	MAC(0, Z0, Z8)
	MAC(8, Z1, Z9)
	MAC(16, Z2, Z10)
	MAC(24, Z3, Z11)
	MAC(32, Z4, Z12)
	MAC(40, Z5, Z13)
	MAC(48, Z6, Z14)
	MAC(56, Z7, Z15)

next:
	ADDQ $64, SI
	ADDQ $512, DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of the last features, less 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, Z0, Z8)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, Z1, Z9)
	JLT  fold
	MAC(16, Z2, Z10)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, Z3, Z11)
	JLT  fold
	MAC(32, Z4, Z12)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, Z5, Z13)
	JLT  fold
	MAC(48, Z6, Z14)

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
