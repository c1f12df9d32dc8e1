// The body of scanAVX2 and scanAVX512. Each defines V0 to V11, of WIDTH = 1<<SHIFT bytes.
//
// Registers:
//
//	R8–R10   the rows' slices, their labels and their order, for INDEX
//	R12, BX  the position, and d
//	R15      the row
//	SI, DI   the next elements of the row, and those of the group's vectors
//	DX       elements of the row left
//	R11, CX  the next scores and classes; then CX counts
//	R13      the score of the label's class
//	R14      groups left
//	AX       scratch
//	V0–V7    v[0], …, v[7] of Dot for the vectors of a group
//	V8       products; then the score of the label's class
//	V9–V11   the label, θ, and the largest float64
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// MUL sets V to the products of the element O bytes after SI with the elements of the group's
// vectors at the same position.
#define MUL(O, V) \
	VBROADCASTSD O(SI), V           \
	VMULPD       (WIDTH/8*O)(DI), V, V

// MAC adds such products to V.
#define MAC(O, V) \
	MUL(O, V8) \
	VADDPD V8, V, V

	MOVQ         c+0(FP), AX
	MOVQ         l+8(FP), DX
	MOVQ         pos+16(FP), R12
	MOVQ         Classes_d(AX), BX
	MOVQ         Classes_scores(AX), R13
	ORDERED
	MOVQ         $0x7fefffffffffffff, AX
	VMOVQ        AX, X11
	VBROADCASTSD X11, V11
	VBROADCASTSD Lesson_Theta(DX), V10

next:
	MOVQ  R12, CX
	TESTQ R10, R10
	JNZ   index

row:
	VPBROADCASTQ (R9)(CX*8), V9
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
	CLEAR6
	JMP    tail

first: // products become the sums; v[0] alone adds one to +0, so that the score is never −0
	MAC(0, V0)
	MUL(8, V1)
	MUL(16, V2)
	MUL(24, V3)
	MUL(32, V4)
	MUL(40, V5)
	MUL(48, V6)
	MUL(56, V7)
	JMP more

eights:
	MAC(0, V0)
	MAC(8, V1)
	MAC(16, V2)
	MAC(24, V3)
	MAC(32, V4)
	MAC(40, V5)
	MAC(48, V6)
	MAC(56, V7)

more:
	ADDQ $64, SI
	ADDQ $(8*WIDTH), DI

rest:
	SUBQ $8, DX
	JGE  eights

tail: // DX is the number of elements left, minus 8
	CMPQ DX, $-7
	JLT  fold
	MAC(0, V0)
	JEQ  fold
	CMPQ DX, $-5
	MAC(8, V1)
	JLT  fold
	MAC(16, V2)
	JEQ  fold
	CMPQ DX, $-3
	MAC(24, V3)
	JLT  fold
	MAC(32, V4)
	JEQ  fold
	CMPQ DX, $-1
	MAC(40, V5)
	JLT  fold
	MAC(48, V6)

fold: // step 4 of Dot, and b
	SHLQ   $SHIFT, DX
	FOLD1(V0, V1, V2, V3, V4, V5, V6, V7)
	VADDPD (8*WIDTH)(DI)(DX*1), V0, V0
	LEAQ   (9*WIDTH)(DI)(DX*1), DI
	VMOVUPD V0, (R11)

	// If the class of the label is in this group, R13 points to its score.
	EQUAL((CX), V9, AX)
	BSFL     AX, AX
	LEAQ     (R11)(AX*8), AX
	CMOVQNE  AX, R13
	ADDQ     $WIDTH, R11
	ADDQ     $WIDTH, CX
	DECQ     R14
	JNZ      group

	VBROADCASTSD (R13), V8
	MOVQ         c+0(FP), AX
	MOVQ         l+8(FP), DX
	MOVQ         Classes_scores(AX), R11
	MOVQ         Classes_groups(AX), R14
	MOVQ         Classes_minusRivals(AX), CX

compare:
	VSUBPD  (R11), V8, V0
	EXCEED(V0, V10, V11, AX)
	POPCNTL AX, AX
	ADDQ    AX, CX
	ADDQ    $WIDTH, R11
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
