// The body of blockAVX2 and blockAVX512.
//
// 32 lanes of each sum do not fit in the registers. So the kernel passes over the vectors four
// times, and keeps 8 lanes of a sum. A pass reads one cache line of every four. Between passes the
// lanes are in memory.
//
// A round multiplies some of the rows with a group of vectors: all four in AVX-512, two in AVX2.
// The other two follow, while the vectors' lines are in the first cache.
//
// Registers:
//
//	SI, DI, R8, R9   the beginnings of the four rows, first those of the round
//	R10–R13, CX      the beginnings of the group's vectors
//	DX               the offset into rows and vectors
//	R15              the bytes in whole stretches of 32 elements
//	R14              the number of the group's vectors
//	BX               the next line to prefetch, or 0; outside of the stretches scratch
//	AX               fetchMode; outside of the stretches scratch, and the round's lanes
//
// Each version defines, for the round's rows and the group's vectors:
//
//	CLEARS      sets the lanes to 0
//	COLUMNS     adds the products of the elements at DX to the lanes; its arguments are labels
//	LASTS       does so for the BX elements at DX, fewer than 8; it changes BX
//	STORES(P)   stores the lanes at P of AX
//	ADDS(P)     adds the lanes there to these; they take LANES bytes
//	FOLDS       folds the lanes in Dot's order, and stores the sums at CX
//	REQUESTS    requests as many lines of the next rows as a group should; its arguments are labels
//	ROUND       jumps to round if there are other rows
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// REQUEST requests a line of the next rows: three times if fetchMode is thrice, else once.
#define REQUEST(DONE) \
	PREFETCHT1 (BX) \
	TESTL AX, AX    \
	JNZ   DONE      \
	PREFETCHT1 (BX) \
	PREFETCHT1 (BX) \
DONE:                   \
	ADDQ  $64, BX

	MOVQ  x+16(FP), BX
	MOVQ  (BX), SI
	MOVQ  8(BX), DI
	MOVQ  16(BX), R8
	MOVQ  24(BX), R9
	MOVQ  n+32(FP), R15
	SHLQ  $3, R15
	ANDQ  $-256, R15
	MOVQ  $0, round-56(SP)
	MOVQ  next+64(FP), DX
	TESTQ DX, DX
	JZ    first
	MOVQ  $4, CX
	CMPB  ·fetchMode(SB), $const_inOrder
	JEQ   rows

pages: // of the next rows
	MOVQ (DX), R10
	MOVQ n+32(FP), R11
	PAGES(R10, R11)
	ADDQ $8, DX
	DECQ CX
	JNZ  pages
	JMP  first

rows: // read those of this block in the order of memory: some requests may have been dropped
	MOVQ (BX), R10
	MOVQ n+32(FP), R11
	TESTQ R11, R11
	JZ   first
	READ(R10, R11, R12)
	ADDQ $8, BX
	DECQ CX
	JNZ  rows

first:
	XORL  BX, BX
	TESTQ R15, R15
	JNZ   pass
	MOVQ  $3, BX // no whole stretch: the last pass alone

pass: // number BX; it prefetches one of the next rows
	MOVQ  BX, pass-8(SP)
	MOVQ  lanes+8(FP), AX
	MOVQ  AX, lanes-48(SP)
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

group: // number CX; the first two prefetch
	MOVQ CX, group-40(SP)
	CMPQ CX, $2
	JNE  size
	MOVQ $0, next-32(SP)

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

round:
	CLEARS
	MOVQ pass-8(SP), DX
	SHLQ $6, DX
	CMPQ DX, R15
	JGE  tail
	MOVQ next-32(SP), BX
	MOVBLZX ·fetchMode(SB), AX

stretches:
	TESTQ BX, BX
	JZ    columns
	REQUESTS(line0, line1)
	CMPQ  groups+40(FP), $1
	JNE   columns
	REQUESTS(line2, line3)

columns:
	COLUMNS(half, step)

step:
	ADDQ $256, DX
	CMPQ DX, R15
	JLT  stretches
	MOVQ BX, next-32(SP)
	MOVQ lanes-48(SP), AX

	// 32 lanes to 8: (pass 0 + pass 1) + (pass 2 + pass 3)
	MOVQ pass-8(SP), BX
	CMPQ BX, $1
	JLT  store
	JEQ  second
	CMPQ BX, $3
	JLT  third
	ADDS(LANES)
	ADDS(0)

tail: // the elements after the last stretch, 8 at a time
	MOVQ R15, DX
	MOVQ n+32(FP), BX
	ANDQ $31, BX
	CMPQ BX, $8
	JLT  last

eights:
	COLUMNS(half8, eight)

eight:
	ADDQ $64, DX
	SUBQ $8, BX
	CMPQ BX, $8
	JGE  eights

last: // the rest of the registers zero
	TESTQ BX, BX
	JZ    fold
	LASTS(fold)

fold:
	MOVQ sums-24(SP), CX
	FOLDS(next)
	JMP  next

second:
	ADDS(0)

store:
	STORES(0)
	JMP next

third:
	STORES(LANES)

next: // round, group, pass
	ADDQ $(2*LANES), lanes-48(SP)
	ROUND
	SHLQ $5, R14
	ADDQ R14, sums-24(SP)
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
