// The product of a vector and a sparse vector: the body of three routines. It
// ends with the product in X0.

	MOVQ   w+0(FP), SI
	MOVQ   d+8(FP), R12
	MOVQ   at+16(FP), R10
	MOVQ   x+24(FP), R11
	MOVQ   z+32(FP), CX
	MOVQ   $-1, DX
	CLEAR2
	SUBQ   $32, CX
	JLT    last
	CLEAR6

	// Steps 1 and 2 of Dot's order.
blocks:
	EIGHT(Y0, Y1)
	EIGHT(Y2, Y3)
	EIGHT(Y4, Y5)
	EIGHT(Y6, Y7)
	SUBQ   $32, CX
	JGE    blocks
	FOLD4

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
	FOUR(0)
	VADDPD  Y8, Y0, Y2
	VMOVAPD Y1, Y0
	VMOVAPD Y2, Y1
	ADDQ    $16, R10
	ADDQ    $32, R11
	SUBQ    $4, CX

few:
	ADDQ        $4, CX
	JEQ         sum
	ONE(0, AX, DX, X8, Y8)
	JEQ         add
	ONE(4, BX, AX, X9, Y9)
	VUNPCKLPD   X9, X8, X8
	JEQ         add
	ONE(8, AX, BX, X9, Y9)
	VINSERTF128 $1, X9, Y8, Y8

add:
	VADDPD Y8, Y0, Y0

	// Step 4.
sum:
	VADDPD Y1, Y0, Y0
	SUM4(Y0, X0, X1)
	JMP    end

invalid:
	VPCMPEQD X0, X0, X0 // NaN

end:
	VZEROUPPER
