//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// As on amd64, the kernel passes over the vectors four times, and a pass reads 8 elements
// of every 32.
//
// Registers:
//
//	R0–R3     the next elements of the rows x0 and x1, and of the vectors w0 and w1
//	R4        the next elements to prefetch
//	R5        the pass
//	R6        stretches left; then elements left
//	R7        lanes of earlier passes
//	R8        scratch
//	V0–V3     8 lanes of x0 and w0; V4–V7 of x1 and w0; V8–V11 of x0 and w1; V12–V15 of
//	          x1 and w1
//	V16–V23   the next 8 elements of x0 and of x1
//	V24–V31   8 elements of a vector, and products

// PRODUCTS multiplies the 8 elements in the registers x to x+3 by those in V24 to V27, and adds the
// products to the lanes in the registers k to k+3.
#define PRODUCTS(x, k) \
	FMUL2D(24, x, 28)    \
	FMUL2D(25, x+1, 29)  \
	FMUL2D(26, x+2, 30)  \
	FMUL2D(27, x+3, 31)  \
	FADD2D(28, k, k)     \
	FADD2D(29, k+1, k+1) \
	FADD2D(30, k+2, k+2) \
	FADD2D(31, k+3, k+3)

// EIGHT adds the products of the next 8 elements to all lanes.
#define EIGHT \
	VLD1.P 64(R0), [V16.D2, V17.D2, V18.D2, V19.D2] \
	VLD1.P 64(R1), [V20.D2, V21.D2, V22.D2, V23.D2] \
	VLD1.P 64(R2), [V24.D2, V25.D2, V26.D2, V27.D2] \
	PRODUCTS(16, 0)                                 \
	PRODUCTS(20, 4)                                 \
	VLD1.P 64(R3), [V24.D2, V25.D2, V26.D2, V27.D2] \
	PRODUCTS(16, 8)                                 \
	PRODUCTS(20, 12)

// SMALL adds the products of the elements in V16, V20, V24 and V25, those of x0, x1, w0
// and w1, to the lanes in the register k of each sum.
#define SMALL(k) \
	FMUL2D(24, 16, 28)     \
	FMUL2D(24, 20, 29)     \
	FMUL2D(25, 16, 30)     \
	FMUL2D(25, 20, 31)     \
	FADD2D(28, k, k)       \
	FADD2D(29, k+4, k+4)   \
	FADD2D(30, k+8, k+8)   \
	FADD2D(31, k+12, k+12)

// TWO adds the next two products to the lanes in the register k of each sum.
#define TWO(k) \
	VLD1.P 16(R0), [V16.D2] \
	VLD1.P 16(R1), [V20.D2] \
	VLD1.P 16(R2), [V24.D2] \
	VLD1.P 16(R3), [V25.D2] \
	SMALL(k)                \
	SUB $2, R6

// ONE adds the last product, if there is one, to the first lane in the register k of each
// sum. FMOVD clears the other lane. ONE then jumps to fold.
#define ONE(k) \
	CBZ   R6, fold  \
	FMOVD (R0), F16 \
	FMOVD (R1), F20 \
	FMOVD (R2), F24 \
	FMOVD (R3), F25 \
	SMALL(k)        \
	B     fold

// ADDS adds the lanes stored at R7 to all lanes. ADD4 does this for 8 lanes. Both advance R7.
#define ADD4(k) \
	VLD1.P 64(R7), [V16.D2, V17.D2, V18.D2, V19.D2] \
	FADD2D(16, k, k)     \
	FADD2D(17, k+1, k+1) \
	FADD2D(18, k+2, k+2) \
	FADD2D(19, k+3, k+3)

#define ADDS \
	ADD4(0)  \
	ADD4(4)  \
	ADD4(8)  \
	ADD4(12)

// STORES stores all lanes at R7, and advances R7.
#define STORES \
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R7)   \
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R7)   \
	VST1.P [V8.D2, V9.D2, V10.D2, V11.D2], 64(R7) \
	VST1.P [V12.D2, V13.D2, V14.D2, V15.D2], 64(R7)

// FOLD folds the 8 lanes in the registers k to k+3, in Dot's order, to their sum in F. F and V are
// both names of the register k.
#define FOLD(k, F, V) \
	FADD2D(k+2, k, k)     \
	FADD2D(k+3, k+1, k+1) \
	FADD2D(k+1, k, k)     \
	VMOV  V.D[1], R8      \
	FMOVD R8, F16         \
	FADDD F16, F, F

// func blockNEON(sums *float64, lanes *[64]float64, x0, x1, w0, w1 *float64, n int, next *float64)
TEXT ·blockNEON(SB), NOSPLIT, $0-64
	MOVD next+56(FP), R4
	MOVD ZR, R5

pass: // number R5
	MOVD x0+16(FP), R0
	MOVD x1+24(FP), R1
	MOVD w0+32(FP), R2
	MOVD w1+40(FP), R3
	MOVD n+48(FP), R6
	MOVD lanes+8(FP), R7
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
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
	LSR  $5, R6
	CBZ  R6, tail
	ADD  R5<<6, R0
	ADD  R5<<6, R1
	ADD  R5<<6, R2
	ADD  R5<<6, R3

stretches:
	CBZ  R4, eight
	PRFM (R4), PLDL2KEEP
	ADD  $64, R4

eight:
	EIGHT
	ADD  $192, R0
	ADD  $192, R1
	ADD  $192, R2
	ADD  $192, R3
	SUB  $1, R6
	CBNZ R6, stretches

	// 32 lanes to 8: (pass 0 + pass 1) + (pass 2 + pass 3)
	CMP $1, R5
	BLT store
	BEQ second
	CMP $3, R5
	BLT third
	ADD $256, R7
	ADDS
	SUB $512, R7
	ADDS

	// the rows and vectors after the last stretch: three lines of it have been passed over
	SUB $192, R0
	SUB $192, R1
	SUB $192, R2
	SUB $192, R3

tail: // the elements after the last stretch, 8 at a time
	MOVD n+48(FP), R6
	AND  $31, R6
	CMP  $8, R6
	BLT  last

eights:
	EIGHT
	SUB $8, R6
	CMP $8, R6
	BGE eights

last: // fewer than 8: two by two, and one
	CMP $2, R6
	BLT one0
	TWO(0)
	CMP $2, R6
	BLT one1
	TWO(1)
	CMP $2, R6
	BLT one2
	TWO(2)
	ONE(3)

one0:
	ONE(0)

one1:
	ONE(1)

one2:
	ONE(2)

fold:
	FOLD(0, F0, V0)
	FOLD(4, F4, V4)
	FOLD(8, F8, V8)
	FOLD(12, F12, V12)
	MOVD  sums+0(FP), R0
	FMOVD F0, (R0)
	FMOVD F4, 8(R0)
	FMOVD F8, 32(R0)
	FMOVD F12, 40(R0)
	RET

second:
	ADDS
	SUB $256, R7

store:
	STORES
	ADD $1, R5
	B   pass

third:
	ADD $256, R7
	B   store
