//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// Registers of both kernels:
//
//	BX, R8   the beginnings of dst and dstLow
//	SI, R9   the beginnings of sum and low
//	DI       the beginning of w
//	DX       the offset into all of them
//	CX       elements left
//	AX, K1   the mask of the last elements in AVX-512
//	0        c in each lane
//	1, 2     the sums of dst − dst and dstLow − dstLow: zeros while all is finite
//	3–5      p, and the elements of sum and low
//	6, 8     the elements of dst and dstLow
//	7        scratch
//
// The numbers are those of ZMM registers in AVX-512, of YMM registers in AVX2. No
// instruction here is fused.

// LOAD loads the arguments, and clears the sums.
#define LOAD \
	MOVQ   dst+0(FP), BX    \
	MOVQ   dstLow+8(FP), R8 \
	MOVQ   sum+16(FP), SI   \
	MOVQ   low+24(FP), R9   \
	MOVQ   w+32(FP), DI     \
	MOVQ   n+48(FP), CX     \
	VXORPD X1, X1, X1       \
	VXORPD X2, X2, X2       \
	XORL   DX, DX

// TWOSUM computes S = A + P and L = low + the rounding error of S. T is scratch.
#define TWOSUM(P, A, LOW, S, T, L) \
	VADDPD P, A, S \
	VSUBPD A, S, T \
	VSUBPD T, S, L \
	VSUBPD T, P, T \
	VSUBPD L, A, L \
	VADDPD T, L, L \
	VADDPD L, LOW, L

// CHECK adds S − S and L − L to the sums at X and Y. S and L are lost.
#define CHECK(S, L, X, Y) \
	VSUBPD S, S, S \
	VSUBPD L, L, L \
	VADDPD S, X, X \
	VADDPD L, Y, Y

// func accumulateAVX512(dst, dstLow, sum, low, w *float64, c float64, n int) bool
TEXT ·accumulateAVX512(SB), NOSPLIT, $0-57
	LOAD
	VBROADCASTSD c+40(FP), Z0
	MOVL         $255, AX
	KMOVW        AX, K1

eights:
	CMPQ  CX, $8
	JGE   whole
	MOVL  $1, AX // fewer than 8, the rest of the registers zero
	SHLL  CX, AX
	DECL  AX
	KMOVW AX, K1

whole:
	VMOVUPD.Z (DI)(DX*1), K1, Z3
	VMOVUPD.Z (SI)(DX*1), K1, Z4
	VMOVUPD.Z (R9)(DX*1), K1, Z5
	VMULPD.Z  Z3, Z0, K1, Z3
	TWOSUM(Z3, Z4, Z5, Z6, Z7, Z8)
	VMOVUPD   Z6, K1, (BX)(DX*1)
	VMOVUPD   Z8, K1, (R8)(DX*1)
	CHECK(Z6, Z8, Z1, Z2)
	ADDQ      $64, DX
	SUBQ      $8, CX
	JG        eights

	// 8 lanes to 4, and these to a sum
	VADDPD        Z2, Z1, Z1
	VEXTRACTF64X4 $1, Z1, Y2
	VADDPD        Y2, Y1, Y1
	SUM4(Y1, X1, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+56(FP)
	RET

// func accumulateAVX2(dst, dstLow, sum, low, w *float64, c float64, n int) bool
TEXT ·accumulateAVX2(SB), NOSPLIT, $0-57
	LOAD
	VBROADCASTSD c+40(FP), Y0
	SUBQ         $4, CX
	JLT          tail

fours:
	VMULPD  (DI)(DX*1), Y0, Y3
	VMOVUPD (SI)(DX*1), Y4
	VMOVUPD (R9)(DX*1), Y5
	TWOSUM(Y3, Y4, Y5, Y6, Y7, Y8)
	VMOVUPD Y6, (BX)(DX*1)
	VMOVUPD Y8, (R8)(DX*1)
	CHECK(Y6, Y8, Y1, Y2)
	ADDQ    $32, DX
	SUBQ    $4, CX
	JGE     fours

tail:
	ADDQ $4, CX
	JZ   check

ones: // the last few one by one, the rest of the registers zero
	VMOVSD (DI)(DX*1), X3
	VMOVSD (SI)(DX*1), X4
	VMOVSD (R9)(DX*1), X5
	VMULSD X0, X3, X3
	TWOSUM(Y3, Y4, Y5, Y6, Y7, Y8)
	VMOVSD X6, (BX)(DX*1)
	VMOVSD X8, (R8)(DX*1)
	CHECK(Y6, Y8, Y1, Y2)
	ADDQ   $8, DX
	DECQ   CX
	JNZ    ones

check:
	VADDPD Y2, Y1, Y1
	SUM4(Y1, X1, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+56(FP)
	RET
