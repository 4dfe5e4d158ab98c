#ifndef DRAWML_CKERNELS_RASTER_H
#define DRAWML_CKERNELS_RASTER_H

#include <stdint.h>

/// The inner loops of Ink's `RasterKernel`, which documents the method. Results are bit-identical
/// at every level.

/// A straight piece of a stroke, in pixels.
typedef struct {
  /// The start, and the vector to the end.
  float x, y, dx, dy;
  /// The squared length; 0 for a dot.
  float square;
  /// How round the ink is at its ends: see `InkSegment.startBend`.
  float startBend, endBend;
} drawml_segment;

/// The maximum number of segments per batch; of segment-tile pairs whose vectors are kept; and the
/// floats of working memory: tiles, vectors, sets, brushes, and the counts and lists of tiles.
enum {
  drawml_raster_brushes = 256,
  drawml_raster_ways = 512,
  drawml_raster_scratch = 256 * 10 * 16 + drawml_raster_ways * 4 * 16 +
      256 * (drawml_raster_brushes / 64) * 2 + drawml_raster_brushes * 9 + 256 * 2 + 16,
};

/// Draws segments into pixels.
///
/// segments [count]; channels: 1 for ink, 4 for ink and flows; flows [count, 3]: the other channels
/// of each segment, ignored for 1 channel; pixels [height, width, channels]: all are written;
/// scratch [drawml_raster_scratch].
typedef void (*drawml_raster_function)(
    const drawml_segment *_Nullable segments, int64_t count, int channels,
    const float *_Nullable flows, int64_t width, int64_t height, float radius,
    float *_Nonnull scratch, float *_Nonnull pixels);

#endif
