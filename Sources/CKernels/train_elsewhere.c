#include "CKernels.h"

// The training's functions on processors that have no level above 0 (see `drawml_vector_level`): the plain twins in Swift
// run there, and what calls these in spite of it is stopped rather than left without a result.
#if !defined(__x86_64__)
#pragma clang diagnostic ignored "-Wunused-parameter"

void drawml_train_convolve(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *output) {
  __builtin_trap();
}
void drawml_train_add_weight_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *padded,
    float *weightGradient) {
  __builtin_trap();
}
int drawml_train_transforms(drawml_train_convolution g) { __builtin_trap(); }
long drawml_train_winograd_room(drawml_train_convolution g) { __builtin_trap(); }
long drawml_train_winograd_count(int level, drawml_train_convolution g) { __builtin_trap(); }
void drawml_train_winograd_weights(
    int level, const float *weights, drawml_train_convolution g, int turned, float *panels) {
  __builtin_trap();
}
void drawml_train_winograd(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *room, float *output) {
  __builtin_trap();
}
void drawml_train_add_winograd_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *room,
    float *sums, float *weightGradient) {
  __builtin_trap();
}
int drawml_train_pools(drawml_train_convolution g, int wantsInputGradient) { __builtin_trap(); }
long drawml_train_pool_count(drawml_train_convolution g) { __builtin_trap(); }
void drawml_train_convolve_pool(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *room, float *output, uint8_t *marks) {
  __builtin_trap();
}
void drawml_train_convolve_pool_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *weights,
    const float *gradient, const uint8_t *marks, float *padded, float *room, float *weightGradient,
    float *biasGradient, float *inputGradient) {
  __builtin_trap();
}
void drawml_train_rectify(int level, const float *input, long count, float *output) { __builtin_trap(); }
void drawml_train_mask_negative(int level, float *gradient, const float *output, long count) { __builtin_trap(); }
void drawml_train_accumulate(int level, const float *input, long count, float *output) { __builtin_trap(); }
void drawml_train_add(int level, const float *one, const float *other, long count, float *output) { __builtin_trap(); }
void drawml_train_scale_and_shift(
    int level, const float *input, long rows, long columns, const float *scale, const float *shift, int rectifies,
    float *output) {
  __builtin_trap();
}
void drawml_train_combine(
    int level, float *gradient, const float *input, const float *output, long rows, long columns, const float *a,
    const float *b, const float *c) {
  __builtin_trap();
}
void drawml_train_column_sums(
    int level, const float *g, const float *x, const float *output, long rows, long columns, double *plain,
    double *products) {
  __builtin_trap();
}
void drawml_train_add_column_sums(
    int level, const float *input, long rows, long columns, float *output) {
  __builtin_trap();
}
void drawml_train_max_pool(
    int level, const float *input, long count, long height, long width, long channels, int tall, float *output,
    uint8_t *marks) {
  __builtin_trap();
}
void drawml_train_spread_to_marks(
    int level, const float *gradient, const uint8_t *marks, long count, long height, long width, long channels,
    int tall, float *output) {
  __builtin_trap();
}
void drawml_train_step_sgd(
    int level, float *parameters, const float *gradient, float *momenta, long count, float rate, float momentum,
    int nesterov, float decay) {
  __builtin_trap();
}
void drawml_train_step_adam(
    int level, float *parameters, const float *gradient, float *first, float *second, long count, float rate,
    float beta1, float beta2, float root, float epsilon, float keep) {
  __builtin_trap();
}
void drawml_train_average(int level, float *average, const float *values, long count, float share) { __builtin_trap(); }
void drawml_train_scale(int level, float *values, long count, float factor) { __builtin_trap(); }
double drawml_train_squared_norm(int level, const float *values, long count) { __builtin_trap(); }

#endif
