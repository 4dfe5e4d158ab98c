#ifndef DRAWML_CKERNELS_H
#define DRAWML_CKERNELS_H

/// Inner loops that need the processor's wide vectors. Swift targets the baseline processor and
/// cannot compile a single function for a newer one; C can. Each loop has one source, compiled for
/// each vector level. Pointers must be valid for the given shapes; nothing here allocates.

/// The vector level of this processor: 0 vectors of 4 floats (every processor), 1 vectors of 8 and
/// fused multiply-add (AVX2, FMA), 2 vectors of 16 (AVX-512 F, VL, DQ, BW).
int drawml_vector_level(void);

#include "CKernelsConvolution.h"
#include "CKernelsRaster.h"
#include "CKernelsTable.h"

#endif
