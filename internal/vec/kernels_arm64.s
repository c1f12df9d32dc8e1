//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// Registers, in both kernels:
//
//	R0, R1    the next elements of the factors a, b; of axpy R0 is dst, R1 w,
//	          R2 x
//	R3        elements left
//	R4        stretches left
//	R5        scratch
//	R8        the next elements to prefetch, or 0
//	V0–V15    lanes 0–1, 2–3, …, 30–31; of axpy V0 is c in both lanes
//	V16–V23   the next elements
//
// EIGHT adds the next 8 products to the lanes in the registers k to k+3.
#define EIGHT(k) \
	VLD1.P 64(R0), [V16.D2, V17.D2, V18.D2, V19.D2] \
	VLD1.P 64(R1), [V20.D2, V21.D2, V22.D2, V23.D2] \
	FMUL2D(20, 16, 16) \
	FMUL2D(21, 17, 17) \
	FMUL2D(22, 18, 18) \
	FMUL2D(23, 19, 19) \
	FADD2D(16, k, k)     \
	FADD2D(17, k+1, k+1) \
	FADD2D(18, k+2, k+2) \
	FADD2D(19, k+3, k+3)

// TWO adds the next two products to the lanes in the register k.
#define TWO(k) \
	VLD1.P 16(R0), [V16.D2] \
	VLD1.P 16(R1), [V20.D2] \
	FMUL2D(20, 16, 16) \
	FADD2D(16, k, k)   \
	SUB $2, R3

// ONE adds the last product, if there is one, to the first lane in the register k.
// FMOVD clears the other lane. ONE then jumps to sum.
#define ONE(k) \
	CBZ   R3, sum      \
	FMOVD (R0), F16    \
	FMOVD (R1), F20    \
	FMUL2D(20, 16, 16) \
	FADD2D(16, k, k)   \
	B     sum

// func dotNEON(a, b *float64, n int, next *float64) float64
TEXT ·dotNEON(SB), NOSPLIT, $0-40
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R3
	MOVD next+24(FP), R8
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	LSR  $5, R3, R4
	AND  $31, R3
	CBZ  R4, tail
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16

	CBNZ R8, fetch

stretches:
	EIGHT(0)
	EIGHT(4)
	EIGHT(8)
	EIGHT(12)
	SUB  $1, R4
	CBNZ R4, stretches
	B    lanes

fetch: // the same stretches; each also requests four lines of the row next
	PRFM (R8), PLDL2KEEP
	EIGHT(0)
	PRFM 64(R8), PLDL2KEEP
	EIGHT(4)
	PRFM 128(R8), PLDL2KEEP
	EIGHT(8)
	PRFM 192(R8), PLDL2KEEP
	EIGHT(12)
	ADD  $256, R8
	SUB  $1, R4
	CBNZ R4, fetch

lanes: // folds the 32 lanes into 8
	FADD2D(4, 0, 0)
	FADD2D(5, 1, 1)
	FADD2D(6, 2, 2)
	FADD2D(7, 3, 3)
	FADD2D(12, 8, 8)
	FADD2D(13, 9, 9)
	FADD2D(14, 10, 10)
	FADD2D(15, 11, 11)
	FADD2D(8, 0, 0)
	FADD2D(9, 1, 1)
	FADD2D(10, 2, 2)
	FADD2D(11, 3, 3)

tail:
	CBNZ R8, rest

tailed:
	CMP $8, R3
	BLT last

eights:
	EIGHT(0)
	SUB $8, R3
	CMP $8, R3
	BGE eights

last: // fewer than 8: two by two, and one
	CMP $2, R3
	BLT one0
	TWO(0)
	CMP $2, R3
	BLT one1
	TWO(1)
	CMP $2, R3
	BLT one2
	TWO(2)
	ONE(3)

one0:
	ONE(0)

one1:
	ONE(1)

one2:
	ONE(2)

sum:
	FADD2D(2, 0, 0)
	FADD2D(3, 1, 1)
	FADD2D(1, 0, 0)
	VMOV  V0.D[1], R5
	FMOVD R5, F1
	FADDD F1, F0, F0
	FMOVD F0, ret+32(FP)
	RET

rest: // the lines after the stretches
	MOVD R3, R4

lines:
	PRFM (R8), PLDL2KEEP
	ADD  $64, R8
	SUBS $8, R4
	BGT  lines
	B    tailed

// func axpyNEON(dst, w *float64, c float64, x *float64, n int) bool
TEXT ·axpyNEON(SB), NOSPLIT, $0-41
	MOVD  dst+0(FP), R0
	MOVD  w+8(FP), R1
	MOVD  c+16(FP), R5
	MOVD  x+24(FP), R2
	MOVD  n+32(FP), R3
	VDUP  R5, V0.D2
	VEOR  V1.B16, V1.B16, V1.B16 // Σ (dst − dst): zeros while all is finite
	VEOR  V2.B16, V2.B16, V2.B16
	LSR   $3, R3, R4
	AND   $7, R3
	CBZ   R4, tail

stretches:
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R1), [V20.D2, V21.D2, V22.D2, V23.D2]
	FMUL2D(0, 16, 16)
	FMUL2D(0, 17, 17)
	FMUL2D(0, 18, 18)
	FMUL2D(0, 19, 19)
	FADD2D(16, 20, 16)
	FADD2D(17, 21, 17)
	FADD2D(18, 22, 18)
	FADD2D(19, 23, 19)
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(R0)
	FSUB2D(16, 16, 16)
	FSUB2D(17, 17, 17)
	FSUB2D(18, 18, 18)
	FSUB2D(19, 19, 19)
	FADD2D(16, 1, 1)
	FADD2D(17, 2, 2)
	FADD2D(18, 1, 1)
	FADD2D(19, 2, 2)
	SUB    $1, R4
	CBNZ   R4, stretches

tail:
	CBZ R3, check

ones:
	FMOVD.P 8(R2), F16
	FMOVD.P 8(R1), F20
	FMUL2D(0, 16, 16)
	FADD2D(16, 20, 16)
	FMOVD.P F16, 8(R0)
	FSUBD   F16, F16, F16 // clears the other lane
	FADD2D(16, 1, 1)
	SUB     $1, R3
	CBNZ    R3, ones

check:
	FADD2D(2, 1, 1)
	VMOV  V1.D[1], R5
	FMOVD R5, F2
	FADDD F2, F1, F1
	FCMPD F1, F1
	CSET  VC, R5
	MOVB  R5, ret+40(FP)
	RET

// TWOSUM sets V19 to the elements of dst, and V21 to those of dstLow. V16, V17, V18 and V22 have the
// elements of v, sum, low and w. V0 has c. TWOSUM changes V16; V20, V23, V24 and V25 are scratch.
#define TWOSUM \
	FSUB2D(16, 22, 23)          \
	FSUB2D(22, 23, 20)          \
	FSUB2D(20, 23, 24)          \
	FADD2D(20, 16, 20)          \
	FSUB2D(24, 22, 24)          \
	FSUB2D(20, 24, 24)          \
	FMUL2D(0, 23, 16)           \
	FMUL2D(0, 24, 24)           \
	FNEG2D(16, 25)              \
	VFMLA V0.D2, V23.D2, V25.D2 \
	FADD2D(16, 17, 19)          \
	FSUB2D(17, 19, 20)          \
	FSUB2D(20, 19, 21)          \
	FSUB2D(20, 16, 20)          \
	FSUB2D(21, 17, 21)          \
	FADD2D(20, 21, 21)          \
	FADD2D(25, 21, 21)          \
	FADD2D(24, 21, 21)          \
	FADD2D(21, 18, 21)

// CHECK adds dstLow − dstLow to V1. Where dst is not finite, its rounding error is NaN, and so is
// dstLow.
#define CHECK \
	FSUB2D(21, 21, 21) \
	FADD2D(21, 1, 1)

// func accumulateNEON(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool
//
// R0 and R1 are dst and dstLow, R2 and R4 sum and low, R6 and R7 v and w.
TEXT ·accumulateNEON(SB), NOSPLIT, $0-65
	MOVD dst+0(FP), R0
	MOVD dstLow+8(FP), R1
	MOVD sum+16(FP), R2
	MOVD low+24(FP), R4
	MOVD v+32(FP), R6
	MOVD w+40(FP), R7
	MOVD c+48(FP), R5
	MOVD n+56(FP), R3
	VDUP R5, V0.D2
	VEOR V1.B16, V1.B16, V1.B16 // zeros while all is finite
	SUBS $2, R3
	BLT  tail

twos:
	VLD1.P 16(R6), [V16.D2]
	VLD1.P 16(R7), [V22.D2]
	VLD1.P 16(R2), [V17.D2]
	VLD1.P 16(R4), [V18.D2]
	TWOSUM
	VST1.P [V19.D2], 16(R0)
	VST1.P [V21.D2], 16(R1)
	CHECK
	SUBS   $2, R3
	BGE    twos

tail:
	ADDS  $2, R3
	BEQ   check
	FMOVD (R6), F16 // the last one; the other lane is zero
	FMOVD (R7), F22
	FMOVD (R2), F17
	FMOVD (R4), F18
	TWOSUM
	FMOVD F19, (R0)
	FMOVD F21, (R1)
	CHECK

check:
	VMOV  V1.D[1], R5
	FMOVD R5, F2
	FADDD F2, F1, F1
	FCMPD F1, F1
	CSET  VC, R5
	MOVB  R5, ret+64(FP)
	RET
