//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// Eight words of ones, then eight zeros. The mask for the first r of 8 elements
// begins r words before the zeros.
DATA ·ones+0(SB)/8, $-1
DATA ·ones+8(SB)/8, $-1
DATA ·ones+16(SB)/8, $-1
DATA ·ones+24(SB)/8, $-1
DATA ·ones+32(SB)/8, $-1
DATA ·ones+40(SB)/8, $-1
DATA ·ones+48(SB)/8, $-1
DATA ·ones+56(SB)/8, $-1
GLOBL ·ones(SB), RODATA|NOPTR, $128

// Registers of dotAVX2 beside those in dot_amd64.h:
//
//	Y0–Y7   lanes 0–3, 4–7, …, 28–31
//	Y8–Y15  factors, products and masks

#define CLEARS8 CLEAR2
#define CLEARS24 CLEAR6

// LINE adds eight products to the lanes L and M. T and U are scratch.
#define LINE(O, L, M, T, U) \
	VMOVUPD O(SI), T \
	VMOVUPD O+32(SI), U \
	VMULPD  O(DI), T, T \
	VMULPD  O+32(DI), U, U \
	VADDPD  T, L, L \
	VADDPD  U, M, M

#define LINE0 LINE(0, Y0, Y1, Y8, Y9)
#define LINE1 LINE(64, Y2, Y3, Y10, Y11)
#define LINE2 LINE(128, Y4, Y5, Y12, Y13)
#define LINE3 LINE(192, Y6, Y7, Y14, Y15)

#define FOLD32 FOLD4

#define LAST8 \
	MASKS(CX, AX)               \
	VMOVUPD    (AX), Y10        \
	VMOVUPD    32(AX), Y11      \
	VMASKMOVPD (SI), Y10, Y8    \
	VMASKMOVPD (DI), Y10, Y9    \
	VMASKMOVPD 32(SI), Y11, Y12 \
	VMASKMOVPD 32(DI), Y11, Y13 \
	VMULPD     Y9, Y8, Y8       \
	VMULPD     Y13, Y12, Y12    \
	VADDPD     Y8, Y0, Y0       \
	VADDPD     Y12, Y1, Y1

#define FOLD8 \
	VADDPD Y1, Y0, Y0 \
	SUM4(Y0, X0, X1)

// func dotAVX2(a, b *float64, n int, next *float64) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-40
#include "dot_amd64.h"

// SI and DI are the next elements of x and w, R11 those of dst. CX elements are left, and DX
// stretches of 8. Y0 is c in each lane. Y1 to Y3 are sums of dst − dst: 0 while dst is finite.

// func axpyAVX2(dst, w *float64, c float64, x *float64, n int) bool
TEXT ·axpyAVX2(SB), NOSPLIT, $0-41
	MOVQ         dst+0(FP), R11
	MOVQ         w+8(FP), DI
	VBROADCASTSD c+16(FP), Y0
	MOVQ         x+24(FP), SI
	MOVQ         n+32(FP), CX
	VXORPD       X1, X1, X1
	VXORPD       X2, X2, X2
	MOVQ         CX, DX
	SHRQ         $3, DX
	JZ           tail

stretches:
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
	JNZ     stretches

tail:
	ANDQ $7, CX
	JZ   check

	VXORPD X3, X3, X3

ones: // the last elements one by one; an addition to X1 would clear the upper half of Y1
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
