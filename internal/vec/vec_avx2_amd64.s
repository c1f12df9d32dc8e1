//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// Registers, in all kernels:
//
//	SI, DI   the next elements of the factors a and b; in axpyAVX2 x and w; in
//	         dots5AVX2 the beginnings of x and w0
//	R8–R11   in dots5AVX2 the beginnings of w1–w4; in axpyAVX2 R11 is dst
//	R12      the next elements to prefetch; in dots5AVX2 the bytes in blocks of 32
//	R13      in dots5AVX2 what to fetch for later
//	AX       scratch; in dots5AVX2 out
//	BX       in dots5AVX2 the pass
//	CX       elements left
//	DX       blocks left; in dots5AVX2 the offset into the vectors
//	Y0–Y7    lanes 0–3, 4–7, …, 28–31; in axpyAVX2 Y0 is c, Y1–Y3 the sums of
//	         dst − dst; see dots5AVX2 for its lanes
//	Y8–Y15   factors, products and masks
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// Eight words of ones, then eight zeros. The mask for the first r of 8 elements
// begins r words before the zeros.
DATA ones<>+0(SB)/8, $-1
DATA ones<>+8(SB)/8, $-1
DATA ones<>+16(SB)/8, $-1
DATA ones<>+24(SB)/8, $-1
DATA ones<>+32(SB)/8, $-1
DATA ones<>+40(SB)/8, $-1
DATA ones<>+48(SB)/8, $-1
DATA ones<>+56(SB)/8, $-1
DATA ones<>+64(SB)/8, $0
DATA ones<>+72(SB)/8, $0
DATA ones<>+80(SB)/8, $0
DATA ones<>+88(SB)/8, $0
DATA ones<>+96(SB)/8, $0
DATA ones<>+104(SB)/8, $0
DATA ones<>+112(SB)/8, $0
DATA ones<>+120(SB)/8, $0
GLOBL ones<>(SB), RODATA|NOPTR, $128

// MASKS sets the first R of the 8 elements of A and B to ones. T is scratch.
#define MASKS(R, T, A, B) \
	LEAQ    ones<>+64(SB), T \
	SHLQ    $3, R            \
	SUBQ    R, T             \
	VMOVUPD (T), A           \
	VMOVUPD 32(T), B

// BLOCK adds the next 32 products to the lanes.
#define BLOCK \
	VMOVUPD (SI), Y8 \
	VMOVUPD 32(SI), Y9 \
	VMOVUPD 64(SI), Y10 \
	VMOVUPD 96(SI), Y11 \
	VMOVUPD 128(SI), Y12 \
	VMOVUPD 160(SI), Y13 \
	VMOVUPD 192(SI), Y14 \
	VMOVUPD 224(SI), Y15 \
	VMULPD  (DI), Y8, Y8 \
	VMULPD  32(DI), Y9, Y9 \
	VMULPD  64(DI), Y10, Y10 \
	VMULPD  96(DI), Y11, Y11 \
	VMULPD  128(DI), Y12, Y12 \
	VMULPD  160(DI), Y13, Y13 \
	VMULPD  192(DI), Y14, Y14 \
	VMULPD  224(DI), Y15, Y15 \
	VADDPD  Y8, Y0, Y0 \
	VADDPD  Y9, Y1, Y1 \
	VADDPD  Y10, Y2, Y2 \
	VADDPD  Y11, Y3, Y3 \
	VADDPD  Y12, Y4, Y4 \
	VADDPD  Y13, Y5, Y5 \
	VADDPD  Y14, Y6, Y6 \
	VADDPD  Y15, Y7, Y7 \
	ADDQ    $256, SI \
	ADDQ    $256, DI

// func dotAVX2(a, b *float64, n int, next *float64) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-40
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   next+24(FP), R12
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7

	TESTQ  R12, R12
	JNZ    fetch

blocks:
	BLOCK
	DECQ DX
	JNZ  blocks
	JMP  lanes

fetch: // blocks, while the lines of next come
	PREFETCHT1 (R12)
	PREFETCHT1 64(R12)
	PREFETCHT1 128(R12)
	PREFETCHT1 192(R12)
	BLOCK
	ADDQ $256, R12
	DECQ DX
	JNZ  fetch

lanes: // 32 to 8
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1

tail:
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	VMOVUPD (SI), Y8
	VMOVUPD 32(SI), Y9
	VMULPD  (DI), Y8, Y8
	VMULPD  32(DI), Y9, Y9
	VADDPD  Y8, Y0, Y0
	VADDPD  Y9, Y1, Y1
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	CMPQ    CX, $8
	JGE     eights

last: // fewer than 8, the rest of the registers zero
	TESTQ      CX, CX
	JZ         fold
	MASKS(CX, AX, Y10, Y11)
	VMASKMOVPD (SI), Y10, Y8
	VMASKMOVPD (DI), Y10, Y9
	VMASKMOVPD 32(SI), Y11, Y12
	VMASKMOVPD 32(DI), Y11, Y13
	VMULPD     Y9, Y8, Y8
	VMULPD     Y13, Y12, Y12
	VADDPD     Y8, Y0, Y0
	VADDPD     Y12, Y1, Y1

fold:
	VADDPD Y1, Y0, Y0
	SUM4(Y0, X0, X1)
	VZEROUPPER
	MOVSD X0, ret+32(FP)
	RET

// func axpyAVX2(dst, w *float64, c float64, x *float64, n int) bool
TEXT ·axpyAVX2(SB), NOSPLIT, $0-41
	MOVQ         dst+0(FP), R11
	MOVQ         w+8(FP), DI
	VBROADCASTSD c+16(FP), Y0
	MOVQ         x+24(FP), SI
	MOVQ         n+32(FP), CX
	VXORPD       X1, X1, X1 // Σ (dst − dst): zeros while all is finite
	VXORPD       X2, X2, X2
	MOVQ         CX, DX
	SHRQ         $3, DX
	JZ           tail

blocks:
	VMULPD  (SI), Y0, Y4
	VMULPD  32(SI), Y0, Y5
	VADDPD  (DI), Y4, Y4
	VADDPD  32(DI), Y5, Y5
	VMOVUPD Y4, (R11)
	VMOVUPD Y5, 32(R11)
	VSUBPD  Y4, Y4, Y4
	VSUBPD  Y5, Y5, Y5
	VADDPD  Y4, Y1, Y1
	VADDPD  Y5, Y2, Y2
	ADDQ    $64, SI
	ADDQ    $64, DI
	ADDQ    $64, R11
	DECQ    DX
	JNZ     blocks

tail:
	ANDQ $7, CX
	JZ   check

	VXORPD X3, X3, X3

ones: // the last few one by one; to add to X1 would clear the rest of Y1
	VMOVSD (SI), X4
	VMULSD X0, X4, X4
	VADDSD (DI), X4, X4
	VMOVSD X4, (R11)
	VSUBSD X4, X4, X4
	VADDSD X4, X3, X3
	ADDQ   $8, SI
	ADDQ   $8, DI
	ADDQ   $8, R11
	DECQ   CX
	JNZ    ones
	VADDPD Y3, Y1, Y1

check:
	VADDPD Y2, Y1, Y1
	SUM4(Y1, X1, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+40(FP)
	RET

// 16 registers have room for 8 of the 32 lanes of each sum. So dots5AVX2 passes over
// the vectors four times, and each pass reads one cache line of every four.
//
// COLUMN2 is COLUMN for the 8 elements of x in Y10 and Y11.
#define COLUMN2(W, A, B) \
	VMULPD (W)(DX*1), Y10, Y12   \
	VMULPD 32(W)(DX*1), Y11, Y13 \
	VADDPD Y12, A, A             \
	VADDPD Y13, B, B

#define STEP2 \
	VMOVUPD (SI)(DX*1), Y10   \
	VMOVUPD 32(SI)(DX*1), Y11 \
	COLUMN2(DI, Y0, Y1)       \
	COLUMN2(R8, Y2, Y3)       \
	COLUMN2(R9, Y4, Y5)       \
	COLUMN2(R10, Y6, Y7)      \
	COLUMN2(R11, Y8, Y9)

// KEEP stores the 8 lanes of the five sums at O of the frame. ADD adds them.
#define KEEP(O) \
	VMOVUPD Y0, O+0(SP)   \
	VMOVUPD Y1, O+32(SP)  \
	VMOVUPD Y2, O+64(SP)  \
	VMOVUPD Y3, O+96(SP)  \
	VMOVUPD Y4, O+128(SP) \
	VMOVUPD Y5, O+160(SP) \
	VMOVUPD Y6, O+192(SP) \
	VMOVUPD Y7, O+224(SP) \
	VMOVUPD Y8, O+256(SP) \
	VMOVUPD Y9, O+288(SP)

#define ADD(O) \
	VADDPD O+0(SP), Y0, Y0   \
	VADDPD O+32(SP), Y1, Y1  \
	VADDPD O+64(SP), Y2, Y2  \
	VADDPD O+96(SP), Y3, Y3  \
	VADDPD O+128(SP), Y4, Y4 \
	VADDPD O+160(SP), Y5, Y5 \
	VADDPD O+192(SP), Y6, Y6 \
	VADDPD O+224(SP), Y7, Y7 \
	VADDPD O+256(SP), Y8, Y8 \
	VADDPD O+288(SP), Y9, Y9

// LAST2 adds the products of the elements in the masks Y12 and Y13 to one sum.
#define LAST2(W, A, B) \
	VMASKMOVPD (W)(DX*1), Y12, Y14   \
	VMASKMOVPD 32(W)(DX*1), Y13, Y15 \
	VMULPD Y14, Y10, Y14             \
	VMULPD Y15, Y11, Y15             \
	VADDPD Y14, A, A                 \
	VADDPD Y15, B, B

// SUM folds the 8 lanes of a sum and stores it at O of the result.
#define SUM(YA, XA, YB, O) \
	VADDPD YB, YA, YA   \
	SUM4(YA, XA, X10)   \
	VMOVSD XA, O(AX)

// func dots5AVX2(out *[5]float64, x, w0, w1, w2, w3, w4 *float64, n int, next *float64)
//
// The lanes of the five sums are Y0–Y1, Y2–Y3, …, Y8–Y9. DX is the offset into
// the vectors, BX the pass, R12 the bytes in blocks of 32.
TEXT ·dots5AVX2(SB), NOSPLIT, $640-72
	MOVQ out+0(FP), AX
	MOVQ x+8(FP), SI
	MOVQ w0+16(FP), DI
	MOVQ w1+24(FP), R8
	MOVQ w2+32(FP), R9
	MOVQ w3+40(FP), R10
	MOVQ w4+48(FP), R11
	MOVQ n+56(FP), CX
	MOVQ next+64(FP), R13
	MOVQ CX, R12
	SHLQ $3, R12
	ANDQ $-256, R12
	XORL BX, BX

pass:
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	VXORPD X8, X8, X8
	VXORPD X9, X9, X9
	MOVQ BX, DX
	SHLQ $6, DX
	CMPQ DX, R12
	JGE  tail

blocks:
	PREFETCHT0 (R13)(DX*1)
	STEP2
	ADDQ $256, DX
	CMPQ DX, R12
	JLT  blocks

	// 32 lanes to 8: (pass 0 + pass 1) + (pass 2 + pass 3)
	INCQ BX
	CMPQ BX, $2
	JE   second
	CMPQ BX, $3
	JE   third
	JGT  fourth
	KEEP(0)
	JMP  pass

second:
	ADD(0)
	KEEP(0)
	JMP pass

third:
	KEEP(320)
	JMP pass

fourth:
	ADD(320)
	ADD(0)

tail:
	MOVQ R12, DX
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	STEP2
	ADDQ $64, DX
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8, the rest of the registers zero
	TESTQ CX, CX
	JZ    fold
	MASKS(CX, R12, Y12, Y13)
	VMASKMOVPD (SI)(DX*1), Y12, Y10
	VMASKMOVPD 32(SI)(DX*1), Y13, Y11
	LAST2(DI, Y0, Y1)
	LAST2(R8, Y2, Y3)
	LAST2(R9, Y4, Y5)
	LAST2(R10, Y6, Y7)
	LAST2(R11, Y8, Y9)

fold:
	SUM(Y0, X0, Y1, 0)
	SUM(Y2, X2, Y3, 8)
	SUM(Y4, X4, Y5, 16)
	SUM(Y6, X6, Y7, 24)
	SUM(Y8, X8, Y9, 32)
	VZEROUPPER
	RET
