#ifndef DRAWML_CKERNELS_TRAINING_H
#define DRAWML_CKERNELS_TRAINING_H

/// The inner loops of a training step. `level` is 1 or 2, at most what `drawml_vector_level` gives; on level 0 the plain
/// twins in Swift run. Pictures are row-major, [examples, height, width, channels]. The order of every sum follows from
/// the shapes alone, so the same input gives the same bytes.
/// Other processors than x86-64 have no level above 0: there these functions stop the program (`train_elsewhere.c`).

#include "CKernelsTrainingConvolution.h"
#include "CKernelsTrainingElements.h"

#endif
