//go:build !purego

#include "textflag.h"

// DI lanes, SI rows, R8 the next index, R9 its x, CX the indexes left, DX k, R10 8k, R12 mask
// AX the next element of the row, BX that of the lane, R11 the elements left
// Y0 x[t], Y1 products and sums

// func addRowsAVX2(lanes, rows *float64, k int, at *uint32, x *float64, n, mask int)
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ lanes+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ k+16(FP), DX
	MOVQ at+24(FP), R8
	MOVQ x+32(FP), R9
	MOVQ n+40(FP), CX
	MOVQ mask+48(FP), R12
	LEAQ (DX*8), R10

index:
	MOVL         (R8), AX
	MOVQ         AX, BX
	ANDQ         R12, BX
	IMULQ        R10, AX
	IMULQ        R10, BX
	ADDQ         SI, AX
	ADDQ         DI, BX
	VBROADCASTSD (R9), Y0
	MOVQ         DX, R11
	SUBQ         $4, R11
	JLT          rest

	// Four vectors at a time.
four:
	VMULPD  (AX), Y0, Y1
	VADDPD  (BX), Y1, Y1
	VMOVUPD Y1, (BX)
	ADDQ    $32, AX
	ADDQ    $32, BX
	SUBQ    $4, R11
	JGE     four

	// The last k mod 4 vectors.
rest:
	ADDQ $4, R11
	JEQ  next

one:
	VMULSD (AX), X0, X1
	VADDSD (BX), X1, X1
	VMOVSD X1, (BX)
	ADDQ   $8, AX
	ADDQ   $8, BX
	DECQ   R11
	JNE    one

next:
	ADDQ $4, R8
	ADDQ $8, R9
	DECQ CX
	JNE  index
	VZEROUPPER
	RET
