#ifndef DRAWML_CKERNELS_TRAINING_ELEMENTS_H
#define DRAWML_CKERNELS_TRAINING_ELEMENTS_H

#include <stdint.h>

/// What a training step does value by value, and the rules of optimisers; see `CKernelsTraining.h`.

/// output = input, or 0 where it is below 0.
void drawml_train_rectify(int level, const float *input, long count, float *output);

/// gradient = 0 where `output` is not above 0.
void drawml_train_mask_negative(int level, float *gradient, const float *output, long count);

/// output += input.
void drawml_train_accumulate(int level, const float *input, long count, float *output);

/// output = one + other.
void drawml_train_add(int level, const float *one, const float *other, long count, float *output);

/// output = input · scale + shift, column by column, or 0 where that is below 0 when it `rectifies`.
void drawml_train_scale_and_shift(
    int level, const float *input, long rows, long columns, const float *scale, const float *shift, int rectifies,
    float *output);

/// gradient = gradient · a + input · b + c, column by column, where the gradient counts as 0 if `output` is not above 0;
/// `output` may be null.
void drawml_train_combine(
    int level, float *gradient, const float *input, const float *output, long rows, long columns, const float *a,
    const float *b, const float *c);

/// The sums over rows of g and of g · x, for each column; g counts as 0 where `output` is not above 0, which may be null.
void drawml_train_column_sums(
    int level, const float *g, const float *x, const float *output, long rows, long columns, double *plain,
    double *products);

/// Adds the sum of each column to `output`.
void drawml_train_add_column_sums(int level, const float *input, long rows, long columns, float *output);

/// The maximum of each 2 × 2 pixels, or of two side by side when not `tall`, and which of them it was.
void drawml_train_max_pool(
    int level, const float *input, long count, long height, long width, long channels, int tall, float *output,
    uint8_t *marks);

/// Gives the gradient of each maximum to the pixel that is marked.
void drawml_train_spread_to_marks(
    int level, const float *gradient, const uint8_t *marks, long count, long height, long width, long channels,
    int tall, float *output);

/// Stochastic gradient descent: see `Kernels.stepSGD`.
void drawml_train_step_sgd(
    int level, float *parameters, const float *gradient, float *momenta, long count, float rate, float momentum,
    int nesterov, float decay);

/// AdamW: see `Kernels.stepAdam`.
void drawml_train_step_adam(
    int level, float *parameters, const float *gradient, float *first, float *second, long count, float rate,
    float beta1, float beta2, float root, float epsilon, float keep);

/// average += share · (values - average).
void drawml_train_average(int level, float *average, const float *values, long count, float share);

/// values = values · factor.
void drawml_train_scale(int level, float *values, long count, float factor);

/// The sum of squares, in double precision.
double drawml_train_squared_norm(int level, const float *values, long count);

#endif
