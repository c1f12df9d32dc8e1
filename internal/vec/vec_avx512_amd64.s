//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "vec_amd64.h"

// Registers, in both kernels:
//
//	SI, DI   the next elements of the factors a and b; in axpy x and w
//	R11      in axpy the next elements of dst
//	R8       the next elements to prefetch, or 0
//	R9, R10  scratch
//	AX       how the processor fetches; scratch
//	CX       elements left
//	DX       stretches left: of 32 elements, in axpy of 16
//	K1       the mask of the last elements
//	Z0–Z3    lanes 0–7, 8–15, 16–23, 24–31; in axpy Z0 is c, Z1 and Z2
//	         the sums of dst − dst
//	Z4–Z7    factors and products
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// SUM8 folds the 8 lanes of Z to their sum in X. X and Y are the lower parts of Z,
// YT and XT scratch.
#define SUM8(Z, Y, X, YT, XT) \
	VEXTRACTF64X4 $1, Z, YT \
	VADDPD        YT, Y, Y  \
	SUM4(Y, X, XT)

// FETCH requests the next four lines.
#define FETCH \
	PREFETCHT1 (R8)    \
	PREFETCHT1 64(R8)  \
	PREFETCHT1 128(R8) \
	PREFETCHT1 192(R8)

// LINE adds eight products to the lanes L. T is scratch.
#define LINE(O, L, T) \
	VMOVUPD O(SI), T \
	VMULPD  O(DI), T, T \
	VADDPD  T, L, L

// func dotAVX512(a, b *float64, n int, next *float64) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-40
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   next+24(FP), R8
	VXORPD X0, X0, X0
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3

	TESTQ  R8, R8
	JNZ    pages

stretches:
	LINE(0, Z0, Z4)
	LINE(64, Z1, Z5)
	LINE(128, Z2, Z6)
	LINE(192, Z3, Z7)
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ DX
	JNZ  stretches
	JMP  lanes

pages:
	MOVBLZX ·fetchMode(SB), AX
	CMPL    AX, $const_inOrder
	JEQ     fetch
	MOVQ    R8, R9
	MOVQ CX, R10
	PAGES(R9, R10)

fetch: // stretches, while the lines of next come
	LINE(0, Z0, Z4)
	FETCH
	LINE(64, Z1, Z5)
	LINE(128, Z2, Z6)
	TESTL AX, AX
	JNZ   fetched
	FETCH
	FETCH

fetched:
	LINE(192, Z3, Z7)
	ADDQ $256, SI
	ADDQ $256, DI
	ADDQ $256, R8
	DECQ DX
	JNZ  fetch

lanes: // 32 to 8
	VADDPD Z1, Z0, Z0
	VADDPD Z3, Z2, Z2
	VADDPD Z2, Z0, Z0

tail:
	ANDQ  $31, CX
	TESTQ R8, R8
	JNZ   rest

tailed:
	CMPQ CX, $8
	JLT  last

eights:
	LINE(0, Z0, Z4)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

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

rest: // the lines after the stretches
	MOVQ CX, AX

lines:
	PREFETCHT1 (R8)
	PREFETCHT1 (R8)
	PREFETCHT1 (R8)
	ADDQ $64, R8
	SUBQ $8, AX
	JGT  lines
	JMP  tailed

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

stretches:
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
	JNZ     stretches

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
