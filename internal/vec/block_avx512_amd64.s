//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// Registers:
//
//	Z0–Z3, …     8 lanes of the four rows' sums with the first vector, …
//	Z16–Z19      and with the fifth
//	Z20–Z23      8 elements of each row
//	Z24, Z25–Z28 8 elements of a vector, and products
//	K1, K2, K3   masks: the last elements, every second one, the first four

#define LANES 1280

// CLEAR sets four registers to 0.
#define CLEAR(A, B, C, D) \
	VPXORQ A, A, A \
	VPXORQ B, B, B \
	VPXORQ C, C, C \
	VPXORQ D, D, D

#define CLEARS \
	CLEAR(Z0, Z1, Z2, Z3)     \
	CLEAR(Z4, Z5, Z6, Z7)     \
	CLEAR(Z8, Z9, Z10, Z11)   \
	CLEAR(Z12, Z13, Z14, Z15) \
	CLEAR(Z16, Z17, Z18, Z19)

// PRODUCTS adds the products of each row with the vector in Z24 to four sums.
#define PRODUCTS(A, B, C, D) \
	VMULPD Z24, Z20, Z25 \
	VMULPD Z24, Z21, Z26 \
	VMULPD Z24, Z22, Z27 \
	VMULPD Z24, Z23, Z28 \
	VADDPD Z25, A, A     \
	VADDPD Z26, B, B     \
	VADDPD Z27, C, C     \
	VADDPD Z28, D, D

// COLUMN adds the products with 8 elements of the vector at W.
#define COLUMN(W, A, B, C, D) \
	VMOVUPD (W)(DX*1), Z24 \
	PRODUCTS(A, B, C, D)

// COLUMNS needs 9 loads for 20 products.
#define COLUMNS(HALF, DONE) \
	VMOVUPD (SI)(DX*1), Z20            \
	VMOVUPD (DI)(DX*1), Z21            \
	VMOVUPD (R8)(DX*1), Z22            \
	VMOVUPD (R9)(DX*1), Z23            \
	COLUMN(R10, Z0, Z1, Z2, Z3)        \
	COLUMN(R11, Z4, Z5, Z6, Z7)        \
	COLUMN(R12, Z8, Z9, Z10, Z11)      \
	CMPQ    R14, $4                    \
	JLT     DONE                       \
	COLUMN(R13, Z12, Z13, Z14, Z15)    \
	JE      DONE                       \
	COLUMN(CX, Z16, Z17, Z18, Z19)

// LAST is COLUMN for the elements in the mask K1.
#define LAST(W, A, B, C, D) \
	VMOVUPD.Z (W)(DX*1), K1, Z24 \
	PRODUCTS(A, B, C, D)

#define LASTS(DONE) \
	XORL      AX, AX                 \
	BTSQ      BX, AX                 \
	DECL      AX                     \
	KMOVW     AX, K1                 \
	VMOVUPD.Z (SI)(DX*1), K1, Z20    \
	VMOVUPD.Z (DI)(DX*1), K1, Z21    \
	VMOVUPD.Z (R8)(DX*1), K1, Z22    \
	VMOVUPD.Z (R9)(DX*1), K1, Z23    \
	LAST(R10, Z0, Z1, Z2, Z3)        \
	LAST(R11, Z4, Z5, Z6, Z7)        \
	LAST(R12, Z8, Z9, Z10, Z11)      \
	CMPQ      R14, $4                \
	JLT       DONE                   \
	LAST(R13, Z12, Z13, Z14, Z15)    \
	JE        DONE                   \
	LAST(CX, Z16, Z17, Z18, Z19)

// STORE stores the lanes of four sums at P of the round's lanes. ADD adds the lanes stored there to
// those in the registers.
#define STORE(P, A, B, C, D) \
	VMOVUPD A, P+0(AX)   \
	VMOVUPD B, P+64(AX)  \
	VMOVUPD C, P+128(AX) \
	VMOVUPD D, P+192(AX)

#define ADD(P, A, B, C, D) \
	VADDPD P+0(AX), A, A   \
	VADDPD P+64(AX), B, B  \
	VADDPD P+128(AX), C, C \
	VADDPD P+192(AX), D, D

// STORES and ADDS do the same for all sums.
#define STORES(P) \
	STORE(P+0, Z0, Z1, Z2, Z3)      \
	STORE(P+256, Z4, Z5, Z6, Z7)    \
	STORE(P+512, Z8, Z9, Z10, Z11)  \
	STORE(P+768, Z12, Z13, Z14, Z15) \
	STORE(P+1024, Z16, Z17, Z18, Z19)

#define ADDS(P) \
	ADD(P+0, Z0, Z1, Z2, Z3)      \
	ADD(P+256, Z4, Z5, Z6, Z7)    \
	ADD(P+512, Z8, Z9, Z10, Z11)  \
	ADD(P+768, Z12, Z13, Z14, Z15) \
	ADD(P+1024, Z16, Z17, Z18, Z19)

// FOLD folds the 8 lanes of each of four sums, in Dot's order: the two halves, then the halves of
// the result, then the last pair. It stores the four sums at P of the results. K2 is 0x55, K3 0x0f.
#define FOLD(P, A, B, C, D) \
	VSHUFF64X2 $0x44, B, A, Z24     \
	VSHUFF64X2 $0xEE, B, A, Z25     \
	VSHUFF64X2 $0x44, D, C, Z26     \
	VSHUFF64X2 $0xEE, D, C, Z27     \
	VADDPD     Z25, Z24, Z24        \
	VADDPD     Z27, Z26, Z26        \
	VSHUFF64X2 $0x88, Z26, Z24, Z25 \
	VSHUFF64X2 $0xDD, Z26, Z24, Z24 \
	VADDPD     Z24, Z25, Z25        \
	VPERMILPD  $0x55, Z25, Z24      \
	VADDPD     Z24, Z25, Z25        \
	VCOMPRESSPD Z25, K2, Z25        \
	VMOVUPD    Z25, K3, P(CX)

#define FOLDS(DONE) \
	MOVL  $0x55, AX                \
	KMOVW AX, K2                   \
	MOVL  $0x0F, AX                \
	KMOVW AX, K3                   \
	FOLD(0, Z0, Z1, Z2, Z3)        \
	FOLD(32, Z4, Z5, Z6, Z7)       \
	FOLD(64, Z8, Z9, Z10, Z11)     \
	CMPQ  R14, $4                  \
	JLT   DONE                     \
	FOLD(96, Z12, Z13, Z14, Z15)   \
	JE    DONE                     \
	FOLD(128, Z16, Z17, Z18, Z19)

#define REQUESTS(A, B) \
	REQUEST(A) \
	REQUEST(B)

#define ROUND

// func blockAVX512(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)
TEXT ·blockAVX512(SB), NOSPLIT, $56-72
#include "block_amd64.h"
