// The product of a vector and a sparse vector: the body of dotSparseAVX2 and dotPlacesAVX2.

	MOVQ   w+0(FP), SI
	MOVQ   d+8(FP), R12
	MOVQ   at+16(FP), R10
	MOVQ   x+24(FP), R11
	MOVQ   z+32(FP), CX
	MOVQ   $-1, DX
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	SUBQ   $32, CX
	JLT    last
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7

	// Steps 1 and 2 of Dot's order.
blocks:
	EIGHT(Y0, Y1)
	EIGHT(Y2, Y3)
	EIGHT(Y4, Y5)
	EIGHT(Y6, Y7)
	SUBQ   $32, CX
	JGE    blocks
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VADDPD Y6, Y4, Y4
	VADDPD Y7, Y5, Y5
	VADDPD Y4, Y0, Y0
	VADDPD Y5, Y1, Y1

	// Step 3. After four of the last products, the lanes 0–3 and 4–7 change places, so that the
	// products after them go to Y0 in any case. Step 4 adds both, in any order.
last:
	ADDQ $24, CX
	JLT  rest

eight:
	EIGHT(Y0, Y1)
	SUBQ $8, CX
	JGE  eight

rest:
	ADDQ    $4, CX
	JLT     few
	NEXT(0, AX, DX)
	NEXT(4, BX, AX)
	NEXT(8, R8, BX)
	NEXT(12, DX, R8)
	BELOW(DX)
	FOUR(AX, BX, R8, DX, 0, X8, Y8, X9)
	VADDPD  Y8, Y0, Y2
	VMOVAPD Y1, Y0
	VMOVAPD Y2, Y1
	ADDQ    $16, R10
	ADDQ    $32, R11
	SUBQ    $4, CX

few:
	ADDQ        $4, CX
	JEQ         sum
	NEXT(0, AX, DX)
	BELOW(AX)
	VMOVSD      (SI)(AX*8), X8
	VMULSD      (R11), X8, X8
	DECQ        CX
	JEQ         add
	NEXT(4, BX, AX)
	BELOW(BX)
	VMOVSD      (SI)(BX*8), X9
	VMULSD      8(R11), X9, X9
	VUNPCKLPD   X9, X8, X8
	DECQ        CX
	JEQ         add
	NEXT(8, AX, BX)
	BELOW(AX)
	VMOVSD      (SI)(AX*8), X9
	VMULSD      16(R11), X9, X9
	VINSERTF128 $1, X9, Y8, Y8

add:
	VADDPD Y8, Y0, Y0

	// Step 4.
sum:
	VADDPD Y1, Y0, Y0
	SUM4(Y0, X0, X1)
	VZEROUPPER
	VMOVSD X0, ret+40(FP)
	RET

invalid:
	VPCMPEQD X0, X0, X0 // NaN
	VZEROUPPER
	VMOVSD   X0, ret+40(FP)
	RET
