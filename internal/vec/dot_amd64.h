// The body of dotAVX2 and dotAVX512.
//
// Registers:
//
//	SI, DI   the next elements of the factors a and b
//	R8       the next elements to prefetch, or 0
//	R9, R10  scratch
//	AX       how the processor fetches; scratch
//	CX       elements left
//	DX       stretches of 32 elements left
//
// Each version defines:
//
//	CLEARS8         sets lanes 0 to 7 to 0
//	CLEARS24        sets the other lanes to 0
//	LINE0 to LINE3  add the products of a line of 8 elements to lanes 0 to 7, …, 24 to 31
//	FOLD32          folds the 32 lanes to 8
//	LAST8           adds the products of the CX last elements, fewer than 8; it changes AX and CX
//	FOLD8           folds the 8 lanes to their sum in X0
//
// VMULPD and VADDPD round separately. No instruction here is fused.

// FETCH requests the next four lines.
#define FETCH \
	PREFETCHT1 (R8)    \
	PREFETCHT1 64(R8)  \
	PREFETCHT1 128(R8) \
	PREFETCHT1 192(R8)

	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   next+24(FP), R8
	CLEARS8
	MOVQ   CX, DX
	SHRQ   $5, DX
	JZ     tail
	CLEARS24
	TESTQ  R8, R8
	JNZ    pages

stretches:
	LINE0
	LINE1
	LINE2
	LINE3
	ADDQ $256, SI
	ADDQ $256, DI
	DECQ DX
	JNZ  stretches
	JMP  lanes

pages:
	MOVBLZX ·fetchMode(SB), AX
	CMPL    AX, $const_inOrder
	JEQ     fetch
	MOVQ    R8, R9
	MOVQ    CX, R10
	PAGES(R9, R10)

fetch: // stretches, while the lines of next come
	LINE0
	FETCH
	LINE1
	LINE2
	TESTL AX, AX
	JNZ   fetched
	FETCH
	FETCH

fetched:
	LINE3
	ADDQ $256, SI
	ADDQ $256, DI
	ADDQ $256, R8
	DECQ DX
	JNZ  fetch

lanes: // 32 to 8
	FOLD32

tail:
	ANDQ  $31, CX
	TESTQ R8, R8
	JNZ   rest

tailed:
	CMPQ CX, $8
	JLT  last

eights:
	LINE0
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	CMPQ CX, $8
	JGE  eights

last: // fewer than 8
	TESTQ CX, CX
	JZ    fold
	LAST8

fold:
	FOLD8
	VZEROUPPER
	MOVSD X0, ret+32(FP)
	RET

rest: // the lines after the stretches
	MOVQ CX, AX

lines:
	PREFETCHT1 (R8)
	PREFETCHT1 (R8)
	PREFETCHT1 (R8)
	ADDQ $64, R8
	SUBQ $8, AX
	JGT  lines
	JMP  tailed
