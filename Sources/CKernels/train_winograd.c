#include "train_room.h"

#if defined(__x86_64__)
// Lavin and Gray 2016, doi:10.1109/CVPR.2016.435: F(4 × 4, 3 × 3), F(4, 3) and F(2, 5), at the points 0, 1, -1, 2, -2 and
// infinity.

/// How pictures are cut into tiles of `step` × `step` pixels, or of 1 × `step` where the kernel has one row. What lies under the
/// kernel at a tile is 6 × 6 or 1 × 6 pixels.
struct tiling {
  long count, height, width, step, across, tiles, above, left, paddedWidth, paddedPicture;
};

static struct tiling tiling(drawml_train_convolution g, long count) {
  const int line = g.rows == 1;
  const long step = 7 - g.columns, across = (g.width + step - 1) / step;
  const long down = line ? g.height : (g.height + step - 1) / step;
  const long paddedWidth = step * across + g.columns - 1, paddedHeight = line ? down : step * down + g.rows - 1;
  return (struct tiling){count,       g.height,      g.width,     step,       across,
                         down * across, g.rows / 2, g.columns / 2, paddedWidth, paddedHeight * paddedWidth};
}

/// How many products a tile takes for each input and output.
static long products_of(drawml_train_convolution g) { return g.rows == 1 ? 6 : 36; }

#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma"))), apply_to = function)
#define LANES 16
#define PANEL (2 * LANES)
#include "train_vectors.h"
#include "train_winograd.h"
#include "train_winograd_line.h"
#undef LANES
#undef PANEL
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define PANEL (2 * LANES)
#include "train_vectors.h"
#include "train_winograd.h"
#include "train_winograd_line.h"
#undef LANES
#undef PANEL
#pragma clang attribute pop

/// How many pictures go at a time: so many that what is multiplied stays in the second-level cache.
static long winograd_pictures(drawml_train_convolution g) {
  const long pictures = 196608 / (products_of(g) * tiling(g, 1).tiles * (g.inputs + g.outputs));
  return pictures < 1 ? 1 : pictures;
}

int drawml_train_transforms(drawml_train_convolution g) {
  const int picture = g.rows == 3 && g.columns == 3 && g.height >= 4 && g.width >= 4;
  const int sequence = g.rows == 1 && g.height == 1 && (g.columns == 3 || g.columns == 5) && g.width >= 4;
  return (picture || sequence) && g.inputs >= 16 && g.outputs >= 16;
}

long drawml_train_winograd_room(drawml_train_convolution g) {
  const struct tiling t = tiling(g, winograd_pictures(g));
  return whole_lines(t.count * t.paddedPicture * g.inputs) + products_of(g) * t.count * t.tiles * (g.inputs + g.outputs) +
         2 * LINE;
}

long drawml_train_winograd_count(int level, drawml_train_convolution g) {
  // Behind the transformed weights those that are turned.
  return products_of(g) * drawml_train_packed_count(level, g.inputs, g.outputs) + g.rows * g.columns * g.inputs * g.outputs +
         LINE;
}

void drawml_train_winograd_weights(int level, const float *weights, drawml_train_convolution g, int turned, float *panels) {
  panels = aligned(panels);
  const long inputs = turned ? g.outputs : g.inputs, outputs = turned ? g.inputs : g.outputs;
  if (turned) {
    float *other = panels + products_of(g) * (drawml_train_packed_count(level, inputs, outputs) - LINE);
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

/// Some pictures at a time, so that what is made of them stays in the cache.
struct portion {
  struct tiling tiling;
  long tiles;
  /// What the pictures are for the products, and the room behind it for what the products make or take.
  float *values, *behind;
  /// Each product is a convolution of one pixel.
  drawml_train_convolution single;
};

/// The portion of `count` pictures that begins with `first`, transformed.
static struct portion transformed(
    int level, const float *input, long first, long count, drawml_train_convolution g, float *room) {
  const long most = winograd_pictures(g);
  const struct tiling t = tiling(g, count - first < most ? count - first : most);
  const long tiles = t.count * t.tiles;
  float *padded = aligned(room), *values = padded + whole_lines(t.count * t.paddedPicture * g.inputs);
  pad_tiles(input + first * g.height * g.width * g.inputs, t, g.inputs, padded);
  if (g.rows == 1)
    CALL(line_input, padded, t, g.inputs, values);
  else
    CALL(winograd_input, padded, t, g.inputs, values);
  return (struct portion){
      t, tiles, values, values + whole_lines(products_of(g) * tiles * g.inputs), {1, tiles, g.inputs, g.outputs, 1, 1}};
}

void drawml_train_winograd(
    int level, const float *input, long count, drawml_train_convolution g, const float *panels, const float *bias,
    float *room, float *output) {
  panels = aligned((float *)panels);
  const long most = winograd_pictures(g), size = drawml_train_packed_count(level, g.inputs, g.outputs) - LINE;
  for (long first = 0; first < count; first += most) {
    const struct portion p = transformed(level, input, first, count, g, room);
    for (int n = 0; n < products_of(g); n++)
      drawml_train_convolve(
          level, p.values + n * p.tiles * g.inputs, 1, p.single, panels + n * size, 0, 0, p.behind + n * p.tiles * g.outputs);
    float *target = output + first * g.height * g.width * g.outputs;
    if (g.rows == 1)
      CALL(line_output, p.behind, p.tiling, g.outputs, bias, target);
    else
      CALL(winograd_output, p.behind, p.tiling, g.outputs, bias, target);
  }
}

void drawml_train_add_winograd_gradient(
    int level, const float *input, long count, drawml_train_convolution g, const float *gradient, float *room, float *sums,
    float *weightGradient) {
  sums = aligned(sums);
  memset(sums, 0, products_of(g) * g.inputs * g.outputs * sizeof(float));
  const long most = winograd_pictures(g);
  for (long first = 0; first < count; first += most) {
    const struct portion p = transformed(level, input, first, count, g, room);
    const float *source = gradient + first * g.height * g.width * g.outputs;
    if (g.rows == 1)
      CALL(line_slopes, source, p.tiling, g.outputs, p.behind);
    else
      CALL(winograd_slopes, source, p.tiling, g.outputs, p.behind);
    for (int n = 0; n < products_of(g); n++)
      drawml_train_add_weight_gradient(
          level, p.values + n * p.tiles * g.inputs, 1, p.single, p.behind + n * p.tiles * g.outputs, 0,
          sums + n * g.inputs * g.outputs);
  }
  if (g.rows == 1)
    CALL(line_sums, sums, g.inputs, g.outputs, weightGradient, g.columns);
  else
    CALL(winograd_sums, sums, g.inputs, g.outputs, weightGradient);
}
#endif
