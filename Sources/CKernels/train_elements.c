#include "train_room.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma"))), apply_to = function)
#define LANES 16
#include "train_vectors.h"
#include "train_elements.h"
#undef LANES
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#include "train_vectors.h"
#include "train_elements.h"
#undef LANES
#pragma clang attribute pop

void drawml_train_rectify(int level, const float *input, long count, float *output) { CALL(rectify, input, count, output); }

void drawml_train_mask_negative(int level, float *gradient, const float *output, long count) {
  CALL(mask, gradient, output, count);
}

void drawml_train_accumulate(int level, const float *input, long count, float *output) {
  CALL(accumulate, input, count, output);
}

void drawml_train_add(int level, const float *one, const float *other, long count, float *output) {
  CALL(add, one, other, count, output);
}

void drawml_train_scale_and_shift(
    int level, const float *input, long rows, long columns, const float *scale, const float *shift, int rectifies,
    float *output) {
  CALL(scale_and_shift, input, rows, columns, scale, shift, rectifies, output);
}

void drawml_train_combine(
    int level, float *gradient, const float *input, const float *output, long rows, long columns, const float *a,
    const float *b, const float *c) {
  CALL(combine, gradient, input, output, rows, columns, a, b, c);
}

void drawml_train_column_sums(
    int level, const float *g, const float *x, const float *output, long rows, long columns, double *plain,
    double *products) {
  CALL(column_sums, g, x, output, rows, columns, plain, products);
}

void drawml_train_add_column_sums(int level, const float *input, long rows, long columns, float *output) {
  CALL(add_column_sums, input, rows, columns, output);
}

void drawml_train_max_pool(
    int level, const float *input, long count, long height, long width, long channels, int tall, float *output,
    uint8_t *marks) {
  CALL(max_pool, input, count, height, width, channels, tall, output, marks);
}

void drawml_train_spread_to_marks(
    int level, const float *gradient, const uint8_t *marks, long count, long height, long width, long channels,
    int tall, float *output) {
  CALL(spread_to_marks, gradient, marks, count, height, width, channels, tall, output);
}

void drawml_train_step_sgd(
    int level, float *parameters, const float *gradient, float *momenta, long count, float rate, float momentum,
    int nesterov, float decay) {
  CALL(step_sgd, parameters, gradient, momenta, count, rate, momentum, nesterov, decay);
}

void drawml_train_step_adam(
    int level, float *parameters, const float *gradient, float *first, float *second, long count, float rate,
    float beta1, float beta2, float root, float epsilon, float keep) {
  CALL(step_adam, parameters, gradient, first, second, count, rate, beta1, beta2, root, epsilon, keep);
}

void drawml_train_average(int level, float *average, const float *values, long count, float share) {
  CALL(average, average, values, count, share);
}

void drawml_train_scale(int level, float *values, long count, float factor) { CALL(scale, values, count, factor); }

double drawml_train_squared_norm(int level, const float *values, long count) { return CALL(squared_norm, values, count); }
#endif
