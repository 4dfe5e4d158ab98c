#define LANES 4
#define MAX_PIXELS 6
#define NAME(f) drawml_##f##_plain
#include "forward_vectors.h"
// The order matters: each may use what stands before it.
#include "forward_convolve.h"
#include "forward_winograd.h"
#include "forward_pool.h"
