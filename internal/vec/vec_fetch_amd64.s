//go:build !purego

#include "textflag.h"

// AX the next line, CX the last byte

// func fetchLines(p unsafe.Pointer, n int)
TEXT ·fetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), CX
	LEAQ -1(AX)(CX*1), CX

loop:
	PREFETCHT0 (AX)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        loop
	PREFETCHT0 (CX)
	RET
