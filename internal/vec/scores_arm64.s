//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// Registers:
//
//	R0, R1    the next elements of the row, and those of the group's vectors
//	R2        the next scores
//	R3        elements of the row left
//	R4        groups left
//	R5, R6    the row and its length
//	V0–V15    v[0], …, v[7] of Dot for the vectors of a group, two registers each
//	V16       an element of the row
//	V17, V18  those of the vectors at the same position; products
//
// No instruction here is fused.

// MAC adds the products of the row's element in V16 with those of the vectors, in V17 and V18, to
// the registers k and k+1.
#define MAC(k) \
	FMUL2D(16, 17, 17) \
	FMUL2D(16, 18, 18) \
	FADD2D(17, k, k)   \
	FADD2D(18, k+1, k+1)

// NEXT is MAC for the next element of the row.
#define NEXT(k) \
	VLD1R.P 8(R0), [V16.D2]          \
	VLD1.P  32(R1), [V17.D2, V18.D2] \
	MAC(k)

// FOLD adds the registers k and k+1 to the registers i and i+1.
#define FOLD(k, i) \
	FADD2D(k, i, i) \
	FADD2D(k+1, i+1, i+1)

// ZERO8 clears eight registers.
#define ZERO8(A, B, C, D, E, F, G, H) \
	VEOR A.B16, A.B16, A.B16 \
	VEOR B.B16, B.B16, B.B16 \
	VEOR C.B16, C.B16, C.B16 \
	VEOR D.B16, D.B16, D.B16 \
	VEOR E.B16, E.B16, E.B16 \
	VEOR F.B16, F.B16, F.B16 \
	VEOR G.B16, G.B16, G.B16 \
	VEOR H.B16, H.B16, H.B16

// func scoresNEON(scores, w, x *float64, d, groups int)
TEXT ·scoresNEON(SB), NOSPLIT, $0-40
	MOVD scores+0(FP), R2
	MOVD w+8(FP), R1
	MOVD x+16(FP), R5
	MOVD d+24(FP), R6
	MOVD groups+32(FP), R4

group:
	MOVD R5, R0
	MOVD R6, R3
	ZERO8(V0, V1, V2, V3, V4, V5, V6, V7)
	ZERO8(V8, V9, V10, V11, V12, V13, V14, V15)
	B    rest

eights:
	NEXT(0)
	NEXT(2)
	NEXT(4)
	NEXT(6)
	NEXT(8)
	NEXT(10)
	NEXT(12)
	NEXT(14)

rest:
	SUBS $8, R3
	BGE  eights
	CMP  $-7, R3 // the number of elements left, minus 8
	BLT  fold
	NEXT(0)
	BEQ  fold
	CMP  $-5, R3
	NEXT(2)
	BLT  fold
	NEXT(4)
	BEQ  fold
	CMP  $-3, R3
	NEXT(6)
	BLT  fold
	NEXT(8)
	BEQ  fold
	CMP  $-1, R3
	NEXT(10)
	BLT  fold
	NEXT(12)

fold: // step 4 of Dot, and b
	FOLD(8, 0)
	FOLD(10, 2)
	FOLD(12, 4)
	FOLD(14, 6)
	FOLD(4, 0)
	FOLD(6, 2)
	FOLD(2, 0)
	VLD1.P 32(R1), [V16.D2, V17.D2]
	FOLD(16, 0)
	VST1.P [V0.D2, V1.D2], 32(R2)
	SUBS   $1, R4
	BNE    group
	RET
