#include "CKernelsRaster.h"

#include <math.h>
#include <string.h>

// All functions with vector arguments are inlined, so the ABI warning does not apply.
#pragma clang diagnostic ignored "-Wpsabi"
// Results must not depend on the processor: products and sums are rounded separately, as in Swift.
#pragma STDC FP_CONTRACT OFF

/// A value for each of the 4 × 4 pixels of a tile, row-major.
typedef float lanes __attribute__((ext_vector_type(16)));
typedef int32_t yesno __attribute__((ext_vector_type(16)));

/// The pixels per tile side; the tiles per block side and half of it; the segments per batch; and
/// the segment-tile pairs whose vectors are kept.
enum {
  side = 4,
  block = 16,
  half_block = block / 2,
  most_brushes = drawml_raster_brushes,
  most_ways = drawml_raster_ways
};

#define INLINE static inline __attribute__((always_inline))

INLINE lanes smaller(lanes a, lanes b) { return a < b ? a : b; }
INLINE lanes larger(lanes a, lanes b) { return a > b ? a : b; }
INLINE lanes size(lanes a) { return __builtin_elementwise_abs(a); }
INLINE lanes root(lanes a) { return __builtin_elementwise_sqrt(a); }

#include "raster_coverage.h"

/// The state of a tile's pixels.
typedef struct {
  /// The vector from the nearest ink to each pixel and its squared length, how round the ink is
  /// there, and its segment.
  lanes square, x, y, bend, segment;
  /// The same for the nearest ink in another direction.
  lanes joint_square, joint_x, joint_y, joint_bend;
  lanes coverage;
} tile;

/// A segment prepared for `way_to`.
typedef struct {
  float x, y, dx, dy, square, inverse, start_bend, end_bend, number;
} brush;

/// A bit set, for each tile of half a row, of which of 64 segments may be near it.
typedef uint64_t sets __attribute__((ext_vector_type(8)));
typedef int64_t places __attribute__((ext_vector_type(8)));

/// The vector from the nearest point of a segment to each pixel of a tile, its squared length, and
/// how round the ink is there.
typedef struct {
  lanes x, y, square, bend;
} way;

/// A block of tiles being drawn.
typedef struct {
  tile *tiles;
  /// The number of segments that may be near each tile.
  uint16_t *visits;
  /// The tiles that segments may be near, and those of them that ink in another direction can
  /// change.
  uint8_t *live, *edges;
  int live_count, edge_count;
  /// The listed segments; and for each 64 of them, the sets of those near each tile.
  brush *brushes;
  uint64_t *sets;
  int words;
  /// The index of each tile's first entry in `ways`.
  uint16_t *starts;
  /// The vectors to each tile's pixels from the segments that may be near it, if there are few
  /// enough.
  way *ways;
  /// The block's position and size, in tiles.
  int64_t row, column;
  int rows, columns;
} canvas;

/// Sets `count` numbers to zero. The general memset took a twelfth of the time to draw a small
/// picture.
INLINE void clear(float *numbers, size_t count) {
  typedef lanes loose __attribute__((aligned(4)));
  const loose zero = 0;
  size_t done = 0;
  for (; done + 16 <= count; done += 16) {
    *(loose *)(numbers + done) = zero;
    __asm__ volatile("" ::: "memory");  // or the compiler would call it after all
  }
  if (done < count) memset(numbers + done, 0, (count - done) * sizeof(float));
}

INLINE int at_most(int a, int b) { return a < b ? a : b; }
INLINE float lesser(float a, float b) { return a < b ? a : b; }
INLINE float greater(float a, float b) { return a > b ? a : b; }

/// The tiles with pixels within reach of a segment, and perhaps a few more: the rows, and in each
/// row the first column and the one after the last.
typedef struct {
  int first_row, last_row;
  yesno first, end;
} cover;

static const places half_columns = {0, 1, 2, 3, 4, 5, 6, 7};
static const lanes row_tops = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

INLINE cover covered(const drawml_segment *s, float reach, const canvas *c) {
  const lanes zero = 0;
  reach += 0.01f;  // rounding must lose no pixel
  const float x = s->x - (float)(c->column * side), y = s->y - (float)(c->row * side);
  const float end_x = x + s->dx, end_y = y + s->dy;
  const float low = lesser(y, end_y) - reach, high = greater(y, end_y) + reach;
  // Pixel p's center is at p + 0.5. Positions far outside must not overflow an integer.
  const float bottom = (float)(c->rows * side), end = (float)(c->columns * side);
  const int is_flat = fabsf(s->dy) < 1e-3f;
  const float inverse = is_flat ? 0 : 1 / s->dy;
  const float half = is_flat ? 1e9f : reach * sqrtf(s->square) * fabsf(inverse);
  // Where the segment's line crosses the first and the last centers of each row, counted from 0.
  const float slope = s->dx * inverse;
  const lanes upper = x + (0.5f - y) * slope - 0.5f + slope * row_tops,
              lower = upper + slope * (side - 1);
  const lanes left = larger((lanes)(lesser(x, end_x) - reach - 0.5f), smaller(upper, lower) - half);
  const lanes right =
      smaller((lanes)(greater(x, end_x) + reach - 0.5f), larger(upper, lower) + half);
  const yesno first =
      __builtin_convertvector(smaller(larger(left, zero), (lanes)(end)) * (1.0f / side), yesno);
  // The shift by `side` keeps ends left of the block before its first column.
  const yesno behind_last = __builtin_convertvector(
      smaller(larger(right + side, zero), (lanes)(end)) * (1.0f / side), yesno);
  return (cover){
      .first_row = (int)(lesser(greater(low - 0.5f, 0), bottom) * (1.0f / side)),
      .last_row = high < 0.5f ? -1 : (int)(lesser(high - 0.5f, bottom - 1) * (1.0f / side)),
      .first = first,
      .end = behind_last,
  };
}

INLINE brush prepared(const drawml_segment *s, int64_t number) {
  return (brush){
      .x = s->x,
      .y = s->y,
      .dx = s->dx,
      .dy = s->dy,
      .square = s->square,
      .inverse = s->square > 0 ? 1 / s->square : 0,
      .start_bend = s->startBend,
      .end_bend = s->endBend,
      .number = (float)number,
  };
}

/// Lists as many segments as fit, from `number` on; returns the first one not listed.
INLINE int64_t list_segments(
    canvas *c, const drawml_segment *segments, int64_t number, int64_t count, float reach) {
  int brushes = 0;
  const int64_t most = count - number < most_brushes ? count - number : most_brushes;
  c->words = (int)((most + 63) / 64);
  for (int word = 0; word < c->words; word++) {
    float *words = (float *)(c->sets + word * block * block);
    clear(words, sizeof(uint64_t) / sizeof(float) * block * (size_t)c->rows);
  }
  for (; brushes < most; brushes++, number++) {
    const drawml_segment *s = segments + number;
    const cover shape = covered(s, reach, c);
    c->brushes[brushes] = prepared(s, number);
    const sets one = (sets)((uint64_t)1 << brushes % 64), none = 0;
    sets *rows = (sets *)(c->sets + brushes / 64 * block * block);
    for (int row = shape.first_row; row <= shape.last_row; row++) {
      const places first = (places)((int64_t)shape.first[row]),
                   end = (places)((int64_t)shape.end[row]);
      rows[2 * row] |= ((half_columns >= first) & (half_columns < end)) ? one : none;
      if (c->columns > half_block) {
        const places columns = half_columns + half_block;
        rows[2 * row + 1] |= ((columns >= first) & (columns < end)) ? one : none;
      }
    }
  }
  return number;
}

static const lanes pixel_x = {0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f,
                              0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f};
static const lanes pixel_y = {0.5f, 0.5f, 0.5f, 0.5f, 1.5f, 1.5f, 1.5f, 1.5f,
                              2.5f, 2.5f, 2.5f, 2.5f, 3.5f, 3.5f, 3.5f, 3.5f};

/// Lists the tiles that segments may be near.
INLINE void list_tiles(canvas *c) {
  int count = 0;
  for (int row = 0; row < c->rows; row++)
    for (int index = row * block; index < row * block + c->columns; index++) {
      c->live[count] = (uint8_t)index;
      count += c->visits[index] != 0;
    }
  c->live_count = count;
}

/// Counts the listed segments that may be near each tile; returns the total.
INLINE int count_visits(canvas *c) {
  int total = 0;
  for (int row = 0; row < c->rows; row++)
    for (int index = row * block; index < row * block + c->columns; index++) {
      int count = 0;
      for (int word = 0; word < c->words; word++)
        count += __builtin_popcountll(c->sets[word * block * block + index]);
      c->starts[index] = (uint16_t)total;
      total += count;
      c->visits[index] = (uint16_t)at_most(c->visits[index] + count, UINT16_MAX);
    }
  return total;
}

/// The pixel centers of a tile.
INLINE lanes centers_x(const canvas *c, int index) {
  return pixel_x + (float)((c->column + index % block) * side);
}
INLINE lanes centers_y(const canvas *c, int index) {
  return pixel_y + (float)((c->row + index / block) * side);
}

INLINE int is_any(yesno mask) { return __builtin_reduce_or(mask) != 0; }

/// Below this squared distance, a pixel's center is on a segment.
static const float on_line = 1e-8f;

/// The vectors from the nearest point of a segment to a tile's pixels; `careful` if a center may be
/// on it.
INLINE way way_to(const brush *b, lanes px, lanes py, int careful) {
  const lanes zero = 0, one = 1;
  px -= b->x;
  py -= b->y;
  lanes along = (px * b->dx + py * b->dy) * b->inverse;
  lanes t = smaller(larger(along, zero), one);
  way w = {.x = px - t * b->dx, .y = py - t * b->dy};
  w.bend = along >= one ? (lanes)(b->end_bend) : (along <= zero ? (lanes)(b->start_bend) : zero);
  w.square = w.x * w.x + w.y * w.y;
  if (careful) {
    // A vector this short changes no distance but still gives the direction.
    const float scale = b->square > 0 ? 1e-4f / sqrtf(b->square) : 0;
    yesno is_on_line = (w.square < (lanes)(on_line)) & (along > zero) & (along < one);
    w.x = is_on_line ? (lanes)(b->dy * scale) : w.x;
    w.y = is_on_line ? (lanes)(-b->dx * scale) : w.y;
    w.square = is_on_line ? w.x * w.x + w.y * w.y : w.square;
  }
  return w;
}

/// Finds the nearest ink of a tile's pixels among the listed segments. Returns 1, without storing,
/// if a pixel's center may be on one and it was not `careful`.
INLINE int find_nearest_of(
    canvas *c, int index, lanes px, lanes py, int has_flows, int keeps_ways, int careful) {
  tile *t = c->tiles + index;
  lanes square = t->square, x = t->x, y = t->y, bend = t->bend, segment = t->segment;
  way *kept = c->ways + c->starts[index];
  for (int word = 0; word < c->words; word++) {
    const brush *brushes = c->brushes + 64 * word;
    for (uint64_t set = c->sets[word * block * block + index]; set != 0; set &= set - 1) {
      const brush *b = brushes + __builtin_ctzll(set);
      const way w = way_to(b, px, py, careful);
      if (keeps_ways) *kept++ = w;
      const yesno is_nearer = w.square < square;
      square = smaller(w.square, square);
      x = is_nearer ? w.x : x;
      y = is_nearer ? w.y : y;
      bend = is_nearer ? w.bend : bend;
      if (has_flows) segment = is_nearer ? (lanes)(b->number) : segment;
    }
  }
  if (!careful && __builtin_expect(is_any(square < (lanes)(on_line)), 0)) return 1;
  t->square = square;
  t->x = x;
  t->y = y;
  t->bend = bend;
  if (has_flows) t->segment = segment;
  return 0;
}

/// Finds the nearest ink of each pixel among the listed segments.
INLINE void find_nearest(canvas *c, int has_flows, int keeps_ways) {
  for (int number = 0; number < c->live_count; number++) {
    const int index = c->live[number];
    const lanes px = centers_x(c, index), py = centers_y(c, index);
    if (find_nearest_of(c, index, px, py, has_flows, keeps_ways, 0))
      find_nearest_of(c, index, px, py, has_flows, keeps_ways, 1);
  }
}

INLINE void cover_nearest(canvas *c, const edge *e, float reach) {
  const lanes limit = reach * reach, zero = 0;
  int edges = 0;
  for (int number = 0; number < c->live_count; number++) {
    const int index = c->live[number];
    tile *t = c->tiles + index;
    yesno is_near = t->square < limit;
    lanes covered = coverage(e, t->square, t->x, t->y, t->bend);
    t->coverage = is_near ? covered : zero;
    // Ink exactly at a pixel's center has no direction, so it counts as in another direction than
    // itself.
    int has_others = (c->visits[index] > 1) | is_any(t->square <= zero);
    c->edges[edges] = (uint8_t)index;
    edges += has_others & is_any(is_near & (t->coverage < (lanes)(1)));
  }
  c->edge_count = edges;
}

/// Finds the nearest ink in another direction among the listed segments.
///
/// This depends on which ink is nearest, so that must be known first; otherwise the result would
/// depend on the order of strokes.
INLINE void find_joints(canvas *c, int has_ways) {
  const lanes zero = 0;
  // Two vectors differ in direction above an angle of 20 degrees; this is the square of its cosine.
  const float same_direction = 0.883f;
  for (int edge = 0; edge < c->edge_count; edge++) {
    const int index = c->edges[edge];
    tile *t = c->tiles + index;
    const lanes px = centers_x(c, index), py = centers_y(c, index);
    const lanes near_x = t->x, near_y = t->y, near_square = t->square;
    lanes square = t->joint_square, x = t->joint_x, y = t->joint_y, bend = t->joint_bend;
    const way *kept = c->ways + c->starts[index];
    for (int word = 0; word < c->words; word++) {
      for (uint64_t set = c->sets[word * block * block + index]; set != 0; set &= set - 1) {
        const way w =
            has_ways ? *kept++ : way_to(c->brushes + 64 * word + __builtin_ctzll(set), px, py, 1);
        const lanes dot = w.x * near_x + w.y * near_y;
        const yesno takes =
            ((dot <= zero) | (dot * dot < w.square * near_square * same_direction)) &
            (w.bend >= zero) & (w.square < square);
        square = takes ? w.square : square;
        x = takes ? w.x : x;
        y = takes ? w.y : y;
        bend = takes ? w.bend : bend;
      }
    }
    t->joint_square = square;
    t->joint_x = x;
    t->joint_y = y;
    t->joint_bend = bend;
  }
}

/// Adds the coverage by ink in another direction.
INLINE void cover_joints(canvas *c, const edge *e, float reach) {
  const lanes limit = reach * reach;
  int joints = 0;
  for (int edge = 0; edge < c->edge_count; edge++) {
    const tile *t = c->tiles + c->edges[edge];
    c->edges[joints] = c->edges[edge];
    joints += is_any((t->joint_square < limit) & (t->coverage < (lanes)(1)));
  }
  for (int joint = 0; joint < joints; joint++) {
    tile *t = c->tiles + c->edges[joint];
    yesno has_joint = (t->joint_square < limit) & (t->coverage < (lanes)(1));
    lanes other = coverage(e, t->joint_square, t->joint_x, t->joint_y, t->joint_bend);
    lanes dot = t->x * t->joint_x + t->y * t->joint_y;
    lanes both = joined(t->coverage, other, dot, t->square, t->joint_square);
    t->coverage = has_joint ? both : t->coverage;
  }
}

/// Writes a tile's pixels with the flows of their segments.
static void write_flow(
    const tile *t, const float *flows, int64_t count, int rows, int columns, int64_t width,
    float limit, float *pixels) {
  const float *coverage = (const float *)&t->coverage, *square = (const float *)&t->square;
  const float *segments = (const float *)&t->segment;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      int lane = row * side + column;
      if (!(square[lane] < limit)) continue;
      // Beyond 2^24 a float cannot represent every segment number.
      int64_t segment = (int64_t)segments[lane];
      const float *flow = flows + 3 * (segment < count ? segment : count - 1);
      float *pixel = pixels + 4 * (row * width + column);
      pixel[0] = coverage[lane];
      for (int part = 0; part < 3; part++) pixel[1 + part] = coverage[lane] * flow[part];
    }
  }
}

INLINE void write_tiles(
    const canvas *c, int has_flows, const float *flows, int64_t count, int64_t width,
    int64_t height, float reach, float *pixels) {
  for (int number = 0; number < c->live_count; number++) {
    const int index = c->live[number];
    const tile *t = c->tiles + index;
    const int64_t top = (c->row + index / block) * side, left = (c->column + index % block) * side;
    const int rows = (int)(height - top < side ? height - top : side);
    const int columns = (int)(width - left < side ? width - left : side);
    const int64_t start = top * width + left;
    const float *values = (const float *)&t->coverage;
    if (has_flows) {
      write_flow(t, flows, count, rows, columns, width, reach * reach, pixels + 4 * start);
    } else if (rows == side && columns == side) {
      for (int line = 0; line < side; line++)
        memcpy(pixels + start + line * width, values + line * side, side * sizeof(float));
    } else {
      for (int line = 0; line < rows; line++)
        memcpy(
            pixels + start + line * width, values + line * side, (size_t)columns * sizeof(float));
    }
  }
}

INLINE void draw(
    const drawml_segment *segments, int64_t count, int channels, const float *flows, int64_t width,
    int64_t height, float radius, float *scratch, float *pixels) {
  const float reach = radius + 0.7071068f;  // half a pixel's diagonal
  float shift = greater(0, lesser(1, (radius - 0.4f) / 0.3f)) / (24 * greater(0.4f, radius));
  const edge e = {
      .radius = radius, .disc_shift = shift, .disc_fill = lesser(1, 1.5707964f * radius)};
  const int has_flows = channels == 4;
  clear(pixels, (size_t)(width * height * channels));
  char *memory = (char *)(((uintptr_t)scratch + 63) & ~(uintptr_t)63);
  canvas c = {.tiles = (tile *)memory};
  memory += sizeof(tile) * block * block;
  c.ways = (way *)memory;
  memory += sizeof(way) * most_ways;
  c.sets = (uint64_t *)memory;
  memory += sizeof(uint64_t) * block * block * (most_brushes / 64);
  c.brushes = (brush *)memory;
  memory += sizeof(brush) * most_brushes;
  c.visits = (uint16_t *)memory;
  c.starts = c.visits + block * block;
  c.live = (uint8_t *)(c.starts + block * block);
  c.edges = c.live + block * block;
  int keeps_ways = 0;
  int64_t rows = (height + side - 1) / side, columns = (width + side - 1) / side;
  for (c.row = 0; c.row < rows; c.row += block) {
    for (c.column = 0; c.column < columns; c.column += block) {
      c.rows = (int)(rows - c.row < block ? rows - c.row : block);
      c.columns = (int)(columns - c.column < block ? columns - c.column : block);
      memset(c.visits, 0, sizeof(uint16_t) * block * block);
      for (int row = 0; row < c.rows; row++)
        for (int index = row * block; index < row * block + c.columns; index++)
          c.tiles[index].square = c.tiles[index].joint_square = reach * reach;
      int lists = 0;
      for (int64_t next = 0; next < count; lists++) {
        next = list_segments(&c, segments, next, count, reach);
        keeps_ways = count_visits(&c) <= most_ways && !has_flows;
        list_tiles(&c);
        if (has_flows) find_nearest(&c, 1, 0);
        else if (keeps_ways) find_nearest(&c, 0, 1);
        else find_nearest(&c, 0, 0);
      }
      cover_nearest(&c, &e, reach);
      // Most drawings have one list, which is still valid.
      if (lists == 1 && keeps_ways) find_joints(&c, 1);
      else if (lists == 1) find_joints(&c, 0);
      for (int64_t next = 0; lists > 1 && next < count;) {
        next = list_segments(&c, segments, next, count, reach);
        find_joints(&c, 0);
      }
      cover_joints(&c, &e, reach);
      write_tiles(&c, has_flows, flows, count, width, height, reach, pixels);
    }
  }
}

#define AT_LEVEL(level, ...)                                                           \
  __VA_ARGS__ void drawml_raster_##level(                                              \
      const drawml_segment *segments, int64_t count, int channels, const float *flows, \
      int64_t width, int64_t height, float radius, float *scratch, float *pixels) {    \
    draw(segments, count, channels, flows, width, height, radius, scratch, pixels);    \
  }
AT_LEVEL(plain)
#if defined(__x86_64__)
AT_LEVEL(avx2, __attribute__((target("avx2"))))
AT_LEVEL(avx512, __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2"))))
#endif
