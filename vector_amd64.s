//go:build !purego

#include "textflag.h"

// Registers, in all kernels:
//
//	SI, DI   the next elements of the two factors; of a 2×3 block SI, R8 rows
//	         of a, DI, R9, R10 rows of b; of axpy DI is w, SI is x, R11 is dst
//	CX       elements left
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

// MASKS sets Y10 and Y11 to ones in the first R of 8 elements, T for scratch.
#define MASKS(R, T) \
	LEAQ    ones<>+64(SB), T \
	SHLQ    $3, R            \
	SUBQ    R, T             \
	VMOVUPD (T), Y10         \
	VMOVUPD 32(T), Y11

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
	MASKS(CX, AX)
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

// The 2×3 blocks hold six sums at once, so that a load serves two or three.
// COLUMN multiplies the part at W of a row of b by those of both rows of a, and
// adds to the lanes L0 and L1.
#define COLUMN(W, L0, L1) \
	VMOVUPD W, Z26         \
	VMULPD  Z26, Z24, Z27  \
	VMULPD  Z26, Z25, Z28  \
	VADDPD  Z27, L0, L0    \
	VADDPD  Z28, L1, L1

// STEP adds the 8 products at offset O to lanes of the six sums.
#define STEP(O, L0, L1, L2, L3, L4, L5) \
	VMOVUPD O(SI), Z24       \
	VMOVUPD O(R8), Z25       \
	COLUMN(O(DI), L0, L3)    \
	COLUMN(O(R9), L1, L4)    \
	COLUMN(O(R10), L2, L5)

// NEXT moves on by N bytes.
#define NEXT(N) \
	ADDQ N, SI  \
	ADDQ N, R8  \
	ADDQ N, DI  \
	ADDQ N, R9  \
	ADDQ N, R10

#define CLEAR(A, B, C, D) \
	VXORPD A, A, A \
	VXORPD B, B, B \
	VXORPD C, C, C \
	VXORPD D, D, D

// FOLD32 folds the 32 lanes A, B, C, D to the 8 lanes A.
#define FOLD32(A, B, C, D) \
	VADDPD B, A, A \
	VADDPD D, C, C \
	VADDPD C, A, A

// func dots2x3AVX512(out *[6]float64, a0, a1, b0, b1, b2 *float64, n int)
//
// The sums ⟨a0,b0⟩, ⟨a0,b1⟩, ⟨a0,b2⟩, ⟨a1,b0⟩, ⟨a1,b1⟩, ⟨a1,b2⟩ have the lanes
// Z0–Z3, Z4–Z7, …, Z20–Z23.
TEXT ·dots2x3AVX512(SB), NOSPLIT, $0-56
	MOVQ   out+0(FP), R11
	MOVQ   a0+8(FP), SI
	MOVQ   a1+16(FP), R8
	MOVQ   b0+24(FP), DI
	MOVQ   b1+32(FP), R9
	MOVQ   b2+40(FP), R10
	MOVQ   n+48(FP), CX
	CLEAR(X0, X1, X2, X3)
	CLEAR(X4, X5, X6, X7)
	CLEAR(X8, X9, X10, X11)
	CLEAR(X12, X13, X14, X15)
	VPXORQ Z16, Z16, Z16
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19
	VPXORQ Z20, Z20, Z20
	VPXORQ Z21, Z21, Z21
	VPXORQ Z22, Z22, Z22
	VPXORQ Z23, Z23, Z23
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail

blocks:
	STEP(0, Z0, Z4, Z8, Z12, Z16, Z20)
	STEP(64, Z1, Z5, Z9, Z13, Z17, Z21)
	STEP(128, Z2, Z6, Z10, Z14, Z18, Z22)
	STEP(192, Z3, Z7, Z11, Z15, Z19, Z23)
	NEXT($256)
	DECQ DX
	JNZ  blocks
	FOLD32(Z0, Z1, Z2, Z3)
	FOLD32(Z4, Z5, Z6, Z7)
	FOLD32(Z8, Z9, Z10, Z11)
	FOLD32(Z12, Z13, Z14, Z15)
	FOLD32(Z16, Z17, Z18, Z19)
	FOLD32(Z20, Z21, Z22, Z23)

tail:
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	STEP(0, Z0, Z4, Z8, Z12, Z16, Z20)
	NEXT($64)
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8, the rest of the registers zero
	TESTQ     CX, CX
	JZ        fold
	MOVL      $1, AX
	SHLL      CX, AX
	DECL      AX
	KMOVW     AX, K1
	VMOVUPD.Z (SI), K1, Z24
	VMOVUPD.Z (R8), K1, Z25
	VMOVUPD.Z (DI), K1, Z1
	VMOVUPD.Z (R9), K1, Z2
	VMOVUPD.Z (R10), K1, Z3
	COLUMN(Z1, Z0, Z12)
	COLUMN(Z2, Z4, Z16)
	COLUMN(Z3, Z8, Z20)

fold:
	VMOVAPD Z16, Z5
	VMOVAPD Z20, Z9
	SUM8(Z0, Y0, X0, Y1, X1)
	SUM8(Z4, Y4, X4, Y1, X1)
	SUM8(Z8, Y8, X8, Y1, X1)
	SUM8(Z12, Y12, X12, Y1, X1)
	SUM8(Z5, Y5, X5, Y1, X1)
	SUM8(Z9, Y9, X9, Y1, X1)
	VMOVSD X0, 0(R11)
	VMOVSD X4, 8(R11)
	VMOVSD X8, 16(R11)
	VMOVSD X12, 24(R11)
	VMOVSD X5, 32(R11)
	VMOVSD X9, 40(R11)
	VZEROUPPER
	RET

// With 16 registers the six sums have room for 8 of the 32 lanes each, so that
// the rows are passed over four times, a cache line of every four at a time.
// COLUMN2 is COLUMN for 4 lanes, STEP2 is STEP.
#define COLUMN2(W, L0, L1) \
	VMOVUPD W, Y14         \
	VMULPD  Y14, Y12, Y15  \
	VMULPD  Y14, Y13, Y14  \
	VADDPD  Y15, L0, L0    \
	VADDPD  Y14, L1, L1

#define STEP2(O, L0, L1, L2, L3, L4, L5) \
	VMOVUPD O(SI)(AX*1), Y12       \
	VMOVUPD O(R8)(AX*1), Y13       \
	COLUMN2(O(DI)(AX*1), L0, L3)   \
	COLUMN2(O(R9)(AX*1), L1, L4)   \
	COLUMN2(O(R10)(AX*1), L2, L5)

// KEEP puts the 8 lanes of the six sums at O of the frame, ADD adds what is there.
#define KEEP(O) \
	VMOVUPD Y0, O+0(SP)    \
	VMOVUPD Y1, O+32(SP)   \
	VMOVUPD Y2, O+64(SP)   \
	VMOVUPD Y3, O+96(SP)   \
	VMOVUPD Y4, O+128(SP)  \
	VMOVUPD Y5, O+160(SP)  \
	VMOVUPD Y6, O+192(SP)  \
	VMOVUPD Y7, O+224(SP)  \
	VMOVUPD Y8, O+256(SP)  \
	VMOVUPD Y9, O+288(SP)  \
	VMOVUPD Y10, O+320(SP) \
	VMOVUPD Y11, O+352(SP)

#define ADD(O) \
	VADDPD O+0(SP), Y0, Y0     \
	VADDPD O+32(SP), Y1, Y1    \
	VADDPD O+64(SP), Y2, Y2    \
	VADDPD O+96(SP), Y3, Y3    \
	VADDPD O+128(SP), Y4, Y4   \
	VADDPD O+160(SP), Y5, Y5   \
	VADDPD O+192(SP), Y6, Y6   \
	VADDPD O+224(SP), Y7, Y7   \
	VADDPD O+256(SP), Y8, Y8   \
	VADDPD O+288(SP), Y9, Y9   \
	VADDPD O+320(SP), Y10, Y10 \
	VADDPD O+352(SP), Y11, Y11

// PAIR adds the last products of A and B to the 8 lanes at L of the frame, and
// sets the sum at O of the result to their sum.
#define PAIR(L, A, B, O) \
	VMOVUPD L+0(SP), Y0                \
	VMOVUPD L+32(SP), Y1               \
	VMASKMOVPD 0(A)(AX*1), Y10, Y2     \
	VMASKMOVPD 0(B)(AX*1), Y10, Y3     \
	VMASKMOVPD 32(A)(AX*1), Y11, Y4    \
	VMASKMOVPD 32(B)(AX*1), Y11, Y5    \
	VMULPD  Y3, Y2, Y2                 \
	VMULPD  Y5, Y4, Y4                 \
	VADDPD  Y2, Y0, Y0                 \
	VADDPD  Y4, Y1, Y1                 \
	VADDPD  Y1, Y0, Y0                 \
	SUM4(Y0, X0, X1)                   \
	VMOVSD  X0, O(R11)

// func dots2x3AVX2(out *[6]float64, a0, a1, b0, b1, b2 *float64, n int)
//
// The sums, in the order of dots2x3AVX512, have the lanes Y0–Y1, Y2–Y3, …,
// Y10–Y11. AX is the offset into the rows, BX the pass, R12 the bytes in blocks
// of 32.
TEXT ·dots2x3AVX2(SB), 0, $768-56
	MOVQ out+0(FP), R11
	MOVQ a0+8(FP), SI
	MOVQ a1+16(FP), R8
	MOVQ b0+24(FP), DI
	MOVQ b1+32(FP), R9
	MOVQ b2+40(FP), R10
	MOVQ n+48(FP), CX
	MOVQ CX, R12
	SHLQ $3, R12
	ANDQ $-256, R12
	XORL BX, BX

pass:
	CLEAR(X0, X1, X2, X3)
	CLEAR(X4, X5, X6, X7)
	CLEAR(X8, X9, X10, X11)
	MOVQ BX, AX
	SHLQ $6, AX
	CMPQ AX, R12
	JGE  tail

blocks:
	STEP2(0, Y0, Y2, Y4, Y6, Y8, Y10)
	STEP2(32, Y1, Y3, Y5, Y7, Y9, Y11)
	ADDQ $256, AX
	CMPQ AX, R12
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
	KEEP(384)
	JMP pass

fourth:
	ADD(384)
	ADD(0)

tail:
	MOVQ R12, AX
	ANDQ $31, CX
	CMPQ CX, $8
	JLT  last

eights:
	STEP2(0, Y0, Y2, Y4, Y6, Y8, Y10)
	STEP2(32, Y1, Y3, Y5, Y7, Y9, Y11)
	ADDQ $64, AX
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8, and the fold, one sum after the other
	KEEP(0)
	MASKS(CX, BX)
	PAIR(0, SI, DI, 0)
	PAIR(64, SI, R9, 8)
	PAIR(128, SI, R10, 16)
	PAIR(192, R8, DI, 24)
	PAIR(256, R8, R9, 32)
	PAIR(320, R8, R10, 40)
	VZEROUPPER
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
