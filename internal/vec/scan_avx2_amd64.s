//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "kernels_amd64.h"

// The registers, and their bytes.
#define WIDTH 32
#define SHIFT 5
#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11

// EQUAL sets bit i of R if the i-th label at P is equal to the i-th of V.
#define EQUAL(P, V, R) \
	VPCMPEQQ  P, V, Y1 \
	VMOVMSKPD Y1, R

// EXCEED sets bit i of R if the i-th element of V is greater than THETA, and at most MOST. It
// changes V.
#define EXCEED(V, THETA, MOST, R) \
	VCMPPD    $0x1e, THETA, V, Y1 \
	VCMPPD    $0x12, MOST, V, V   \
	VANDPD    Y1, V, V            \
	VMOVMSKPD V, R

// func scanAVX2(c *Classes, l *Lesson, pos, end int) (next int)
TEXT ·scanAVX2(SB), NOSPLIT, $0-40
#include "scan_amd64.h"
