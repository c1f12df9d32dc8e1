//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// Registers:
//
//	R8–R10   the rows' slices, their labels and their order
//	R11, BX  up and d
//	R12, R13 the position and the end
//	CX, SI   the row's index and elements
//	DX       l
//	AX, DI   scratch
//	R14, R15 element R15 of Updated gets the bits of R14: the rows learned of 64
//	Y0–Y7    w, four elements each
//	Y8, Y9   v[0–3] and v[4–7] of Dot; then X8 is the score, X9 is y·score, and Y9 is NaN
//	         after an update that is not finite
//	Y10      products
//	Y11      the mask of the last elements
//	X12, X13 b and the loss
//	Y15      ηy
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// LOAD loads four elements of w into W. If w has at most N elements, LOAD jumps to L instead. There,
// LOADLAST loads the last one to four elements with the mask. STORE, MAC and MOVE work like LOAD.
#define LOAD(O, N, W, L) \
	CMPQ    BX, $N \
	JLE     L      \
	VMOVUPD O(DI), W

#define LOADLAST(O, W) \
	VMASKMOVPD O(DI), Y11, W \
	JMP        loaded

// STORE writes what LOAD has loaded.
#define STORE(O, N, W, L) \
	CMPQ    BX, $N \
	JLE     L      \
	VMOVUPD W, O(DI)

#define STORELAST(O, W) \
	VMASKMOVPD W, Y11, O(DI) \
	JMP        stored

// MAC adds the next four products to V.
#define MAC(O, N, W, V, L) \
	CMPQ   BX, $N        \
	JLE    L             \
	VMULPD O(SI), W, Y10 \
	VADDPD Y10, V, V

#define MACLAST(O, W, V) \
	VMASKMOVPD O(SI), Y11, Y10 \
	VMULPD     Y10, W, Y10     \
	VADDPD     Y10, V, V       \
	JMP        scored

// MOVE adds ηy times four elements of the row to W. It adds +0 to Y9 for each finite sum, and NaN for
// any other sum.
#define MOVE(O, N, W, L) \
	CMPQ   BX, $N          \
	JLE    L               \
	VMULPD O(SI), Y15, Y10 \
	VADDPD Y10, W, W       \
	VSUBPD W, W, Y10       \
	VADDPD Y10, Y9, Y9

#define MOVELAST(O, W) \
	VMASKMOVPD O(SI), Y11, Y10 \
	VMULPD     Y10, Y15, Y10   \
	VADDPD     Y10, W, W       \
	VSUBPD     W, W, Y10       \
	VADDPD     Y10, Y9, Y9     \
	JMP        moved

// FLUSH adds the rows in R14 to Updated, unless Updated is nil. L is the label at the end of FLUSH.
#define FLUSH(L) \
	MOVQ  Lesson_Updated(DX), AX \
	TESTQ AX, AX         \
	JEQ   L              \
	ORQ   R14, (AX)(R15*8) \
L:

// func learnAVX2(r *Outcome, l *Lesson, w *float64, d, up, end int)
TEXT ·learnAVX2(SB), NOSPLIT, $16-48
	MOVQ    r+0(FP), AX
	MOVQ    l+8(FP), DX
	MOVQ    w+16(FP), DI
	MOVQ    d+24(FP), BX
	MOVQ    up+32(FP), R11
	MOVQ    end+40(FP), R13
	MOVQ    Outcome_Next(AX), R12
	VMOVSD  Outcome_Loss(AX), X13
	ORDERED
	MOVQ    Lesson_Theta(DX), CX // θ's bits, at most those of the largest float64
	MOVQ    $0x7fefffffffffffff, AX
	CMPQ    CX, AX
	CMOVQHI AX, CX
	SUBQ    CX, AX
	INCQ    CX
	MOVQ    CX, least-8(SP)
	MOVQ    AX, range-16(SP)
	VMOVSD  (DI)(BX*8), X12
	LEAQ    -1(BX), CX
	ANDQ    $3, CX
	INCQ    CX
	MASKS(CX, AX)
	VMOVUPD (AX), Y11
	LOAD(0, 4, Y0, load0)
	LOAD(32, 8, Y1, load1)
	LOAD(64, 12, Y2, load2)
	LOAD(96, 16, Y3, load3)
	LOAD(128, 20, Y4, load4)
	LOAD(160, 24, Y5, load5)
	LOAD(192, 28, Y6, load6)
	LOADLAST(224, Y7)

load6:
	LOADLAST(192, Y6)

load5:
	LOADLAST(160, Y5)

load4:
	LOADLAST(128, Y4)

load3:
	LOADLAST(96, Y3)

load2:
	LOADLAST(64, Y2)

load1:
	LOADLAST(32, Y1)

load0:
	LOADLAST(0, Y0)

loaded:
	MOVQ R12, R15
	SHRQ $6, R15
	XORL R14, R14

first:
	MOVQ  R12, CX
	TESTQ R10, R10
	JNZ   index

row:
	LEAQ   (CX)(CX*2), AX
	MOVQ   (R8)(AX*8), SI
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	MAC(0, 4, Y0, Y8, mac0)
	MAC(32, 8, Y1, Y9, mac1)
	MAC(64, 12, Y2, Y8, mac2)
	MAC(96, 16, Y3, Y9, mac3)
	MAC(128, 20, Y4, Y8, mac4)
	MAC(160, 24, Y5, Y9, mac5)
	MAC(192, 28, Y6, Y8, mac6)
	MACLAST(224, Y7, Y9)

mac6:
	MACLAST(192, Y6, Y8)

mac5:
	MACLAST(160, Y5, Y9)

mac4:
	MACLAST(128, Y4, Y8)

mac3:
	MACLAST(96, Y3, Y9)

mac2:
	MACLAST(64, Y2, Y8)

mac1:
	MACLAST(32, Y1, Y9)

mac0:
	MACLAST(0, Y0, Y8)

scored: // step 4 of Dot, and b
	VADDPD   Y9, Y8, Y8
	SUM4(Y8, X8, X10)
	VADDSD   X12, X8, X8
	VMOVQ    X8, AX
	XORL     DI, DI
	CMPQ     R11, (R9)(CX*8)
	SETNE    DI
	SHLQ     $63, DI
	XORQ     DI, AX        // the bits of y·score

	// As integers, the bits of the finite numbers greater than θ form one range.
	MOVQ     AX, CX
	SUBQ     least-8(SP), CX
	CMPQ     CX, range-16(SP)
	JCC      mistake

next:
	INCQ R12
	CMPQ R12, R13
	JLT  first
	JMP  stop

mistake:
	VMOVQ    AX, X9
	VMOVQ    DI, X10
	VSUBSD   X9, X9, X15
	VUCOMISD X15, X15
	JPS      stop          // not finite
	CMPB     Lesson_Halt(DX), $0
	JNE      stop
	MOVQ     r+0(FP), AX
	INCQ     Outcome_Mistakes(AX)
	MOVQ     R12, CX
	SHRQ     $6, CX
	CMPQ     CX, R15
	JNE      word

mark:
	BTSQ     R12, R14
	VXORPD   X15, X15, X15
	VSUBSD   X9, X15, X9
	VMAXSD   X15, X9, X9
	VADDSD   X9, X13, X13
	VMOVSD   Lesson_Rate(DX), X15
	VXORPD   X15, X10, X15
	VMOVSD   Lesson_Bias(DX), X9
	VXORPD   X9, X10, X10
	VBROADCASTSD X15, Y15
	VADDSD   X10, X12, X12
	VSUBSD   X12, X12, X9
	MOVE(0, 4, Y0, move0)
	MOVE(32, 8, Y1, move1)
	MOVE(64, 12, Y2, move2)
	MOVE(96, 16, Y3, move3)
	MOVE(128, 20, Y4, move4)
	MOVE(160, 24, Y5, move5)
	MOVE(192, 28, Y6, move6)
	MOVELAST(224, Y7)

move6:
	MOVELAST(192, Y6)

move5:
	MOVELAST(160, Y5)

move4:
	MOVELAST(128, Y4)

move3:
	MOVELAST(96, Y3)

move2:
	MOVELAST(64, Y2)

move1:
	MOVELAST(32, Y1)

move0:
	MOVELAST(0, Y0)

moved:
	SUM4(Y9, X9, X10)
	VUCOMISD X9, X9
	JPC      next

stop:
	FLUSH(unmarked)
	MOVQ   w+16(FP), DI
	VMOVSD X12, (DI)(BX*8)
	STORE(0, 4, Y0, store0)
	STORE(32, 8, Y1, store1)
	STORE(64, 12, Y2, store2)
	STORE(96, 16, Y3, store3)
	STORE(128, 20, Y4, store4)
	STORE(160, 24, Y5, store5)
	STORE(192, 28, Y6, store6)
	STORELAST(224, Y7)

store6:
	STORELAST(192, Y6)

store5:
	STORELAST(160, Y5)

store4:
	STORELAST(128, Y4)

store3:
	STORELAST(96, Y3)

store2:
	STORELAST(64, Y2)

store1:
	STORELAST(32, Y1)

store0:
	STORELAST(0, Y0)

stored:
	MOVQ   r+0(FP), AX
	MOVQ   R12, Outcome_Next(AX)
	VMOVSD X13, Outcome_Loss(AX)
	VMOVSD X8, Outcome_Score(AX)
	VZEROUPPER
	RET

word: // the first mistake of 64 rows
	FLUSH(flushed)
	MOVQ CX, R15
	XORL R14, R14
	JMP  mark

index:
	INDEX
