//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// Registers of dotAVX512 beside those in dot_amd64.h:
//
//	Z0–Z3  lanes 0–7, 8–15, 16–23, 24–31
//	Z4–Z7  factors and products
//	K1     the mask of the last elements

// SUM8 folds the 8 lanes of Z to their sum in X. X and Y are the lower parts of Z,
// YT and XT scratch.
#define SUM8(Z, Y, X, YT, XT) \
	VEXTRACTF64X4 $1, Z, YT \
	VADDPD        YT, Y, Y  \
	SUM4(Y, X, XT)

// MASK sets K1 to the mask of the first CX elements. It changes AX.
#define MASK \
	MOVL  $1, AX \
	SHLL  CX, AX \
	DECL  AX     \
	KMOVW AX, K1

#define CLEARS8 VXORPD X0, X0, X0

#define CLEARS24 \
	VXORPD X1, X1, X1 \
	VXORPD X2, X2, X2 \
	VXORPD X3, X3, X3

// LINE adds eight products to the lanes L. T is scratch.
#define LINE(O, L, T) \
	VMOVUPD O(SI), T \
	VMULPD  O(DI), T, T \
	VADDPD  T, L, L

#define LINE0 LINE(0, Z0, Z4)
#define LINE1 LINE(64, Z1, Z5)
#define LINE2 LINE(128, Z2, Z6)
#define LINE3 LINE(192, Z3, Z7)

#define FOLD32 \
	VADDPD Z1, Z0, Z0 \
	VADDPD Z3, Z2, Z2 \
	VADDPD Z2, Z0, Z0

#define LAST8 \
	MASK                    \
	VMOVUPD.Z (SI), K1, Z4  \
	VMOVUPD.Z (DI), K1, Z5  \
	VMULPD    Z5, Z4, Z4    \
	VADDPD    Z4, Z0, Z0

#define FOLD8 SUM8(Z0, Y0, X0, Y1, X1)

// func dotAVX512(a, b *float64, n int, next *float64) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-40
#include "dot_amd64.h"

// SI and DI are the next elements of x and w, R11 those of dst. CX elements are left, and DX
// stretches of 16. Z0 is c in each lane. Z1 and Z2 are sums of dst − dst: 0 while dst is finite.

// func axpyAVX512(dst, w *float64, c float64, x *float64, n int) bool
TEXT ·axpyAVX512(SB), NOSPLIT, $0-41
	MOVQ         dst+0(FP), R11
	MOVQ         w+8(FP), DI
	VBROADCASTSD c+16(FP), Z0
	MOVQ         x+24(FP), SI
	MOVQ         n+32(FP), CX
	VXORPD       X1, X1, X1
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
	MASK
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
