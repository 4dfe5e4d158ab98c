#include "CKernels.h"

#include <string.h>

/// How pictures are cut into tiles of `step` × `step` pixels, or of 1 × `step` where the kernel has one row. What lies under the
/// kernel at a tile is 6 × 6 or 1 × 6 pixels.
struct tiling {
  long count, height, width, step, across, tiles, above, left, paddedWidth, paddedPicture;
};

static struct tiling tiling(drawml_convolution g, long count) {
  const int line = g.rows == 1;
  const long step = 7 - g.columns, across = (g.width + step - 1) / step;
  const long down = line ? g.height : (g.height + step - 1) / step;
  const long paddedWidth = step * across + g.columns - 1, paddedHeight = line ? down : step * down + g.rows - 1;
  return (struct tiling){count,       g.height,      g.width,     step,       across,
                         down * across, g.rows / 2, g.columns / 2, paddedWidth, paddedHeight * paddedWidth};
}

/// How many products a tile takes for each input and output.
static long products_of(drawml_convolution g) { return g.rows == 1 ? 6 : 36; }

/// Floats of padded pictures that stay in a core's second-level cache together with a panel of weights.
#define CACHED 65536

static long padded_width(drawml_convolution g) { return g.width + g.columns - 1; }
static long padded_height(drawml_convolution g) { return g.height + g.rows - 1; }

static long padded_picture(drawml_convolution g) { return padded_height(g) * padded_width(g) * g.inputs; }

/// How many pictures are padded at a time.
static long padded_pictures(drawml_convolution g) {
  const long pictures = CACHED / padded_picture(g);
  return pictures < 1 ? 1 : pictures;
}

/// Where a line of the cache begins: a vector across two lines takes twice the time. Room is `LINE` floats longer for it.
#define LINE 16
static float *aligned(float *room) { return (float *)(((uintptr_t)room + 63) & ~(uintptr_t)63); }
static long whole_lines(long count) { return (count + LINE - 1) / LINE * LINE; }

long drawml_padded_count(drawml_convolution g) { return padded_pictures(g) * padded_picture(g) + LINE; }

long drawml_packed_count(int level, long values, long outputs) {
  const long panel = level == 2 ? 32 : 16;
  return (outputs + panel - 1) / panel * panel * values + LINE;
}

/// Pictures with a margin of zeros.
static void pad(const float *input, long count, drawml_convolution g, float *padded) {
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

void drawml_pack_weights(int level, const float *weights, long values, long outputs, float *panels) {
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

void drawml_pack_turned_weights(int level, const float *weights, drawml_convolution g, float *panels) {
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
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

#define CALL(name, ...) (level == 2 ? name##_16(__VA_ARGS__) : name##_8(__VA_ARGS__))

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
#include "trainVectors.h"
#include "trainConvolution.h"
#include "trainPooled.h"
#include "trainWinograd.h"
#include "trainWinogradLine.h"
#undef LANES
#undef PANEL
#undef PIXELS
#undef TAPS
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#include "trainVectors.h"
#include "trainConvolution.h"
#include "trainPooled.h"
#include "trainWinograd.h"
#include "trainWinogradLine.h"
#undef LANES
#undef PANEL
#undef PIXELS
#undef TAPS
#pragma clang attribute pop

/// Pictures to be padded at a time and how they lie: a kernel of one pixel takes all pixels as one row.
static drawml_convolution flattened(drawml_convolution g, long *count) {
  if (g.rows * g.columns > 1) return g;
  g.width *= g.height * *count;
  g.height = 1;
  *count = 1;
  return g;
}

void drawml_convolve(
    int level, const float *input, long count, drawml_convolution g, const float *panels, const float *bias,
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

void drawml_add_weight_gradient(
    int level, const float *input, long count, drawml_convolution g, const float *gradient, float *padded,
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

/// output[c][r] = input[r][c] of 8 × 8 values.
__attribute__((target("avx2"))) static void transpose_block(const float *input, long columns, float *output, long rows) {
  __m256 a[8], b[8];
  for (int r = 0; r < 8; r++) a[r] = _mm256_loadu_ps(input + r * columns);
  for (int r = 0; r < 8; r += 2) {
    b[r] = _mm256_unpacklo_ps(a[r], a[r + 1]);
    b[r + 1] = _mm256_unpackhi_ps(a[r], a[r + 1]);
  }
  for (int r = 0; r < 8; r += 4)
    for (int n = 0; n < 2; n++) {
      a[r + 2 * n] = _mm256_shuffle_ps(b[r + n], b[r + n + 2], 0x44);
      a[r + 2 * n + 1] = _mm256_shuffle_ps(b[r + n], b[r + n + 2], 0xee);
    }
  for (int r = 0; r < 4; r++) {
    _mm256_storeu_ps(output + r * rows, _mm256_permute2f128_ps(a[r], a[r + 4], 0x20));
    _mm256_storeu_ps(output + (r + 4) * rows, _mm256_permute2f128_ps(a[r], a[r + 4], 0x31));
  }
}

/// output[c][r] = input[r][c], or += when `adding`.
static void transpose(const float *input, long rows, long columns, int adding, float *output) {
  // In blocks, so that lines of both are used whole while they are near.
  for (long top = 0; top < rows; top += 8)
    for (long left = 0; left < columns; left += 8) {
      if (!adding && top + 8 <= rows && left + 8 <= columns) {
        transpose_block(input + top * columns + left, columns, output + left * rows + top, rows);
        continue;
      }
      for (long c = left; c < columns && c < left + 8; c++)
        for (long r = top; r < rows && r < top + 8; r++) {
          float *place = output + c * rows + r;
          *place = adding ? *place + input[r * columns + c] : input[r * columns + c];
        }
    }
}

int drawml_pools(drawml_convolution g, int wantsInputGradient) {
  const int many = g.inputs == 16 || g.inputs == 32 || g.inputs == 48 || g.inputs == 64;
  return g.rows == 3 && g.columns == 3 && g.outputs % 16 == 0 && g.outputs <= MOST_OUTPUTS && g.height >= 2 &&
         g.width >= 2 && (many || (g.inputs == 1 && !wantsInputGradient));
}

long drawml_pool_count(drawml_convolution g) {
  const long patch = g.rows * g.columns * g.inputs, pixels = (g.height / 2) * (g.width / 2);
  const long forward = 4 * (g.width / 2) * 32;
  const long back = 2 * patch * g.outputs + whole_lines(padded_picture(g)) + 2 * pixels * g.outputs;
  return (forward > back ? forward : back) + LINE;
}

void drawml_convolve_pool(
    int level, const float *input, long count, drawml_convolution g, const float *panels, const float *bias,
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

void drawml_convolve_pool_gradient(
    int level, const float *input, long count, drawml_convolution g, const float *weights, const float *gradient,
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

// MARK: Winograd
// Lavin and Gray 2016, doi:10.1109/CVPR.2016.435: F(4 × 4, 3 × 3), F(4, 3) and F(2, 5), at the points 0, 1, -1, 2, -2 and
// infinity.

/// How many pictures go at a time: so many that what is multiplied stays in the second-level cache.
static long winograd_pictures(drawml_convolution g) {
  const long pictures = 196608 / (products_of(g) * tiling(g, 1).tiles * (g.inputs + g.outputs));
  return pictures < 1 ? 1 : pictures;
}

int drawml_transforms(drawml_convolution g) {
  const int picture = g.rows == 3 && g.columns == 3 && g.height >= 4 && g.width >= 4;
  const int sequence = g.rows == 1 && g.height == 1 && (g.columns == 3 || g.columns == 5) && g.width >= 4;
  return (picture || sequence) && g.inputs >= 16 && g.outputs >= 16;
}

long drawml_winograd_room(drawml_convolution g) {
  const struct tiling t = tiling(g, winograd_pictures(g));
  return whole_lines(t.count * t.paddedPicture * g.inputs) + products_of(g) * t.count * t.tiles * (g.inputs + g.outputs) +
         2 * LINE;
}

long drawml_winograd_count(int level, drawml_convolution g) {
  // Behind the transformed weights those that are turned.
  return products_of(g) * drawml_packed_count(level, g.inputs, g.outputs) + g.rows * g.columns * g.inputs * g.outputs +
         LINE;
}

void drawml_winograd_weights(int level, const float *weights, drawml_convolution g, int turned, float *panels) {
  panels = aligned(panels);
  const long inputs = turned ? g.outputs : g.inputs, outputs = turned ? g.inputs : g.outputs;
  if (turned) {
    float *other = panels + products_of(g) * (drawml_packed_count(level, inputs, outputs) - LINE);
    const long taps = g.rows * g.columns;
    for (long tap = 0; tap < taps; tap++)
      transpose(weights + (taps - 1 - tap) * g.inputs * g.outputs, g.inputs, g.outputs, 0, other + tap * g.inputs * g.outputs);
    weights = other;
  }
  if (g.rows == 1)
    CALL(line_weights, weights, inputs, outputs, panels, g.columns);
  else
    CALL(winograd_weights, weights, inputs, outputs, panels);
}

/// Pictures with zeros around them up to whole tiles.
static void pad_tiles(const float *input, struct tiling t, long channels, float *padded) {
  const long width = t.width * channels, left = t.left * channels, line = t.paddedWidth * channels;
  for (long example = 0; example < t.count; example++) {
    memset(padded, 0, t.above * line * sizeof(float));
    for (long row = 0; row < t.height; row++) {
      float *start = padded + (t.above + row) * line;
      memset(start, 0, left * sizeof(float));
      memcpy(start + left, input + row * width, width * sizeof(float));
      memset(start + left + width, 0, (line - left - width) * sizeof(float));
    }
    const long done = (t.above + t.height) * line;
    memset(padded + done, 0, (t.paddedPicture * channels - done) * sizeof(float));
    input += t.height * width;
    padded += t.paddedPicture * channels;
  }
}

void drawml_winograd(
    int level, const float *input, long count, drawml_convolution g, const float *panels, const float *bias,
    float *room, float *output) {
  panels = aligned((float *)panels);
  const long portion = winograd_pictures(g), size = drawml_packed_count(level, g.inputs, g.outputs) - LINE;
  for (long first = 0; first < count; first += portion) {
    const struct tiling t = tiling(g, count - first < portion ? count - first : portion);
    const long tiles = t.count * t.tiles;
    float *padded = aligned(room), *values = padded + whole_lines(t.count * t.paddedPicture * g.inputs);
    float *products = values + whole_lines(products_of(g) * tiles * g.inputs);
    const drawml_convolution single = {1, tiles, g.inputs, g.outputs, 1, 1};
    pad_tiles(input + first * g.height * g.width * g.inputs, t, g.inputs, padded);
    if (g.rows == 1)
      CALL(line_input, padded, t, g.inputs, values);
    else
      CALL(winograd_input, padded, t, g.inputs, values);
    for (int n = 0; n < products_of(g); n++)
      CALL(
          convolve_padded, values + n * tiles * g.inputs, 1, single, panels + n * size, 0,
          products + n * tiles * g.outputs);
    float *target = output + first * g.height * g.width * g.outputs;
    if (g.rows == 1)
      CALL(line_output, products, t, g.outputs, bias, target);
    else
      CALL(winograd_output, products, t, g.outputs, bias, target);
  }
}

void drawml_add_winograd_gradient(
    int level, const float *input, long count, drawml_convolution g, const float *gradient, float *room, float *sums,
    float *weightGradient) {
  sums = aligned(sums);
  memset(sums, 0, products_of(g) * g.inputs * g.outputs * sizeof(float));
  const long portion = winograd_pictures(g);
  for (long first = 0; first < count; first += portion) {
    const struct tiling t = tiling(g, count - first < portion ? count - first : portion);
    const long tiles = t.count * t.tiles;
    float *padded = aligned(room), *values = padded + whole_lines(t.count * t.paddedPicture * g.inputs);
    float *slopes = values + whole_lines(products_of(g) * tiles * g.inputs);
    const drawml_convolution single = {1, tiles, g.inputs, g.outputs, 1, 1};
    pad_tiles(input + first * g.height * g.width * g.inputs, t, g.inputs, padded);
    if (g.rows == 1)
      CALL(line_input, padded, t, g.inputs, values);
    else
      CALL(winograd_input, padded, t, g.inputs, values);
    const float *source = gradient + first * g.height * g.width * g.outputs;
    if (g.rows == 1)
      CALL(line_slopes, source, t, g.outputs, slopes);
    else
      CALL(winograd_slopes, source, t, g.outputs, slopes);
    for (int n = 0; n < products_of(g); n++)
      CALL(
          gradient_padded, values + n * tiles * g.inputs, 1, single, slopes + n * tiles * g.outputs,
          sums + n * g.inputs * g.outputs);
  }
  if (g.rows == 1)
    CALL(line_sums, sums, g.inputs, g.outputs, weightGradient, g.columns);
  else
    CALL(winograd_sums, sums, g.inputs, g.outputs, weightGradient);
}
#endif
