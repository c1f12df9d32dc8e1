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

// AX and BX the next lines of indexes and of elements, CX the elements left, DI and SI the last bytes

// func fetchSparse(at *uint32, x *float64, n int)
TEXT ·fetchSparse(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), AX
	MOVQ x+8(FP), BX
	MOVQ n+16(FP), CX
	LEAQ -1(AX)(CX*4), DI
	LEAQ -1(BX)(CX*8), SI

both:
	PREFETCHT1 (AX)
	PREFETCHT1 (BX)
	PREFETCHT1 64(BX)      // which may be after the last line
	ADDQ       $64, AX
	ADDQ       $128, BX
	SUBQ       $16, CX
	JGT        both
	PREFETCHT1 (DI)
	PREFETCHT1 (SI)
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
