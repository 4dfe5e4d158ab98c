#ifndef DRAWML_CKERNELS_RASTER_H
#define DRAWML_CKERNELS_RASTER_H

#include <stdint.h>

/// The inner loops of `RasterKernel` of Ink, which says what they compute. Results are the same
/// bits at every level.

/// A straight piece of a stroke, in pixels.
typedef struct {
  /// Where it starts, and the way to its end.
  float x, y, dx, dy;
  /// The squared length; 0 for a dot.
  float square;
  /// How round the ink is about its ends: see `InkSegment.startBend`.
  float startBend, endBend;
} drawml_segment;

/// How many segments are looked at together; of how many that are near tiles the ways are kept; and
/// how many floats of working memory are needed: tiles, ways, sets, brushes, and what is counted
/// and listed of tiles.
enum {
  drawml_raster_brushes = 256,
  drawml_raster_ways = 512,
  drawml_raster_scratch = 256 * 10 * 16 + drawml_raster_ways * 4 * 16 +
      256 * (drawml_raster_brushes / 64) * 2 + drawml_raster_brushes * 9 + 256 * 2 + 16,
};

/// Draws segments into pixels.
///
/// segments [count]; channels: 1 for ink, 4 for ink and flows; flows [count, 3], what is known of
/// each segment beside its ink, not looked at for 1 channel; pixels [height, width, channels]: all
/// are written; scratch [drawml_raster_scratch].
typedef void (*drawml_raster_function)(
    const drawml_segment *_Nullable segments, int64_t count, int channels,
    const float *_Nullable flows, int64_t width, int64_t height, float radius,
    float *_Nonnull scratch, float *_Nonnull pixels);

#endif
