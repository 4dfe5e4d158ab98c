#ifndef DRAWML_CKERNELS_H
#define DRAWML_CKERNELS_H

/// Inner loops that need the processor's wide vectors. Swift is compiled for every processor of its
/// kind and has no way to compile a single function for a newer one; C has. Each loop has one
/// source, which is compiled for each level of vectors. Pointers must be good for as many values as
/// the shapes say; nothing here allocates.

/// What the processor that this runs on can do: 0 vectors of 4 floats (every processor), 1 vectors
/// of 8 and fused multiplication and addition (AVX2, FMA), 2 vectors of 16 (AVX-512 F, VL, DQ, BW).
int drawml_vector_level(void);

#include "CKernelsConvolution.h"
#include "CKernelsRaster.h"
#include "CKernelsTable.h"

#endif
