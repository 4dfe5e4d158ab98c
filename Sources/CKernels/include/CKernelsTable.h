#ifndef DRAWML_CKERNELS_TABLE_H
#define DRAWML_CKERNELS_TABLE_H

#include <stdint.h>

#include "CKernelsConvolution.h"
#include "CKernelsRaster.h"

#pragma clang assume_nonnull begin

/// How many queries stand side by side in a packed panel.
enum { drawml_search_lanes = 32 };

/// The loops of one level. The order of every sum follows from the shapes alone, so the same input
/// gives the same bytes. Pictures of training are row-major, [examples, height, width, channels].
struct drawml_kernels {
  // Networks in use.

  /// The channels of a panel of weights.
  long panel;
  void (*convolve)(const struct drawml_convolution *);
  void (*convolve_winograd)(const struct drawml_winograd *);
  void (*pool)(const struct drawml_max_pool *);

  // Convolutions of a training step: directly, or by Winograd's way where the channels are enough
  // to repay it.

  /// The floats that `pack` writes, and the room that the others need.
  long (*packed_count)(struct drawml_layer);
  long (*room_count)(struct drawml_layer);
  /// Weights as the kernels read them; `turned`, those of the convolution that takes the gradient
  /// of this one back: the kernel turned by half a circle, inputs and outputs exchanged.
  void (*pack)(const float *weights, struct drawml_layer, int turned, float *packed);
  /// output = convolution of the input + bias.
  void (*convolve_layer)(
      const float *input, long count, struct drawml_layer, const float *packed,
      const float *_Nullable bias, float *room, float *output);
  /// weight gradient += patchesᵀ · output gradient; `sums` has room for packed weights.
  void (*add_weight_gradient)(
      const float *input, long count, struct drawml_layer, const float *gradient, float *room,
      float *sums, float *weight_gradient);

  // Convolution, bias, rectifier and 2 × 2 maximum in one, with weights that are not packed.

  /// Whether a convolution can be one with what is behind it, and the room that it then needs.
  int (*pools)(struct drawml_layer, int wants_input_gradient);
  long (*pool_room_count)(struct drawml_layer);
  /// output [count, height / 2, width / 2, outputs]. `marks` has a number for each of these: which
  /// of the four was the greatest in reading order, or 4 where none is above 0.
  void (*convolve_pool)(
      const float *input, long count, struct drawml_layer, const float *weights, const float *bias,
      float *room, float *output, uint8_t *marks);
  /// Adds the gradients by weights and bias, and writes that by the input unless it is null.
  void (*convolve_pool_gradient)(
      const float *input, long count, struct drawml_layer, const float *weights,
      const float *gradient, const uint8_t *marks, float *room, float *weight_gradient,
      float *bias_gradient, float *_Nullable input_gradient);

  // What a training step does value by value.

  /// output = input, or 0 where it is below 0; NaN stays NaN.
  void (*rectify)(const float *input, long count, float *output);
  /// gradient = 0 where `output` is not above 0.
  void (*mask_negative)(float *gradient, const float *output, long count);
  /// output += input.
  void (*accumulate)(const float *input, long count, float *output);
  /// output = one + other.
  void (*add)(const float *one, const float *other, long count, float *output);
  /// output = input · scale + shift, column by column; with `rectifies` no less than 0.
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
  /// The maximum of each 2 × 2 pixels, or of two side by side when not `tall`, and which of them
  /// it was: of equal ones the first.
  void (*max_pool)(
      const float *input, long count, long height, long width, long channels, int tall,
      float *output, uint8_t *marks);
  /// Gives the gradient of each maximum to the pixel that is marked.
  void (*spread_to_marks)(
      const float *gradient, const uint8_t *marks, long count, long height, long width,
      long channels, int tall, float *output);

  // Rules of optimizers.

  /// Stochastic gradient descent: slope = gradient + decay · parameter,
  /// momentum = momentum · itself + slope.
  void (*step_sgd)(
      float *parameters, const float *gradient, float *momenta, long count, float rate,
      float momentum, int nesterov, float decay);
  /// AdamW: `rate` and `root` hold the corrections of the moments, `keep` is 1 less the decay.
  void (*step_adam)(
      float *parameters, const float *gradient, float *first, float *second, long count, float rate,
      float beta1, float beta2, float root, float epsilon, float keep);
  /// average += share · (values - average).
  void (*average)(float *average, const float *values, long count, float share);
  /// values = values · factor.
  void (*scale)(float *values, long count, float factor);
  /// The sum of squares, in double precision.
  double (*squared_norm)(const float *values, long count);

  /// The inner product of each row with a vector, the same to the bit whatever other rows there
  /// are. rows [count, dimension]; vector [dimension]; products [count].
  void (*row_products)(
      const float *rows, long count, long dimension, const float *vector, float *products);

  // The rows of a matrix that have the greatest inner products with queries.
  //
  // For each query there is a list of the `kept` greatest products so far, greatest first, and of
  // their rows; products that are not there yet are -INFINITY and their rows -1. Rows must come in
  // ascending order over all calls with one list: of equal products the row that came first stays.
  // A product that is NaN is left out.

  /// One query, dot product by dot product: for so few queries that the memory limits.
  /// samples [rows, dimension]; first: the number of the first row; query [dimension];
  /// products, places [kept].
  void (*search_one)(
      const float *samples, long rows, long first, long dimension, const float *query, long kept,
      float *products, int32_t *places);
  /// A panel of up to 32 queries against blocks of rows that stay in the cache.
  /// panel [dimension, 32]: the queries' numbers side by side, 0 where there are fewer queries than
  /// lanes; least [32]: the least product on each query's list, INFINITY behind the last query;
  /// products, places [queries, kept].
  void (*search_panel)(
      const float *samples, long rows, long first, long dimension, const float *panel, long queries,
      long kept, float *least, float *products, int32_t *places);

  /// Draws segments into pixels: see `CKernelsRaster.h`.
  drawml_raster_function raster;
};

/// The loops of a level, at most what `drawml_vector_level` gives.
const struct drawml_kernels *drawml_kernels_at(int level);

#pragma clang assume_nonnull end

#endif
