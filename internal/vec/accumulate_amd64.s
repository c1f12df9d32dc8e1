//go:build !purego

#include "textflag.h"
#include "kernels_amd64.h"

// Registers of both kernels:
//
//	BX, R8   the beginnings of dst and dstLow
//	SI, R9   the beginnings of sum and low
//	R10, DI  the beginnings of v and w
//	DX       the offset into all of them
//	CX       elements left
//	AX, K1   the mask of the last elements in AVX-512
//	0        c in each lane
//	1        the sum of dstLow·0: zeros while it is finite, and with it dst
//	2, 13    0 and 1 in each lane
//	3–5      p, and the elements of sum and low
//	6, 8     the elements of dst and dstLow
//	7        scratch
//	9–12     the elements of v and w, d and then e, f
//
// The numbers are those of ZMM registers in AVX-512, of YMM registers in AVX2. Some additions are
// fused with a product by 1, which changes no bit. Many processors multiply and add in different
// units, so this divides the work between them. Of the products with c, only the product in e is
// fused, and e is exact.

// LOAD loads the arguments and a 1, and clears the sum.
#define LOAD \
	MOVQ   $0x3FF0000000000000, DX \
	VMOVQ  DX, X13                 \
	MOVQ   dst+0(FP), BX           \
	MOVQ   dstLow+8(FP), R8        \
	MOVQ   sum+16(FP), SI          \
	MOVQ   low+24(FP), R9          \
	MOVQ   v+32(FP), R10           \
	MOVQ   w+40(FP), DI            \
	MOVQ   n+56(FP), CX            \
	VXORPD X1, X1, X1              \
	VXORPD X2, X2, X2              \
	XORL   DX, DX

// CHANGE computes P = C·D for D = W − V. It then sets D to the rounding error of P, and F to C times
// the rounding error of W − V. T is scratch, and ONE is 1.
#define CHANGE(V, W, C, ONE, P, D, T, F) \
	VSUBPD       V, W, D   \
	VSUBPD       W, D, T   \
	VSUBPD       T, D, F   \
	VFMADD213PD  V, ONE, T \
	VFNMADD213PD W, ONE, F \
	VFMSUB213PD  T, ONE, F \
	VMULPD       D, C, P   \
	VMULPD       F, C, F   \
	VFMSUB213PD  P, C, D

// TWOSUM computes S = A + P and L = low + ((the rounding error of S + E) + F). T is
// scratch, and ONE is 1.
#define TWOSUM(P, A, LOW, E, F, ONE, S, T, L) \
	VADDPD       P, A, S   \
	VSUBPD       A, S, T   \
	VSUBPD       T, S, L   \
	VFNMADD213PD P, ONE, T \
	VFNMADD213PD A, ONE, L \
	VADDPD       T, L, L   \
	VADDPD       E, L, L   \
	VADDPD       F, L, L   \
	VADDPD       L, LOW, L

// CHECK adds L·0 to the sum in X. Where dst is not finite, its rounding error is NaN, and so is L.
#define CHECK(L, ZERO, X) VFMADD231PD L, ZERO, X

// func accumulateAVX512(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool
TEXT ·accumulateAVX512(SB), NOSPLIT, $0-65
	LOAD
	VBROADCASTSD c+48(FP), Z0
	VBROADCASTSD X13, Z13
	SUBQ         $8, CX
	JLT          rest

eights:
	VMOVUPD (R10)(DX*1), Z9
	VMOVUPD (DI)(DX*1), Z10
	VMOVUPD (SI)(DX*1), Z4
	VMOVUPD (R9)(DX*1), Z5
	CHANGE(Z9, Z10, Z0, Z13, Z3, Z11, Z7, Z12)
	TWOSUM(Z3, Z4, Z5, Z11, Z12, Z13, Z6, Z7, Z8)
	VMOVUPD Z6, (BX)(DX*1)
	VMOVUPD Z8, (R8)(DX*1)
	CHECK(Z8, Z2, Z1)
	ADDQ    $64, DX
	SUBQ    $8, CX
	JGE     eights

rest:
	ADDQ  $8, CX
	JZ    end
	MOVL  $1, AX // the last elements; the other lanes of the registers are zero
	SHLL  CX, AX
	DECL  AX
	KMOVW AX, K1
	VMOVUPD.Z (R10)(DX*1), K1, Z9
	VMOVUPD.Z (DI)(DX*1), K1, Z10
	VMOVUPD.Z (SI)(DX*1), K1, Z4
	VMOVUPD.Z (R9)(DX*1), K1, Z5
	CHANGE(Z9, Z10, Z0, Z13, Z3, Z11, Z7, Z12)
	TWOSUM(Z3, Z4, Z5, Z11, Z12, Z13, Z6, Z7, Z8)
	VMOVUPD   Z6, K1, (BX)(DX*1)
	VMOVUPD   Z8, K1, (R8)(DX*1)
	CHECK(Z8, Z2, Z1)

end:
	// 8 lanes to 4, and these to a sum
	VEXTRACTF64X4 $1, Z1, Y2
	VADDPD        Y2, Y1, Y1
	SUM4(Y1, X1, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+64(FP)
	RET

// func accumulateAVX2(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool
TEXT ·accumulateAVX2(SB), NOSPLIT, $0-65
	LOAD
	VBROADCASTSD c+48(FP), Y0
	VBROADCASTSD X13, Y13
	SUBQ         $4, CX
	JLT          tail

fours:
	VMOVUPD (R10)(DX*1), Y9
	VMOVUPD (DI)(DX*1), Y10
	VMOVUPD (SI)(DX*1), Y4
	VMOVUPD (R9)(DX*1), Y5
	CHANGE(Y9, Y10, Y0, Y13, Y3, Y11, Y7, Y12)
	TWOSUM(Y3, Y4, Y5, Y11, Y12, Y13, Y6, Y7, Y8)
	VMOVUPD Y6, (BX)(DX*1)
	VMOVUPD Y8, (R8)(DX*1)
	CHECK(Y8, Y2, Y1)
	ADDQ    $32, DX
	SUBQ    $4, CX
	JGE     fours

tail:
	ADDQ $4, CX
	JZ   check

ones: // the last elements one by one; the other lanes of the registers are zero
	VMOVSD (R10)(DX*1), X9
	VMOVSD (DI)(DX*1), X10
	VMOVSD (SI)(DX*1), X4
	VMOVSD (R9)(DX*1), X5
	CHANGE(Y9, Y10, Y0, Y13, Y3, Y11, Y7, Y12)
	TWOSUM(Y3, Y4, Y5, Y11, Y12, Y13, Y6, Y7, Y8)
	VMOVSD X6, (BX)(DX*1)
	VMOVSD X8, (R8)(DX*1)
	CHECK(Y8, Y2, Y1)
	ADDQ   $8, DX
	DECQ   CX
	JNZ    ones

check:
	SUM4(Y1, X1, X2)
	VZEROUPPER
	UCOMISD X1, X1
	SETPC   ret+64(FP)
	RET
