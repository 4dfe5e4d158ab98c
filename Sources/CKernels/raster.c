#include "CKernelsRaster.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// No function with vectors for arguments is ever called: all are inlined.
#pragma clang diagnostic ignored "-Wpsabi"
// Results must not depend on the processor: a product and a sum are rounded each, as in Swift.
#pragma STDC FP_CONTRACT OFF

/// The numbers of the 4 x 4 pixels of a tile, row by row.
typedef float lanes __attribute__((ext_vector_type(16)));
typedef int32_t yesno __attribute__((ext_vector_type(16)));

/// Pixels of a tile's side; tiles of a block's side; visits that are listed at a time.
enum { side = 4, block = 16, most_visits = 2048 };

#define INLINE static inline __attribute__((always_inline))

INLINE lanes smaller(lanes a, lanes b) { return a < b ? a : b; }
INLINE lanes larger(lanes a, lanes b) { return a > b ? a : b; }
INLINE lanes size(lanes a) { return __builtin_elementwise_abs(a); }
INLINE lanes root(lanes a) { return __builtin_elementwise_sqrt(a); }

/// What is known of a tile's pixels.
typedef struct {
  /// From the nearest ink to each pixel: its squared length and itself, how round the ink is there, and its segment.
  lanes square, x, y, bend, segment;
  /// The same of the nearest ink in another direction.
  lanes joint_square, joint_x, joint_y, joint_bend;
  lanes coverage;
} tile;

/// What `way_to` needs of a segment.
typedef struct {
  float x, y, dx, dy, inverse, start_bend, end_bend, normal_x, normal_y, number;
} brush;

/// A segment that may be near a tile.
typedef struct {
  uint16_t brush, tile;
} visit;

/// A block of tiles while it is drawn.
typedef struct {
  tile *tiles;
  /// How many segments may be near each tile, and whether ink in another direction can change it.
  uint16_t *visits;
  uint8_t *has_edge;
  /// The visits that are listed, and their segments.
  visit *list;
  int listed;
  brush *brushes;
  /// The block's place in tiles, and its size.
  int64_t row, column;
  int rows, columns;
} canvas;

/// The tiles with pixels within reach of a segment, and perhaps a few more.
typedef struct {
  int first_row, last_row, last_column;
  float left, right, crossing, slope, half;
} cover;

INLINE int at_most(int a, int b) { return a < b ? a : b; }
INLINE float lesser(float a, float b) { return a < b ? a : b; }
INLINE float greater(float a, float b) { return a > b ? a : b; }

INLINE cover covered(const drawml_segment *s, float reach, const canvas *c) {
  reach += 0.01f;  // rounding must lose no pixel
  float left = (float)(c->column * side), top = (float)(c->row * side);
  float x = s->x - left, y = s->y - top;
  float end_x = x + s->dx, end_y = y + s->dy;
  float low = lesser(y, end_y) - reach, high = greater(y, end_y) + reach;
  // Pixel p's centre is at p + 0.5. Places far outside must not overflow an integer.
  float last = (float)(c->rows * side);
  float flat = fabsf(s->dy);
  int is_flat = flat < 1e-3f;
  float slope = is_flat ? 0 : s->dx / s->dy;
  cover result = {
      .first_row = (int)(lesser(greater(low - 0.5f, 0), last) * (1.0f / side)),
      .last_row = high < 0.5f ? -1 : (int)(lesser(high - 0.5f, last - 1) * (1.0f / side)),
      .last_column = c->columns - 1,
      .left = lesser(x, end_x) - reach - 0.5f, .right = greater(x, end_x) + reach - 0.5f,
      .crossing = x + (0.5f - y) * slope - 0.5f, .slope = slope,
      .half = is_flat ? 1e9f : reach * sqrtf(s->square) / flat,
  };
  return result;
}

/// The first and last tile of a row, in pixels whose centres are counted from 0.
INLINE void columns_of(const cover *c, int row, int *first, int *last) {
  float upper = c->crossing + c->slope * (float)(row * side);
  float lower = upper + c->slope * (side - 1);
  float low = greater(c->left, lesser(upper, lower) - c->half);
  float high = lesser(c->right, greater(upper, lower) + c->half);
  float end = (float)((c->last_column + 1) * side);
  *first = (int)(lesser(greater(low, 0), end) * (1.0f / side));
  *last = high < 0 ? -1 : at_most(c->last_column, (int)(lesser(high, end) * (1.0f / side)));
}

INLINE brush prepared(const drawml_segment *s, int64_t number) {
  // A way this short changes no distance and still says the direction.
  float scale = s->square > 0 ? 1e-4f / sqrtf(s->square) : 0;
  brush b = {
      .x = s->x, .y = s->y, .dx = s->dx, .dy = s->dy, .inverse = s->square > 0 ? 1 / s->square : 0,
      .start_bend = s->startBend, .end_bend = s->endBend, .normal_x = s->dy * scale, .normal_y = -s->dx * scale,
      .number = (float)number,
  };
  return b;
}

/// Lists the visits of segments from `number` on, as many as there is room for; gives the first segment without.
INLINE int64_t list_visits(canvas *c, const drawml_segment *segments, int64_t number, int64_t count, float reach) {
  int listed = 0, brushes = 0;
  for (; number < count && listed + block * block <= most_visits && brushes < most_visits; number++) {
    const drawml_segment *s = segments + number;
    cover shape = covered(s, reach, c);
    if (shape.first_row > shape.last_row) continue;
    for (int row = shape.first_row; row <= shape.last_row; row++) {
      int first, last;
      columns_of(&shape, row, &first, &last);
      for (int column = first; column <= last; column++)
        c->list[listed++] = (visit){(uint16_t)brushes, (uint16_t)(row * block + column)};
    }
    c->brushes[brushes++] = prepared(s, number);
  }
  c->listed = listed;
  return number;
}

typedef struct {
  lanes x, y, square, bend;
} way;

static const lanes pixel_x = {0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 3.5f};
static const lanes pixel_y = {0.5f, 0.5f, 0.5f, 0.5f, 1.5f, 1.5f, 1.5f, 1.5f, 2.5f, 2.5f, 2.5f, 2.5f, 3.5f, 3.5f, 3.5f, 3.5f};

INLINE int is_any(yesno mask) { return __builtin_reduce_or(mask) != 0; }

/// From the nearest point of a segment to a tile's pixels.
INLINE way way_to(const brush *b, lanes px, lanes py) {
  const lanes zero = 0, one = 1;
  px -= b->x;
  py -= b->y;
  lanes along = (px * b->dx + py * b->dy) * b->inverse;
  lanes t = smaller(larger(along, zero), one);
  way w = {.x = px - t * b->dx, .y = py - t * b->dy};
  w.bend = along >= one ? (lanes)(b->end_bend) : (along <= zero ? (lanes)(b->start_bend) : zero);
  w.square = w.x * w.x + w.y * w.y;
  yesno is_on_line = (w.square < (lanes)(1e-8f)) & (along > zero) & (along < one);
  if (__builtin_expect(is_any(is_on_line), 0)) {
    w.x = is_on_line ? (lanes)(b->normal_x) : w.x;
    w.y = is_on_line ? (lanes)(b->normal_y) : w.y;
    w.square = is_on_line ? w.x * w.x + w.y * w.y : w.square;
  }
  return w;
}

/// The way from a segment to a tile of a block.
INLINE way way_of(const canvas *c, const visit *v) {
  int row = v->tile / block, column = v->tile % block;
  return way_to(
      c->brushes + v->brush, pixel_x + (float)((c->column + column) * side), pixel_y + (float)((c->row + row) * side));
}

// How much of a pixel's square an edge covers: see `StripEdge` of Ink's tests' plain twin.

/// How an edge lies to a unit square.
typedef struct {
  /// The distance from the square's centre at which the edge leaves the square, and up to which it runs from side to side.
  lanes end, middle;
  /// 1 / a and 1 / ab for the larger and smaller part of the unit normal.
  lanes inverse, inverse_product;
} slant;

/// The area, within the square, of the half-plane whose edge lies `offset` beyond the square's centre.
///
/// A box filter seen along the edge's normal is a trapezoid; this is its integral.
INLINE lanes area(const slant *s, lanes offset) {
  lanes distance = smaller(size(offset), s->end);
  lanes rest = s->end - distance;
  lanes flat = 0.5f - distance * s->inverse;
  lanes ramp = rest * rest * (s->inverse_product * 0.5f);
  lanes beyond = distance <= s->middle ? flat : ramp;
  return offset < (lanes)(0) ? beyond : 1 - beyond;
}

/// What a stroke covers, from the way to its nearest point.
typedef struct {
  float radius, disc_shift, disc_fill;
} edge;

INLINE lanes coverage(const edge *e, lanes square, lanes x, lanes y, lanes bend) {
  const lanes zero = 0, one = 1;
  lanes distance = root(square);
  lanes scale = 1 / larger(distance, (lanes)(1e-12f));
  lanes size_x = size(x), size_y = size(y);
  lanes a = larger(larger(size_x, size_y) * scale, (lanes)(0.5f));
  lanes b = smaller(size_x, size_y) * scale;
  lanes least = larger(b, (lanes)(1e-6f));
  lanes inverse_product = 1 / (a * least);
  slant s = {.end = (a + b) * 0.5f, .middle = (a - b) * 0.5f, .inverse = inverse_product * least, .inverse_product = inverse_product};
  lanes roundness = smaller(size(bend), one);
  lanes room = larger(s.end - size(e->radius - distance), zero) * inverse_product;
  lanes chord = smaller(room, s.inverse);
  // Towards the square's corner the chord moves away from where the disc touches the edge.
  lanes aside = (1 - chord * a) * s.middle;
  lanes shift = roundness * (chord * chord + aside * 12 * aside) * e->disc_shift;
  lanes strip = area(&s, e->radius - distance - shift);
  // The far edge of a wide strip is in no pixel whose centre is on this side of its middle line.
  if (e->radius < 0.708f) strip -= area(&s, -e->radius - distance);
  // Half of what is about a stroke's end is still its straight part.
  lanes share = smaller(larger(distance + 0.5f, bend - 1), one) * roundness;
  return smaller(larger(strip * (1 - share * (1 - e->disc_fill)), zero), one);
}

/// What two edges cover together.
///
/// Half-planes that meet in the square's centre at the angle phi between their normals overlap by 1/2 - phi / 2 pi: linear in
/// phi between the least overlap that is possible, independence, and the most.
INLINE lanes joined(lanes first, lanes second, lanes dot, lanes square, lanes second_square) {
  const lanes zero = 0, one = 1;
  lanes lengths = root(square * second_square);
  lanes cosine = smaller(larger(dot / larger(lengths, (lanes)(1e-12f)), (lanes)(-1)), one);
  lanes size_ = size(cosine);
  // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45; as a part of a right angle.
  lanes polynomial = 0.074261f - size_ * 0.0187293f;
  polynomial = size_ * polynomial - 0.2121144f;
  polynomial = size_ * polynomial + 1.5707288f;
  lanes away = 1 - root(1 - size_) * polynomial * 0.63661977f;
  lanes independent = first * second;
  lanes bound = cosine > zero ? smaller(first, second) : larger(first + second - 1, zero);
  return first + second - (independent + (bound - independent) * away);
}

/// Finds the nearest ink of each pixel among the listed segments.
INLINE void find_nearest(canvas *c, int has_flows) {
  for (int number = 0; number < c->listed; number++) {
    const visit *v = c->list + number;
    tile *t = c->tiles + v->tile;
    way w = way_of(c, v);
    yesno is_nearer = w.square < t->square;
    t->square = smaller(w.square, t->square);
    t->x = is_nearer ? w.x : t->x;
    t->y = is_nearer ? w.y : t->y;
    t->bend = is_nearer ? w.bend : t->bend;
    if (has_flows) t->segment = is_nearer ? (lanes)(c->brushes[v->brush].number) : t->segment;
    c->visits[v->tile] += c->visits[v->tile] < UINT16_MAX;
  }
}

INLINE void cover_nearest(canvas *c, const edge *e, float reach) {
  const lanes limit = reach * reach, zero = 0;
  for (int row = 0; row < c->rows; row++) {
    for (int index = row * block; index < row * block + c->columns; index++) {
      if (c->visits[index] == 0) continue;
      tile *t = c->tiles + index;
      yesno is_near = t->square < limit;
      lanes covered = coverage(e, t->square, t->x, t->y, t->bend);
      t->coverage = is_near ? covered : zero;
      // To ink right in a pixel's centre there is no way, so it is in another direction than itself.
      int is_alone = c->visits[index] == 1 && !is_any(t->square <= zero);
      c->has_edge[index] = !is_alone && is_any(is_near & (t->coverage < (lanes)(1)));
    }
  }
}

/// Finds the nearest ink in another direction among the listed segments.
///
/// Which lies in another direction depends on which is nearest, so that must be known first; else the order of strokes
/// would show.
INLINE void find_joints(canvas *c) {
  const lanes zero = 0;
  // Two ways differ when the angle between them is above 20 degrees; this is the square of its cosine.
  const float same_direction = 0.883f;
  int kept = 0;
  for (int number = 0; number < c->listed; number++) {
    c->list[kept] = c->list[number];
    kept += c->has_edge[c->list[number].tile];
  }
  for (int number = 0; number < kept; number++) {
    const visit *v = c->list + number;
    tile *t = c->tiles + v->tile;
    way w = way_of(c, v);
    lanes dot = w.x * t->x + w.y * t->y;
    yesno takes = ((dot <= zero) | (dot * dot < w.square * t->square * same_direction)) & (w.bend >= zero) &
                  (w.square < t->joint_square);
    t->joint_square = takes ? w.square : t->joint_square;
    t->joint_x = takes ? w.x : t->joint_x;
    t->joint_y = takes ? w.y : t->joint_y;
    t->joint_bend = takes ? w.bend : t->joint_bend;
  }
}

/// Adds what the ink in another direction covers.
INLINE void cover_joints(canvas *c, const edge *e, float reach) {
  const lanes limit = reach * reach;
  for (int row = 0; row < c->rows; row++) {
    for (int index = row * block; index < row * block + c->columns; index++) {
      if (!c->has_edge[index]) continue;
      tile *t = c->tiles + index;
      yesno has_joint = (t->joint_square < limit) & (t->coverage < (lanes)(1));
      if (!is_any(has_joint)) continue;
      lanes other = coverage(e, t->joint_square, t->joint_x, t->joint_y, t->joint_bend);
      lanes dot = t->x * t->joint_x + t->y * t->joint_y;
      lanes both = joined(t->coverage, other, dot, t->square, t->joint_square);
      t->coverage = has_joint ? both : t->coverage;
    }
  }
}

/// Writes a tile's pixels with what is known of their segments.
static void write_flow(
    const tile *t, const float *flows, int64_t count, int rows, int columns, int64_t width, float limit, float *pixels) {
  const float *coverage = (const float *)&t->coverage, *square = (const float *)&t->square;
  const float *segments = (const float *)&t->segment;
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      int lane = row * side + column;
      if (!(square[lane] < limit)) continue;
      // Beyond 2^24 a float does not tell every segment from the next.
      int64_t segment = (int64_t)segments[lane];
      const float *flow = flows + 3 * (segment < count ? segment : count - 1);
      float *pixel = pixels + 4 * (row * width + column);
      pixel[0] = coverage[lane];
      for (int part = 0; part < 3; part++) pixel[1 + part] = coverage[lane] * flow[part];
    }
  }
}

INLINE void write_tiles(
    const canvas *c, const float *flows, int64_t count, int64_t width, int64_t height, float reach, float *pixels) {
  for (int row = 0; row < c->rows; row++) {
    int64_t top = (c->row + row) * side;
    int rows = (int)(height - top < side ? height - top : side);
    for (int column = 0; column < c->columns; column++) {
      if (c->visits[row * block + column] == 0) continue;
      const tile *t = c->tiles + row * block + column;
      int64_t left = (c->column + column) * side, start = top * width + left;
      int columns = (int)(width - left < side ? width - left : side);
      const float *values = (const float *)&t->coverage;
      if (flows != NULL) {
        write_flow(t, flows, count, rows, columns, width, reach * reach, pixels + 4 * start);
      } else if (rows == side && columns == side) {
        for (int line = 0; line < side; line++) memcpy(pixels + start + line * width, values + line * side, side * sizeof(float));
      } else {
        for (int line = 0; line < rows; line++)
          memcpy(pixels + start + line * width, values + line * side, (size_t)columns * sizeof(float));
      }
    }
  }
}

INLINE void draw(
    const drawml_segment *segments, int64_t count, const float *flows, int64_t width, int64_t height, float radius,
    float *scratch, float *pixels) {
  const float reach = radius + 0.7071068f;  // half a pixel's diagonal
  float shift = greater(0, lesser(1, (radius - 0.4f) / 0.3f)) / (24 * greater(0.4f, radius));
  const edge e = {.radius = radius, .disc_shift = shift, .disc_fill = lesser(1, 1.5707964f * radius)};
  memset(pixels, 0, (size_t)(width * height * (flows ? 4 : 1)) * sizeof(float));
  char *memory = (char *)(((uintptr_t)scratch + 63) & ~(uintptr_t)63);
  canvas c = {.tiles = (tile *)memory};
  memory += sizeof(tile) * block * block;
  c.brushes = (brush *)memory;
  memory += sizeof(brush) * most_visits;
  c.list = (visit *)memory;
  memory += sizeof(visit) * most_visits;
  c.visits = (uint16_t *)memory;
  c.has_edge = (uint8_t *)(c.visits + block * block);
  int64_t rows = (height + side - 1) / side, columns = (width + side - 1) / side;
  for (c.row = 0; c.row < rows; c.row += block) {
    for (c.column = 0; c.column < columns; c.column += block) {
      c.rows = (int)(rows - c.row < block ? rows - c.row : block);
      c.columns = (int)(columns - c.column < block ? columns - c.column : block);
      memset(c.visits, 0, (sizeof(uint16_t) + 1) * block * block);
      for (int row = 0; row < c.rows; row++)
        for (int index = row * block; index < row * block + c.columns; index++)
          c.tiles[index].square = c.tiles[index].joint_square = reach * reach;
      int lists = 0;
      for (int64_t next = 0; next < count; lists++) {
        next = list_visits(&c, segments, next, count, reach);
        if (flows) find_nearest(&c, 1);
        else find_nearest(&c, 0);
      }
      cover_nearest(&c, &e, reach);
      // The usual drawing has one list, which is still there.
      if (lists == 1) find_joints(&c);
      for (int64_t next = 0; lists > 1 && next < count;) {
        next = list_visits(&c, segments, next, count, reach);
        find_joints(&c);
      }
      cover_joints(&c, &e, reach);
      write_tiles(&c, flows, count, width, height, reach, pixels);
    }
  }
}

static void draw_plain(
    const drawml_segment *segments, int64_t count, const float *flows, int64_t width, int64_t height, float radius,
    float *scratch, float *pixels) {
  draw(segments, count, flows, width, height, radius, scratch, pixels);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void draw_wide(
    const drawml_segment *segments, int64_t count, const float *flows, int64_t width, int64_t height, float radius,
    float *scratch, float *pixels) {
  draw(segments, count, flows, width, height, radius, scratch, pixels);
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2"))) static void draw_widest(
    const drawml_segment *segments, int64_t count, const float *flows, int64_t width, int64_t height, float radius,
    float *scratch, float *pixels) {
  draw(segments, count, flows, width, height, radius, scratch, pixels);
}

#endif

void drawml_raster(
    int level, const drawml_segment *segments, int64_t count, const float *flows, int64_t width, int64_t height,
    float radius, float *scratch, float *pixels) {
#if defined(__x86_64__)
  if (level >= 2) return draw_widest(segments, count, flows, width, height, radius, scratch, pixels);
  if (level == 1) return draw_wide(segments, count, flows, width, height, radius, scratch, pixels);
#endif
  draw_plain(segments, count, flows, width, height, radius, scratch, pixels);
}
