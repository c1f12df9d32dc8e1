//go:build !purego

#include "textflag.h"
#include "vec_amd64.h"

// 32 lanes of 20 sums do not fit in the registers. So the kernel passes over the vectors
// four times, and keeps one ZMM register of 8 lanes a sum. A pass reads one cache line of
// every four: 9 loads serve 20 products. Between passes the lanes are in memory.
//
// Registers:
//
//	SI, DI, R8, R9   the beginnings of the four rows
//	R10–R13, CX      the beginnings of the group's vectors
//	DX               the offset into rows and vectors
//	R15              the bytes in whole blocks of 32 elements
//	R14              the number of the group's vectors
//	BX               what to prefetch of the next rows, or 0; outside of the blocks scratch
//	AX               outside of the blocks scratch, and the group's lanes
//	Z0–Z3, …         8 lanes of the four rows' sums with the first vector, …
//	Z16–Z19          and with the fifth
//	Z20–Z23          8 elements of each row
//	Z24, Z25–Z28     8 elements of a vector, and products
//	K1, K2, K3       masks: the last elements, every second one, the first four
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// CLEAR sets four registers to 0.
#define CLEAR(A, B, C, D) \
	VPXORQ A, A, A \
	VPXORQ B, B, B \
	VPXORQ C, C, C \
	VPXORQ D, D, D

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

// LAST is COLUMN for the elements in the mask K1.
#define LAST(W, A, B, C, D) \
	VMOVUPD.Z (W)(DX*1), K1, Z24 \
	PRODUCTS(A, B, C, D)

// FETCH requests a line of the next rows three times: a processor drops requests that it
// has no room for.
#define FETCH \
	PREFETCHT1 (BX) \
	PREFETCHT1 (BX) \
	PREFETCHT1 (BX) \
	ADDQ $64, BX

// STORE stores four sums at P of the group's lanes. ADD adds the lanes there to them.
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

// STORES and ADDS do so for all sums.
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

// FOLD folds the 8 lanes of four sums in Dot's order, and stores them at P of the
// results: the halves, the halves of these, and the last pair. K2 is 0x55, K3 is 0x0f.
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

// func blockAVX512(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)
TEXT ·blockAVX512(SB), NOSPLIT, $48-72
	MOVQ  x+16(FP), BX
	MOVQ  (BX), SI
	MOVQ  8(BX), DI
	MOVQ  16(BX), R8
	MOVQ  24(BX), R9
	MOVQ  n+32(FP), R15
	SHLQ  $3, R15
	ANDQ  $-256, R15
	MOVQ  next+64(FP), DX
	TESTQ DX, DX
	JZ    first
	MOVQ  $4, CX

pages: // of the next rows
	MOVQ (DX), R10
	MOVQ n+32(FP), R11
	PAGES(R10, R11)
	ADDQ $8, DX
	DECQ CX
	JNZ  pages

first:
	XORL  BX, BX
	TESTQ R15, R15
	JNZ   pass
	MOVQ  $3, BX // no whole block: the last pass alone

pass: // number BX; it prefetches one of the next rows
	MOVQ  BX, pass-8(SP)
	MOVQ  lanes+8(FP), AX
	MOVQ  w+24(FP), CX
	MOVQ  CX, w-16(SP)
	MOVQ  sums+0(FP), CX
	MOVQ  CX, sums-24(SP)
	XORL  CX, CX
	MOVQ  next+64(FP), DX
	TESTQ DX, DX
	JZ    start
	MOVQ  (DX)(BX*8), CX

start:
	MOVQ CX, next-32(SP)
	XORL CX, CX

group: // number CX, with its lanes at AX; the first two groups prefetch
	MOVQ CX, group-40(SP)
	MOVQ AX, lanes-48(SP)
	MOVQ next-32(SP), BX
	CMPQ CX, $2
	JLT  size
	XORL BX, BX

size:
	MOVQ size+48(FP), R14
	CMPQ CX, larger+56(FP)
	JGE  vectors
	INCQ R14

vectors:
	MOVQ w-16(SP), CX
	LEAQ (CX)(R14*8), DX
	MOVQ DX, w-16(SP)
	MOVQ (CX), R10
	MOVQ 8(CX), R11
	MOVQ 16(CX), R12
	MOVQ 24(CX), R13
	MOVQ 32(CX), CX
	CLEAR(Z0, Z1, Z2, Z3)
	CLEAR(Z4, Z5, Z6, Z7)
	CLEAR(Z8, Z9, Z10, Z11)
	CLEAR(Z12, Z13, Z14, Z15)
	CLEAR(Z16, Z17, Z18, Z19)
	MOVQ pass-8(SP), DX
	SHLQ $6, DX
	CMPQ DX, R15
	JGE  tail

blocks:
	VMOVUPD (SI)(DX*1), Z20
	VMOVUPD (DI)(DX*1), Z21
	VMOVUPD (R8)(DX*1), Z22
	VMOVUPD (R9)(DX*1), Z23
	TESTQ   BX, BX
	JZ      columns
	FETCH
	FETCH
	CMPQ    groups+40(FP), $1
	JNE     columns
	FETCH
	FETCH

columns:
	COLUMN(R10, Z0, Z1, Z2, Z3)
	COLUMN(R11, Z4, Z5, Z6, Z7)
	COLUMN(R12, Z8, Z9, Z10, Z11)
	CMPQ R14, $4
	JLT  step
	COLUMN(R13, Z12, Z13, Z14, Z15)
	JE   step
	COLUMN(CX, Z16, Z17, Z18, Z19)

step:
	ADDQ $256, DX
	CMPQ DX, R15
	JLT  blocks
	MOVQ BX, next-32(SP)
	MOVQ lanes-48(SP), AX

	// 32 lanes to 8: (pass 0 + pass 1) + (pass 2 + pass 3)
	MOVQ pass-8(SP), BX
	CMPQ BX, $1
	JLT  store
	JE   second
	CMPQ BX, $3
	JLT  third
	ADDS(1280)
	ADDS(0)

tail: // the elements after the last block, 8 at a time
	MOVQ  R15, DX
	MOVQ  n+32(FP), BX
	ANDQ  $31, BX
	JZ    fold
	MOVL  $255, AX
	KMOVW AX, K1

eights:
	CMPQ  BX, $8
	JGE   whole
	XORL  AX, AX // fewer than 8, the rest of the registers zero
	BTSQ  BX, AX
	DECL  AX
	KMOVW AX, K1

whole:
	VMOVUPD.Z (SI)(DX*1), K1, Z20
	VMOVUPD.Z (DI)(DX*1), K1, Z21
	VMOVUPD.Z (R8)(DX*1), K1, Z22
	VMOVUPD.Z (R9)(DX*1), K1, Z23
	LAST(R10, Z0, Z1, Z2, Z3)
	LAST(R11, Z4, Z5, Z6, Z7)
	LAST(R12, Z8, Z9, Z10, Z11)
	CMPQ      R14, $4
	JLT       eight
	LAST(R13, Z12, Z13, Z14, Z15)
	JE        eight
	LAST(CX, Z16, Z17, Z18, Z19)

eight:
	ADDQ $64, DX
	SUBQ $8, BX
	JG   eights

fold:
	MOVL $0x55, AX
	KMOVW AX, K2
	MOVL $0x0F, AX
	KMOVW AX, K3
	MOVQ sums-24(SP), CX
	FOLD(0, Z0, Z1, Z2, Z3)
	FOLD(32, Z4, Z5, Z6, Z7)
	FOLD(64, Z8, Z9, Z10, Z11)
	CMPQ R14, $4
	JLT  folded
	FOLD(96, Z12, Z13, Z14, Z15)
	CMPQ R14, $5
	JLT  folded
	FOLD(128, Z16, Z17, Z18, Z19)

folded:
	SHLQ $5, R14
	ADDQ R14, CX
	MOVQ CX, sums-24(SP)
	JMP  next

second:
	ADDS(0)

store:
	STORES(0)
	JMP next

third:
	STORES(1280)

next:
	MOVQ lanes-48(SP), AX
	ADDQ $2560, AX
	MOVQ group-40(SP), CX
	INCQ CX
	CMPQ CX, groups+40(FP)
	JLT  group
	MOVQ pass-8(SP), BX
	INCQ BX
	CMPQ BX, $4
	JLT  pass
	VZEROUPPER
	RET
