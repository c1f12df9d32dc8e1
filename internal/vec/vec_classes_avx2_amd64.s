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
//	AX       scratch
//	Y0–Y7    v[0], …, v[7] of Dot for the vectors of a group
//	Y8–Y15   products
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of the feature O bytes behind SI with its elements.
#define MUL(O, V) \
	VBROADCASTSD O(SI), V       \
	VMULPD       (4*O)(DI), V, V

// MAC adds such products to V. T is scratch.
#define MAC(O, V, T) \
	MUL(O, T) \
	VADDPD T, V, V

// func classesAVX2(dst, w, x *float64, d, k int)
TEXT ·classesAVX2(SB), NOSPLIT, $0-40
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
	MAC(0, Y0, Y8)
	MUL(8, Y1)
	MUL(16, Y2)
	MUL(24, Y3)
	MUL(32, Y4)
	MUL(40, Y5)
	MUL(48, Y6)
	MUL(56, Y7)
	JMP next

eights:
	MAC(0, Y0, Y8)
	MAC(8, Y1, Y9)
	MAC(16, Y2, Y10)
	MAC(24, Y3, Y11)
	MAC(32, Y4, Y12)
	MAC(40, Y5, Y13)
	MAC(48, Y6, Y14)
	MAC(56, Y7, Y15)

next:
	ADDQ $64, SI
	ADDQ $256, DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of the last features, less 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, Y0, Y8)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, Y1, Y9)
	JLT  fold
	MAC(16, Y2, Y10)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, Y3, Y11)
	JLT  fold
	MAC(32, Y4, Y12)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, Y5, Y13)
	JLT  fold
	MAC(48, Y6, Y14)

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
