// All loops of one level, and their table. Before including it, define LANES (floats per vector),
// MAX_PIXELS (pixels whose sums, two vectors wide, fit in the registers) and NAME(f) (the name of f
// at this level).

// The order matters: each header may use the ones before it.
#include "vectors.h"
#include "convolve.h"
#include "winograd.h"
#include "pool.h"
#include "weight_gradient.h"
#include "layer.h"
#include "pooled.h"
#include "elements.h"
#include "search.h"

void NAME(raster)(
    const drawml_segment *segments, int64_t count, int channels, const float *flows, int64_t width,
    int64_t height, float radius, float *scratch, float *pixels);

extern const struct drawml_kernels NAME(kernels);
const struct drawml_kernels NAME(kernels) = {
    .panel = PANEL,
    .convolve = convolve,
    .convolve_winograd = convolve_winograd,
    .pool = pool,
    .packed_count = packed_count,
    .scratch_count = scratch_count,
    .pack = pack,
    .convolve_layer = convolve_layer,
    .add_weight_gradient = add_weight_gradient,
    .pools = pools,
    .pool_scratch_count = pool_scratch_count,
    .convolve_pool = convolve_pool,
    .convolve_pool_gradient = convolve_pool_gradient,
    .rectify = rectify,
    .mask_negative = mask_negative,
    .accumulate = accumulate,
    .add = add,
    .scale_and_shift = scale_and_shift,
    .combine = combine,
    .column_sums = column_sums,
    .add_column_sums = add_column_sums,
    .max_pool = max_pool,
    .spread_to_marks = spread_to_marks,
    .step_sgd = step_sgd,
    .step_adam = step_adam,
    .average = average,
    .scale = scale,
    .squared_norm = squared_norm,
    .row_products = row_products,
    .search_one = search_one,
    .search_panel = search_panel,
    .raster = NAME(raster),
};
