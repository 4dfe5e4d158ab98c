#ifndef DRAWML_CKERNELS_TABLE_H
#define DRAWML_CKERNELS_TABLE_H

#include <stdint.h>

#include "CKernelsConvolution.h"
#include "CKernelsRaster.h"

#pragma clang assume_nonnull begin

/// The number of queries in a packed panel.
enum { drawml_search_lanes = 32 };

/// The loops of one level. The order of every sum depends only on the shapes, so results are
/// reproducible to the bit. Training pictures are row-major, [examples, height, width, channels].
struct drawml_kernels {
  // Inference.

  /// The channels of a panel of weights.
  long panel;
  void (*convolve)(const struct drawml_convolution *);
  void (*convolve_winograd)(const struct drawml_winograd *);
  void (*pool)(const struct drawml_max_pool *);

  // Convolutions of a training step: direct, or Winograd if there are enough channels to be worth
  // it.

  /// The number of floats that `pack` writes, and that the others need as `room`.
  long (*packed_count)(struct drawml_layer);
  long (*scratch_count)(struct drawml_layer);
  /// Packs weights for the kernels; with `turned`, those of the convolution that propagates the
  /// gradient back: the kernel rotated by 180°, inputs and outputs exchanged.
  void (*pack)(const float *weights, struct drawml_layer, int turned, float *packed);
  /// output = convolution of the input + bias.
  void (*convolve_layer)(
      const float *input, long count, struct drawml_layer, const float *packed,
      const float *_Nullable bias, float *room, float *output);
  /// weight gradient += patchesᵀ · output gradient; `sums` is scratch of `packed_count` floats.
  void (*add_weight_gradient)(
      const float *input, long count, struct drawml_layer, const float *gradient, float *room,
      float *sums, float *weight_gradient);

  // Fused convolution, bias, rectifier and 2 × 2 max pooling, with unpacked weights.

  /// Whether a convolution can be fused with rectifier and pooling, and the `room` that it then
  /// needs.
  int (*pools)(struct drawml_layer, int wants_input_gradient);
  long (*pool_scratch_count)(struct drawml_layer);
  /// output [count, height / 2, width / 2, outputs]. `marks` holds for each the index, in reading
  /// order, of the greatest of the four pixels, or 4 if none is above 0.
  void (*convolve_pool)(
      const float *input, long count, struct drawml_layer, const float *weights, const float *bias,
      float *room, float *output, uint8_t *marks);
  /// Adds the gradients with respect to weights and bias, and writes that with respect to the input
  /// unless it is null.
  void (*convolve_pool_gradient)(
      const float *input, long count, struct drawml_layer, const float *weights,
      const float *gradient, const uint8_t *marks, float *room, float *weight_gradient,
      float *bias_gradient, float *_Nullable input_gradient);

  // Element-wise loops of a training step.

  /// output = input, or 0 where it is below 0; NaN propagates.
  void (*rectify)(const float *input, long count, float *output);
  /// gradient = 0 where `output` is not above 0.
  void (*mask_negative)(float *gradient, const float *output, long count);
  /// output += input.
  void (*accumulate)(const float *input, long count, float *output);
  /// output = one + other.
  void (*add)(const float *one, const float *other, long count, float *output);
  /// output = input · scale + shift, column by column; with `rectifies`, negative values become 0.
  void (*scale_and_shift)(
      const float *input, long rows, long columns, const float *scale, const float *shift,
      int rectifies, float *output);
  /// gradient = gradient · a + input · b + c, column by column; the gradient counts as 0 where
  /// `output` is not above 0.
  void (*combine)(
      float *gradient, const float *input, const float *_Nullable output, long rows, long columns,
      const float *a, const float *b, const float *c);
  /// The sums over rows of g and of g · x, for each column; g counts as 0 where `output` <= 0.
  void (*column_sums)(
      const float *g, const float *x, const float *_Nullable output, long rows, long columns,
      double *plain, double *products);
  /// Adds the sum of each column to `output`.
  void (*add_column_sums)(const float *input, long rows, long columns, float *output);
  /// The maximum of each 2 × 2 pixels, or 1 × 2 unless `tall`, and its index: the first among
  /// equals.
  void (*max_pool)(
      const float *input, long count, long height, long width, long channels, int tall,
      float *output, uint8_t *marks);
  /// Writes the gradient of each maximum to the marked pixel, and 0 to the others.
  void (*spread_to_marks)(
      const float *gradient, const uint8_t *marks, long count, long height, long width,
      long channels, int tall, float *output);

  // Optimizer steps.

  /// Stochastic gradient descent: slope = gradient + decay · parameter,
  /// momentum = momentum · itself + slope.
  void (*step_sgd)(
      float *parameters, const float *gradient, float *momenta, long count, float rate,
      float momentum, int nesterov, float decay);
  /// AdamW: `rate` and `root` include the bias corrections of the moments; `keep` is 1 minus the
  /// decay.
  void (*step_adam)(
      float *parameters, const float *gradient, float *first, float *second, long count, float rate,
      float beta1, float beta2, float root, float epsilon, float keep);
  /// average += share · (values - average).
  void (*average)(float *average, const float *values, long count, float share);
  /// values = values · factor.
  void (*scale)(float *values, long count, float factor);
  /// The sum of squares, in double precision.
  double (*squared_norm)(const float *values, long count);

  /// The inner product of each row with each vector, bit-identical whatever the other rows and
  /// vectors are. rows [count, dimension]; vectors [vector_count, dimension]; products
  /// [vector_count, count].
  void (*row_products)(
      const float *rows, long count, long dimension, const float *vectors, long vector_count,
      float *products);

  // The rows of a matrix with the greatest inner products with queries.
  //
  // Each query has a list of the `kept` greatest products so far, greatest first, and of their
  // rows; unused entries are -INFINITY and row -1. Rows must be passed in ascending order over all
  // calls with one list: among equal products the first row stays. NaN products are ignored.

  /// One query, one dot product at a time: for few queries, where memory bandwidth is the limit.
  /// samples [rows, dimension]; first: the number of the first row; query [dimension]; products,
  /// places [kept].
  void (*search_one)(
      const float *samples, long rows, long first, long dimension, const float *query, long kept,
      float *products, int32_t *places);
  /// A panel of up to 32 queries against blocks of rows that stay in the cache. panel [dimension,
  /// 32]: the interleaved queries, padded with 0; least [32]: the least product on each query's
  /// list, padded with INFINITY; products, places [queries, kept].
  void (*search_panel)(
      const float *samples, long rows, long first, long dimension, const float *panel, long queries,
      long kept, float *least, float *products, int32_t *places);

  /// Draws segments into pixels: see `CKernelsRaster.h`.
  drawml_raster_function raster;
};

/// The loops of a level, at most `drawml_vector_level()`.
const struct drawml_kernels *drawml_kernels_at(int level);

#pragma clang assume_nonnull end

#endif
