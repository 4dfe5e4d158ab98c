#include "train_room.h"

/// Floats of padded pictures that stay in a core's second-level cache together with a panel of weights.
#define CACHED 65536

static long padded_width(drawml_train_convolution g) { return g.width + g.columns - 1; }
static long padded_height(drawml_train_convolution g) { return g.height + g.rows - 1; }

static long padded_picture(drawml_train_convolution g) { return padded_height(g) * padded_width(g) * g.inputs; }

/// How many pictures are padded at a time.
static long padded_pictures(drawml_train_convolution g) {
  const long pictures = CACHED / padded_picture(g);
  return pictures < 1 ? 1 : pictures;
}

long drawml_train_padded_count(drawml_train_convolution g) { return padded_pictures(g) * padded_picture(g) + LINE; }

long drawml_train_packed_count(int level, long values, long outputs) {
  const long panel = level == 2 ? 32 : 16;
  return (outputs + panel - 1) / panel * panel * values + LINE;
}

/// Pictures with a margin of zeros.
static void pad(const float *input, long count, drawml_train_convolution g, float *padded) {
  const long width = g.width * g.inputs, left = g.columns / 2 * g.inputs, line = width + 2 * left;
  const long above = g.rows / 2 * line;
  for (long example = 0; example < count; example++) {
    memset(padded, 0, above * sizeof(float));
    padded += above;
    for (long row = 0; row < g.height; row++) {
      memset(padded, 0, left * sizeof(float));
      memcpy(padded + left, input, width * sizeof(float));
      memset(padded + left + width, 0, left * sizeof(float));
      input += width;
      padded += line;
    }
    memset(padded, 0, above * sizeof(float));
    padded += above;
  }
}

void drawml_train_pack_weights(int level, const float *weights, long values, long outputs, float *panels) {
  panels = aligned(panels);
  const long panel = level == 2 ? 32 : 16;
  for (long start = 0; start < outputs; start += panel) {
    const long width = outputs - start < panel ? outputs - start : panel;
    for (long k = 0; k < values; k++) {
      memcpy(panels, weights + k * outputs + start, width * sizeof(float));
      memset(panels + width, 0, (panel - width) * sizeof(float));
      panels += panel;
    }
  }
}

void drawml_train_pack_turned_weights(int level, const float *weights, drawml_train_convolution g, float *panels) {
  panels = aligned(panels);
  const long panel = level == 2 ? 32 : 16, taps = g.rows * g.columns;
  for (long start = 0; start < g.inputs; start += panel) {
    const long width = g.inputs - start < panel ? g.inputs - start : panel;
    for (long tap = taps - 1; tap >= 0; tap--) {
      const float *source = weights + (tap * g.inputs + start) * g.outputs;
      for (long output = 0; output < g.outputs; output++) {
        for (long i = 0; i < width; i++) panels[i] = source[i * g.outputs + output];
        for (long i = width; i < panel; i++) panels[i] = 0;
        panels += panel;
      }
    }
  }
}

#if defined(__x86_64__)
/// The mark of four pixels of which none is above 0.
#define NONE 4
/// The most outputs of a convolution that goes together with its maximum.
#define MOST_OUTPUTS 256

/// A gradient and where it belongs.
struct slope {
  int32_t place;
  float value;
};

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma"))), apply_to = function)
#define LANES 16
#include "train_vectors.h"
#include "train_convolution.h"
#include "train_pooled.h"
#undef LANES
#undef PANEL
#undef PIXELS
#undef TAPS
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#include "train_vectors.h"
#include "train_convolution.h"
#include "train_pooled.h"
#undef LANES
#undef PANEL
#undef PIXELS
#undef TAPS
#pragma clang attribute pop

/// Pictures to be padded at a time and how they lie: a kernel of one pixel takes all pixels as one row.
static drawml_train_convolution flattened(drawml_train_convolution g, long *count) {
  if (g.rows * g.columns > 1) return g;
  g.width *= g.height * *count;
  g.height = 1;
  *count = 1;
  return g;
}

void drawml_train_convolve(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *output) {
  panels = aligned((float *)panels);
  g = flattened(g, &count);
  padded = aligned(padded);
  const int pads = g.rows * g.columns > 1;
  const long portion = pads ? padded_pictures(g) : count;
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    const float *source = input + first * g.height * g.width * g.inputs;
    float *target = output + first * g.height * g.width * g.outputs;
    if (pads) pad(source, examples, g, padded);
    if (level == 2)
      convolve_padded_16(pads ? padded : source, examples, g, panels, bias, target);
    else
      convolve_padded_8(pads ? padded : source, examples, g, panels, bias, target);
  }
}

void drawml_train_add_weight_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *padded,
    float *weightGradient) {
  g = flattened(g, &count);
  padded = aligned(padded);
  const int pads = g.rows * g.columns > 1;
  const long portion = pads ? padded_pictures(g) : count;
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    const float *source = input + first * g.height * g.width * g.inputs;
    const float *slopes = gradient + first * g.height * g.width * g.outputs;
    if (pads) pad(source, examples, g, padded);
    if (level == 2)
      gradient_padded_16(pads ? padded : source, examples, g, slopes, weightGradient);
    else
      gradient_padded_8(pads ? padded : source, examples, g, slopes, weightGradient);
  }
}

int drawml_train_pools(drawml_train_convolution g, int wantsInputGradient) {
  const int many = g.inputs == 16 || g.inputs == 32 || g.inputs == 48 || g.inputs == 64;
  return g.rows == 3 && g.columns == 3 && g.outputs % 16 == 0 && g.outputs <= MOST_OUTPUTS && g.height >= 2 &&
         g.width >= 2 && (many || (g.inputs == 1 && !wantsInputGradient));
}

long drawml_train_pool_count(drawml_train_convolution g) {
  const long patch = g.rows * g.columns * g.inputs, pixels = (g.height / 2) * (g.width / 2);
  const long forward = 4 * (g.width / 2) * 32;
  const long back = 2 * patch * g.outputs + whole_lines(padded_picture(g)) + 2 * pixels * g.outputs;
  return (forward > back ? forward : back) + LINE;
}

void drawml_train_convolve_pool(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *padded, float *room, float *output, uint8_t *marks) {
  panels = aligned((float *)panels);
  padded = aligned(padded);
  room = aligned(room);
  const long portion = padded_pictures(g), outputs = (g.height / 2) * (g.width / 2) * g.outputs;
  for (long first = 0; first < count; first += portion) {
    const long examples = count - first < portion ? count - first : portion;
    pad(input + first * g.height * g.width * g.inputs, examples, g, padded);
    if (level == 2)
      convolve_pool_padded_16(padded, examples, g, panels, bias, room, output + first * outputs, marks + first * outputs);
    else
      convolve_pool_padded_8(padded, examples, g, panels, bias, room, output + first * outputs, marks + first * outputs);
  }
}

void drawml_train_convolve_pool_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *weights, const float *gradient,
    const uint8_t *marks, float *padded, float *room, float *weightGradient, float *biasGradient,
    float *inputGradient) {
  padded = aligned(padded);
  room = aligned(room);
  const long inputs = g.height * g.width * g.inputs, outputs = (g.height / 2) * (g.width / 2) * g.outputs;
  if (g.inputs == 1) {
    for (long example = 0; example < count; example++) {
      pad(input + example * inputs, 1, g, padded);
      if (level == 2)
        pooled_gradient_single_16(
            padded, g, gradient + example * outputs, marks + example * outputs, weightGradient, biasGradient);
      else
        pooled_gradient_single_8(
            padded, g, gradient + example * outputs, marks + example * outputs, weightGradient, biasGradient);
    }
    return;
  }
  // Outputs first, so that all that belongs to one lies together.
  const long patch = g.rows * g.columns * g.inputs, line = padded_width(g) * g.inputs;
  float *turned = room, *turnedGradient = turned + patch * g.outputs;
  float *paddedGradient = turnedGradient + patch * g.outputs;
  struct slope *lists = (struct slope *)(paddedGradient + whole_lines(padded_picture(g)));
  transpose(weights, patch, g.outputs, 0, turned);
  memset(turnedGradient, 0, patch * g.outputs * sizeof(float));
  for (long example = 0; example < count; example++) {
    pad(input + example * inputs, 1, g, padded);
    if (inputGradient) memset(paddedGradient, 0, padded_picture(g) * sizeof(float));
    if (level == 2)
      pooled_gradient_many_16(
          padded, g, turned, gradient + example * outputs, marks + example * outputs, lists, turnedGradient,
          biasGradient, inputGradient ? paddedGradient : 0);
    else
      pooled_gradient_many_8(
          padded, g, turned, gradient + example * outputs, marks + example * outputs, lists, turnedGradient,
          biasGradient, inputGradient ? paddedGradient : 0);
    if (inputGradient)
      for (long row = 0; row < g.height; row++)
        memcpy(
            inputGradient + example * inputs + row * g.width * g.inputs,
            paddedGradient + (row + g.rows / 2) * line + g.columns / 2 * g.inputs,
            g.width * g.inputs * sizeof(float));
  }
  transpose(turnedGradient, g.outputs, patch, 1, weightGradient);
}
#endif
