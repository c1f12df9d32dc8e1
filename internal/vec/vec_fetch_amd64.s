//go:build !purego

#include "textflag.h"

// AX the next line, CX the last byte

// func fetchLines(p unsafe.Pointer, n int)
TEXT ·fetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), CX
	LEAQ -1(AX)(CX*1), CX

loop:
	PREFETCHT1 (AX)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        loop
	PREFETCHT1 (CX)
	RET

// BX the elements, SI the next index, CX their end, DX the size, AX the next line, DI the last byte

// func fetchEach(p unsafe.Pointer, at *uint32, n, size int)
TEXT ·fetchEach(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), BX
	MOVQ at+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ size+24(FP), DX
	LEAQ (SI)(CX*4), CX
	JMP  test

each:
	MOVL       (SI), AX
	ADDQ       $4, SI
	IMULQ      DX, AX
	ADDQ       BX, AX
	PREFETCHT1 (AX)
	CMPQ       DX, $8
	JEQ        test      // one element is in one line
	LEAQ       -1(AX)(DX*1), DI

lines:
	ADDQ       $64, AX
	PREFETCHT1 (AX)      // which may be the last line already
	CMPQ       AX, DI
	JLT        lines

test:
	CMPQ SI, CX
	JB   each
	RET
