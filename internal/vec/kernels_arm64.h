// Shared by the NEON kernels.

// Go's assembler has names for the fused multiplication and addition of vectors of
// doubles only, which round once. These are the words of FMUL, FADD and FSUB
// Vd.2D, Vn.2D, Vm.2D (Arm Architecture Reference Manual, C7.2) for the numbers of
// the registers.
#define FMUL2D(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
#define FADD2D(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB2D(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))
#define FNEG2D(n, d) WORD $(0x6EE0F800 | (n)<<5 | (d))
