//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// The registers, and their bytes.
#define WIDTH 64
#define SHIFT 6
#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11

// EQUAL sets bit i of R if the i-th label at P is equal to the i-th of V.
#define EQUAL(P, V, R) \
	VPCMPEQQ P, V, K1 \
	KMOVW    K1, R

// EXCEED sets bit i of R if the i-th element of V is greater than THETA, and at most MOST.
#define EXCEED(V, THETA, MOST, R) \
	VCMPPD $0x1e, THETA, V, K1    \
	VCMPPD $0x12, MOST, V, K1, K1 \
	KMOVW  K1, R

// func scanAVX512(c *Classes, l *Lesson, pos, end int) (next int)
TEXT ·scanAVX512(SB), NOSPLIT, $0-40
#include "scan_amd64.h"
