#ifndef DRAWML_CKERNELS_TRAINING_H
#define DRAWML_CKERNELS_TRAINING_H

#include <stdint.h>

/// The inner loops of a training step. `level` is 1 or 2, at most what `drawml_vector_level` gives; on level 0 the plain
/// twins in Swift run. Pictures are row-major, [examples, height, width, channels]. The order of every sum follows from
/// the shapes alone, so the same input gives the same bytes.

#if !defined(__x86_64__)
// No other processor has a level above 0, so nothing calls what is not there.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
#endif

/// A convolution of stride 1 whose output is as large as its input. Weights are [rows, columns, inputs, outputs].
typedef struct {
  long height, width, inputs, outputs, rows, columns;
} drawml_train_convolution;

/// The floats that `drawml_pack_weights` writes for `values` rows of `outputs` weights.
long drawml_packed_count(int level, long values, long outputs);

/// Weights as the kernels read them: panels of some outputs, [panel, values, outputs of a panel], the last filled up with 0.
void drawml_pack_weights(int level, const float *weights, long values, long outputs, float *panels);

/// The same for the convolution that takes the gradient back: the kernel turned by half a circle, inputs and outputs
/// exchanged. `g` is the convolution that goes forward. Room for rows · columns · outputs rows of `inputs` weights.
void drawml_pack_turned_weights(int level, const float *weights, drawml_train_convolution g, float *panels);

/// The floats of room that a convolution needs for pictures with a margin of zeros.
long drawml_padded_count(drawml_train_convolution g);

/// output = convolution of `input` + bias, where `bias` may be null.
void drawml_train_convolve(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *output);

/// weights gradient += patchesᵀ · output gradient.
void drawml_add_weight_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *padded,
    float *weightGradient);

/// Whether a convolution is done with fewer multiplications, by Winograd's way: 3 × 3 with enough channels.
int drawml_transforms(drawml_train_convolution g);

/// The floats of room that such a convolution needs, besides its transformed weights.
long drawml_winograd_room(drawml_train_convolution g);

/// The floats of the transformed weights of `g` and of the room to make them.
long drawml_winograd_count(int level, drawml_train_convolution g);

/// Transforms weights; `turned`, for the convolution that takes the gradient of `g` back.
void drawml_winograd_weights(int level, const float *weights, drawml_train_convolution g, int turned, float *panels);

/// As `drawml_train_convolve`, with transformed weights.
void drawml_winograd(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *room, float *output);

/// As `drawml_add_weight_gradient`; `sums` has room for the transformed weights.
void drawml_add_winograd_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *room, float *sums,
    float *weightGradient);

/// Whether a convolution with a rectifier and a maximum of 2 × 2 pixels behind it can be one with them.
int drawml_pools(drawml_train_convolution g, int wantsInputGradient);

/// The floats of room that such a convolution needs besides its padded pictures.
long drawml_pool_count(drawml_train_convolution g);

/// Convolution, bias, rectifier and maximum, output [count, height / 2, width / 2, outputs]. `marks` has a number for each
/// of these: which of the four was the greatest in reading order, or 4 where none is above 0.
void drawml_convolve_pool(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *room, float *output, uint8_t *marks);

/// Takes the gradient by that output back: adds those by weights (not packed) and bias, and writes that by the input unless
/// it is null. What has no gradient takes no time.
void drawml_convolve_pool_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *weights, const float *gradient,
    const uint8_t *marks, float *padded, float *room, float *weightGradient, float *biasGradient,
    float *inputGradient);

/// output = input, or 0 where it is below 0.
void drawml_rectify(int level, const float *input, long count, float *output);

/// gradient = 0 where `output` is not above 0.
void drawml_mask_negative(int level, float *gradient, const float *output, long count);

/// output += input.
void drawml_accumulate(int level, const float *input, long count, float *output);

/// output = one + other.
void drawml_add(int level, const float *one, const float *other, long count, float *output);

/// output = input · scale + shift, column by column, or 0 where that is below 0 when it `rectifies`.
void drawml_scale_and_shift(
    int level, const float *input, long rows, long columns, const float *scale, const float *shift, int rectifies,
    float *output);

/// gradient = gradient · a + input · b + c, column by column, where the gradient counts as 0 if `output` is not above 0;
/// `output` may be null.
void drawml_combine(
    int level, float *gradient, const float *input, const float *output, long rows, long columns, const float *a,
    const float *b, const float *c);

/// The sums over rows of g and of g · x, for each column; g counts as 0 where `output` is not above 0, which may be null.
void drawml_column_sums(
    int level, const float *g, const float *x, const float *output, long rows, long columns, double *plain,
    double *products);

/// Adds the sum of each column to `output`.
void drawml_add_column_sums(int level, const float *input, long rows, long columns, float *output);

/// The maximum of each 2 × 2 pixels, or of two side by side when not `tall`, and which of them it was.
void drawml_max_pool(
    int level, const float *input, long count, long height, long width, long channels, int tall, float *output,
    uint8_t *marks);

/// Gives the gradient of each maximum to the pixel that is marked.
void drawml_spread_to_marks(
    int level, const float *gradient, const uint8_t *marks, long count, long height, long width, long channels,
    int tall, float *output);

/// Stochastic gradient descent: see `Kernels.stepSGD`.
void drawml_step_sgd(
    int level, float *parameters, const float *gradient, float *momenta, long count, float rate, float momentum,
    int nesterov, float decay);

/// AdamW: see `Kernels.stepAdam`.
void drawml_step_adam(
    int level, float *parameters, const float *gradient, float *first, float *second, long count, float rate,
    float beta1, float beta2, float root, float epsilon, float keep);

/// average += share · (values - average).
void drawml_average(int level, float *average, const float *values, long count, float share);

/// values = values · factor.
void drawml_scale(int level, float *values, long count, float factor);

/// The sum of squares, in double precision.
double drawml_squared_norm(int level, const float *values, long count);

#if !defined(__x86_64__)
#pragma clang attribute pop
#endif

#endif
