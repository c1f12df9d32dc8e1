//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "vec_amd64.h"

// Registers:
//
//	R8–R10   the rows' slices, their labels and their order, for INDEX
//	R12, BX  the position, and d
//	R15      the row
//	SI, DI   the next features, and the next elements of the group's vectors
//	DX       features left
//	R11, CX  the next scores and classes; then CX counts
//	R13      the score of the label's class
//	R14      groups left
//	AX       scratch
//	K1       masks
//	Z0–Z7    v[0], …, v[7] of Dot for the vectors of a group
//	Z8       products; then the score of the label's class
//	Z9–Z11   the label, θ, and the largest float64
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of the feature O bytes behind SI with its elements.
#define MUL(O, V) \
	VBROADCASTSD O(SI), V       \
	VMULPD       (8*O)(DI), V, V

// MAC adds such products to V.
#define MAC(O, V) \
	MUL(O, Z8) \
	VADDPD Z8, V, V

// func classesAVX512(c *Classes, l *Lesson, pos, end int) (next int)
TEXT ·classesAVX512(SB), NOSPLIT, $0-40
	MOVQ         c+0(FP), AX
	MOVQ         l+8(FP), DX
	MOVQ         pos+16(FP), R12
	MOVQ         Classes_d(AX), BX
	MOVQ         Classes_scores(AX), R13
	ORDERED
	MOVQ         $0x7fefffffffffffff, AX
	VMOVQ        AX, X11
	VBROADCASTSD X11, Z11
	VBROADCASTSD Lesson_Theta(DX), Z10

next:
	MOVQ  R12, CX
	TESTQ R10, R10
	JNZ   index

row:
	VPBROADCASTQ (R9)(CX*8), Z9
	LEAQ         (CX)(CX*2), AX
	MOVQ         (R8)(AX*8), R15
	MOVQ         c+0(FP), AX
	MOVQ         Classes_w(AX), DI
	MOVQ         Classes_scores(AX), R11
	MOVQ         Classes_classes(AX), CX
	MOVQ         Classes_groups(AX), R14

group:
	MOVQ   R15, SI
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
	MAC(0, Z0)
	MUL(8, Z1)
	MUL(16, Z2)
	MUL(24, Z3)
	MUL(32, Z4)
	MUL(40, Z5)
	MUL(48, Z6)
	MUL(56, Z7)
	JMP more

eights:
	MAC(0, Z0)
	MAC(8, Z1)
	MAC(16, Z2)
	MAC(24, Z3)
	MAC(32, Z4)
	MAC(40, Z5)
	MAC(48, Z6)
	MAC(56, Z7)

more:
	ADDQ $64, SI
	ADDQ $512, DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of the last features, less 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, Z0)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, Z1)
	JLT  fold
	MAC(16, Z2)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, Z3)
	JLT  fold
	MAC(32, Z4)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, Z5)
	JLT  fold
	MAC(48, Z6)

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
	VMOVUPD Z0, (R11)

	// Of the label's class, R13 is where the score is.
	VPCMPEQQ (CX), Z9, K1
	KMOVW    K1, AX
	BSFL     AX, AX
	LEAQ     (R11)(AX*8), AX
	CMOVQNE  AX, R13
	ADDQ     $64, R11
	ADDQ     $64, CX
	DECQ     R14
	JNZ      group

	VBROADCASTSD (R13), Z8
	MOVQ         c+0(FP), AX
	MOVQ         l+8(FP), DX
	MOVQ         Classes_scores(AX), R11
	MOVQ         Classes_groups(AX), R14
	MOVQ         Classes_fill(AX), CX

compare:
	VSUBPD  (R11), Z8, Z0
	VCMPPD  $0x1e, Z10, Z0, K1     // greater than θ
	VCMPPD  $0x12, Z11, Z0, K1, K1 // and finite
	KMOVW   K1, AX
	POPCNTL AX, AX
	ADDQ    AX, CX
	ADDQ    $64, R11
	DECQ    R14
	JNZ     compare
	TESTQ   CX, CX
	JNE     stop
	INCQ    R12
	CMPQ    R12, end+24(FP)
	JLT     next

stop:
	MOVQ R12, next+32(FP)
	VZEROUPPER
	RET

index:
	INDEX
