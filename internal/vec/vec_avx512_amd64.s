//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// Registers, in all kernels:
//
//	SI, DI   the next elements of the factors a and b; in axpyAVX512 x and w; in
//	         dots5AVX512 x and w0
//	R8–R11   in dots5AVX512 the next elements of w1–w4; in axpyAVX512 R11 is dst
//	R12      the next elements to prefetch
//	AX       scratch; in dots5AVX512 out
//	CX       elements left
//	DX       blocks left
//	K1       the mask of the last elements
//	Z0–Z3    lanes 0–7, 8–15, 16–23, 24–31; in axpyAVX512 Z0 is c, Z1 and Z2
//	         the sums of dst − dst; see dots5AVX512 for its lanes
//	Z4–Z7    factors and products, in dots5AVX512 Z20–Z27
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// SUM8 folds the 8 lanes of Z to their sum in X. X and Y are the lower parts of Z,
// YT and XT scratch.
#define SUM8(Z, Y, X, YT, XT) \
	VEXTRACTF64X4 $1, Z, YT \
	VADDPD        YT, Y, Y  \
	SUM4(Y, X, XT)

// BLOCK adds the next 32 products to the lanes.
#define BLOCK \
	VMOVUPD (SI), Z4 \
	VMOVUPD 64(SI), Z5 \
	VMOVUPD 128(SI), Z6 \
	VMOVUPD 192(SI), Z7 \
	VMULPD  (DI), Z4, Z4 \
	VMULPD  64(DI), Z5, Z5 \
	VMULPD  128(DI), Z6, Z6 \
	VMULPD  192(DI), Z7, Z7 \
	VADDPD  Z4, Z0, Z0 \
	VADDPD  Z5, Z1, Z1 \
	VADDPD  Z6, Z2, Z2 \
	VADDPD  Z7, Z3, Z3 \
	ADDQ    $256, SI \
	ADDQ    $256, DI

// func dotAVX512(a, b *float64, n int, next *float64) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-40
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   next+24(FP), R12
	VXORPD X0, X0, X0
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3

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
	MOVSD X0, ret+32(FP)
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

// dots5AVX512 loads x once for five sums.
//
// COLUMN adds the products of 8 elements
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

// NEXT advances x and each w by N bytes.
#define NEXT(N) \
	ADDQ N, SI  \
	ADDQ N, DI  \
	ADDQ N, R8  \
	ADDQ N, R9  \
	ADDQ N, R10 \
	ADDQ N, R11

// CLEAR sets four registers to 0.
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
