#ifndef DRAWML_CKERNELS_TRAINING_CONVOLUTION_H
#define DRAWML_CKERNELS_TRAINING_CONVOLUTION_H

#include <stdint.h>

/// The convolutions of a training step; see `CKernelsTraining.h`.

/// A convolution of stride 1 whose output is as large as its input. Weights are [rows, columns, inputs, outputs].
typedef struct {
  long height, width, inputs, outputs, rows, columns;
} drawml_train_convolution;

/// The floats that `drawml_train_pack_weights` writes for `values` rows of `outputs` weights.
long drawml_train_packed_count(int level, long values, long outputs);

/// Weights as the kernels read them: panels of some outputs, [panel, values, outputs of a panel], the last filled up with 0.
void drawml_train_pack_weights(int level, const float *weights, long values, long outputs, float *panels);

/// The same for the convolution that takes the gradient back: the kernel turned by half a circle, inputs and outputs
/// exchanged. `g` is the convolution that goes forward. Room for rows · columns · outputs rows of `inputs` weights.
void drawml_train_pack_turned_weights(int level, const float *weights, drawml_train_convolution g, float *panels);

/// The floats of room that a convolution needs for pictures with a margin of zeros.
long drawml_train_padded_count(drawml_train_convolution g);

/// output = convolution of `input` + bias, where `bias` may be null.
void drawml_train_convolve(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *output);

/// weights gradient += patchesᵀ · output gradient.
void drawml_train_add_weight_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *padded,
    float *weightGradient);

/// Whether a convolution is done with fewer multiplications, by Winograd's way: 3 × 3 with enough channels.
int drawml_train_transforms(drawml_train_convolution g);

/// The floats of room that such a convolution needs, besides its transformed weights.
long drawml_train_winograd_room(drawml_train_convolution g);

/// The floats of the transformed weights of `g` and of the room to make them.
long drawml_train_winograd_count(int level, drawml_train_convolution g);

/// Transforms weights; `turned`, for the convolution that takes the gradient of `g` back.
void drawml_train_winograd_weights(int level, const float *weights, drawml_train_convolution g, int turned, float *panels);

/// As `drawml_train_convolve`, with transformed weights.
void drawml_train_winograd(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *room, float *output);

/// As `drawml_train_add_weight_gradient`; `sums` has room for the transformed weights.
void drawml_train_add_winograd_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *room, float *sums,
    float *weightGradient);

/// Whether a convolution with a rectifier and a maximum of 2 × 2 pixels behind it can be one with them.
int drawml_train_pools(drawml_train_convolution g, int wantsInputGradient);

/// The floats of room that such a convolution needs besides its padded pictures.
long drawml_train_pool_count(drawml_train_convolution g);

/// Convolution, bias, rectifier and maximum, output [count, height / 2, width / 2, outputs]. `marks` has a number for each
/// of these: which of the four was the greatest in reading order, or 4 where none is above 0.
void drawml_train_convolve_pool(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *room, float *output, uint8_t *marks);

/// Takes the gradient by that output back: adds those by weights (not packed) and bias, and writes that by the input unless
/// it is null. What has no gradient takes no time.
void drawml_train_convolve_pool_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *weights, const float *gradient,
    const uint8_t *marks, float *padded, float *room, float *weightGradient, float *biasGradient,
    float *inputGradient);

#endif
