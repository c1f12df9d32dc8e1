//go:build !purego

#include "textflag.h"

// Registers, in all kernels:
//
//	SI, DI   the next elements of the two factors; of five dots SI is x, DI and
//	         R8–R11 are the w; of axpy DI is w, SI is x, R11 is dst
//	CX       elements left
//	R12, R13 what is fetched for later: see the kernel
//	DX       blocks of 32 left
//	Z0–Z3    lanes 0–7, 8–15, 16–23, 24–31 (AVX-512)
//	Y0–Y7    lanes 0–3, 4–7, …, 28–31 (AVX2)
//
// VMULPD and VADDPD round each by itself: there is no fused instruction here.

// Eight ones and eight zeros: the masks for r elements of 8 begin r elements
// before the zeros.
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

// MASKS sets A and B to ones in the first R of 8 elements, T for scratch.
#define MASKS(R, T, A, B) \
	LEAQ    ones<>+64(SB), T \
	SHLQ    $3, R            \
	SUBQ    R, T             \
	VMOVUPD (T), A           \
	VMOVUPD 32(T), B

// SUM4 folds the lanes t[0..3] of Y, of which X is the lower half, to their sum
// in the order (0+2) + (1+3), with T for scratch.
#define SUM4(Y, X, T) \
	VEXTRACTF128 $1, Y, T  \
	VADDPD       T, X, X   \
	VPERMILPD    $1, X, T  \
	VADDSD       T, X, X

// SUM8 folds the 8 lanes of Z, whose lower parts are Y and X.
#define SUM8(Z, Y, X, YT, XT) \
	VEXTRACTF64X4 $1, Z, YT \
	VADDPD        YT, Y, Y  \
	SUM4(Y, X, XT)

// func dotAVX512(a, b *float64, n int) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPD X0, X0, X0
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3

blocks:
	VMOVUPD (SI), Z4
	VMOVUPD 64(SI), Z5
	VMOVUPD 128(SI), Z6
	VMOVUPD 192(SI), Z7
	VMULPD  (DI), Z4, Z4
	VMULPD  64(DI), Z5, Z5
	VMULPD  128(DI), Z6, Z6
	VMULPD  192(DI), Z7, Z7
	VADDPD  Z4, Z0, Z0
	VADDPD  Z5, Z1, Z1
	VADDPD  Z6, Z2, Z2
	VADDPD  Z7, Z3, Z3
	ADDQ    $256, SI
	ADDQ    $256, DI
	DECQ    DX
	JNZ     blocks

	// 32 lanes to 8
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0

tail:
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	VMOVUPD (SI), Z4
	VMULPD  (DI), Z4, Z4
	VADDPD  Z4, Z0, Z0
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $8, CX
	CMPQ    CX, $8
	JGE     eights

last: // fewer than 8, the rest of the register zero
	TESTQ     CX, CX
	JZ        fold
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K1
	VMOVUPD.Z (SI), K1, Z4
	VMOVUPD.Z (DI), K1, Z5
	VMULPD    Z5, Z4, Z4
	VADDPD    Z4, Z0, Z0

fold:
	SUM8(Z0, Y0, X0, Y1, X1)
	VZEROUPPER
	MOVSD X0, ret+24(FP)
	RET

// func dotAVX2(a, b *float64, n int) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
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

blocks:
	VMOVUPD (SI), Y8
	VMOVUPD 32(SI), Y9
	VMOVUPD 64(SI), Y10
	VMOVUPD 96(SI), Y11
	VMOVUPD 128(SI), Y12
	VMOVUPD 160(SI), Y13
	VMOVUPD 192(SI), Y14
	VMOVUPD 224(SI), Y15
	VMULPD  (DI), Y8, Y8
	VMULPD  32(DI), Y9, Y9
	VMULPD  64(DI), Y10, Y10
	VMULPD  96(DI), Y11, Y11
	VMULPD  128(DI), Y12, Y12
	VMULPD  160(DI), Y13, Y13
	VMULPD  192(DI), Y14, Y14
	VMULPD  224(DI), Y15, Y15
	VADDPD  Y8, Y0, Y0
	VADDPD  Y9, Y1, Y1
	VADDPD  Y10, Y2, Y2
	VADDPD  Y11, Y3, Y3
	VADDPD  Y12, Y4, Y4
	VADDPD  Y13, Y5, Y5
	VADDPD  Y14, Y6, Y6
	VADDPD  Y15, Y7, Y7
	ADDQ    $256, SI
	ADDQ    $256, DI
	DECQ    DX
	JNZ     blocks

	// 32 lanes to 8
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
	MOVSD X0, ret+24(FP)
	RET

// func axpyAVX512(dst, w *float64, c float64, x *float64, n int) bool
TEXT ·axpyAVX512(SB), NOSPLIT, $0-41
	MOVQ         dst+0(FP), R11
	MOVQ         w+8(FP), DI
	VBROADCASTSD c+16(FP), Z0
	MOVQ         x+24(FP), SI
	MOVQ         n+32(FP), CX
	VXORPD       X1, X1, X1 // Σ (dst − dst): zeros while all is finite
	VXORPD       X2, X2, X2
	MOVQ         CX, DX
	SHRQ         $4, DX
	JZ           tail

blocks:
	VMULPD  (SI), Z0, Z4
	VMULPD  64(SI), Z0, Z5
	VADDPD  (DI), Z4, Z4
	VADDPD  64(DI), Z5, Z5
	VMOVUPD Z4, (R11)
	VMOVUPD Z5, 64(R11)
	VSUBPD  Z4, Z4, Z4
	VSUBPD  Z5, Z5, Z5
	VADDPD  Z4, Z1, Z1
	VADDPD  Z5, Z2, Z2
	ADDQ    $128, SI
	ADDQ    $128, DI
	ADDQ    $128, R11
	DECQ    DX
	JNZ     blocks

tail:
	ANDQ    $15, CX
	CMPQ    CX, $8
	JLT     last
	VMULPD  (SI), Z0, Z4
	VADDPD  (DI), Z4, Z4
	VMOVUPD Z4, (R11)
	VSUBPD  Z4, Z4, Z4
	VADDPD  Z4, Z1, Z1
	ADDQ    $64, SI
	ADDQ    $64, DI
	ADDQ    $64, R11
	SUBQ    $8, CX

last:
	TESTQ     CX, CX
	JZ        check
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K1
	VMOVUPD.Z (SI), K1, Z4
	VMOVUPD.Z (DI), K1, Z5
	VMULPD.Z  Z4, Z0, K1, Z4
	VADDPD    Z5, Z4, Z4
	VMOVUPD   Z4, K1, (R11)
	VSUBPD    Z4, Z4, Z4
	VADDPD    Z4, Z1, Z1

check:
	VADDPD Z2, Z1, Z1
	SUM8(Z1, Y1, X1, Y2, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+40(FP)
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

// Five sums at once share the loads of x. COLUMN adds the products of 8 elements
// of x in Z20 to Z23 with those of w at W to the lanes of one sum.
#define COLUMN(W, A, B, C, D) \
	VMULPD (W), Z20, Z24    \
	VMULPD 64(W), Z21, Z25  \
	VMULPD 128(W), Z22, Z26 \
	VMULPD 192(W), Z23, Z27 \
	VADDPD Z24, A, A        \
	VADDPD Z25, B, B        \
	VADDPD Z26, C, C        \
	VADDPD Z27, D, D

// EIGHT adds the products of 8 elements of x in Z20 with those of w at W to lanes.
#define EIGHT(W, A) \
	VMULPD (W), Z20, Z24 \
	VADDPD Z24, A, A

// LAST is EIGHT for the elements in the mask K1.
#define LAST(W, A) \
	VMOVUPD.Z (W), K1, Z24   \
	VMULPD    Z24, Z20, Z24  \
	VADDPD    Z24, A, A

// NEXT moves on by N bytes.
#define NEXT(N) \
	ADDQ N, SI  \
	ADDQ N, DI  \
	ADDQ N, R8  \
	ADDQ N, R9  \
	ADDQ N, R10 \
	ADDQ N, R11

#define CLEAR(A, B, C, D) \
	VPXORQ A, A, A \
	VPXORQ B, B, B \
	VPXORQ C, C, C \
	VPXORQ D, D, D

// FOLD32 folds the 32 lanes A, B, C, D to the 8 lanes A.
#define FOLD32(A, B, C, D) \
	VADDPD B, A, A \
	VADDPD D, C, C \
	VADDPD C, A, A

// func dots5AVX512(out *[5]float64, x, w0, w1, w2, w3, w4 *float64, n int, next *float64)
//
// The lanes of the five sums are Z0–Z3, Z4–Z7, …, Z16–Z19.
TEXT ·dots5AVX512(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), AX
	MOVQ x+8(FP), SI
	MOVQ w0+16(FP), DI
	MOVQ w1+24(FP), R8
	MOVQ w2+32(FP), R9
	MOVQ w3+40(FP), R10
	MOVQ w4+48(FP), R11
	MOVQ n+56(FP), CX
	MOVQ next+64(FP), R12
	CLEAR(Z0, Z4, Z8, Z12)
	VPXORQ Z16, Z16, Z16
	MOVQ CX, DX
	SHRQ $5, DX
	JZ   tail
	CLEAR(Z1, Z2, Z3, Z5)
	CLEAR(Z6, Z7, Z9, Z10)
	CLEAR(Z11, Z13, Z14, Z15)
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19

blocks:
	VMOVUPD (SI), Z20
	VMOVUPD 64(SI), Z21
	VMOVUPD 128(SI), Z22
	VMOVUPD 192(SI), Z23
	PREFETCHT0 (R12)
	PREFETCHT0 64(R12)
	PREFETCHT0 128(R12)
	PREFETCHT0 192(R12)
	COLUMN(DI, Z0, Z1, Z2, Z3)
	COLUMN(R8, Z4, Z5, Z6, Z7)
	COLUMN(R9, Z8, Z9, Z10, Z11)
	COLUMN(R10, Z12, Z13, Z14, Z15)
	COLUMN(R11, Z16, Z17, Z18, Z19)
	NEXT($256)
	ADDQ $256, R12
	DECQ DX
	JNZ  blocks
	FOLD32(Z0, Z1, Z2, Z3)
	FOLD32(Z4, Z5, Z6, Z7)
	FOLD32(Z8, Z9, Z10, Z11)
	FOLD32(Z12, Z13, Z14, Z15)
	FOLD32(Z16, Z17, Z18, Z19)

tail:
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	VMOVUPD (SI), Z20
	EIGHT(DI, Z0)
	EIGHT(R8, Z4)
	EIGHT(R9, Z8)
	EIGHT(R10, Z12)
	EIGHT(R11, Z16)
	NEXT($64)
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8, the rest of the registers zero
	TESTQ     CX, CX
	JZ        fold
	MOVL      $1, DX
	SHLL      CX, DX
	DECL      DX
	KMOVW     DX, K1
	VMOVUPD.Z (SI), K1, Z20
	LAST(DI, Z0)
	LAST(R8, Z4)
	LAST(R9, Z8)
	LAST(R10, Z12)
	LAST(R11, Z16)

fold:
	VMOVAPD Z16, Z5
	SUM8(Z0, Y0, X0, Y1, X1)
	SUM8(Z4, Y4, X4, Y1, X1)
	SUM8(Z8, Y8, X8, Y1, X1)
	SUM8(Z12, Y12, X12, Y1, X1)
	SUM8(Z5, Y5, X5, Y1, X1)
	VMOVSD  X0, (AX)
	VMOVSD  X4, 8(AX)
	VMOVSD  X8, 16(AX)
	VMOVSD  X12, 24(AX)
	VMOVSD  X5, 32(AX)
	VZEROUPPER
	RET

// With 16 registers the five sums have room for 8 of the 32 lanes each, so that
// the vectors are passed over four times, a cache line of every four at a time.
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

// KEEP puts the 8 lanes of the five sums at O of the frame, ADD adds what is there.
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

// LAST2 adds the last products, those in the masks Y12 and Y13, to one sum.
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

// func prefetchLines(p *float64, n int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX

lines:
	PREFETCHT0 (SI)
	ADDQ $64, SI
	SUBQ $8, CX
	JGT  lines
	RET

// func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() uint32
//
// The lower half of XCR0: the registers that the operating system saves.
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET
