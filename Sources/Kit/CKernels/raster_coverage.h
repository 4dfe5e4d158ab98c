// Part of raster.c, which includes it.

// The area of a pixel's square that an edge covers. For a plain reference see `PlainRasterKernel`
// in Ink's tests.

/// The orientation of an edge relative to a unit square.
typedef struct {
  /// The distances from the square's center at which the edge leaves the square, and up to which it
  /// crosses two opposite sides.
  lanes end, middle;
  /// 1 / a and 1 / ab, with a and b the larger and smaller component of the unit normal.
  lanes inverse, inverse_product;
} slant;

/// The area, within the square, of the half-plane whose edge lies `offset` beyond its center.
///
/// Projected on the edge's normal, the square's profile is a trapezoid; this is its integral.
INLINE lanes area(const slant *s, lanes offset) {
  lanes distance = smaller(size(offset), s->end);
  lanes rest = s->end - distance;
  lanes flat = 0.5f - distance * s->inverse;
  lanes ramp = rest * rest * (s->inverse_product * 0.5f);
  lanes beyond = distance <= s->middle ? flat : ramp;
  return offset < (lanes)(0) ? beyond : 1 - beyond;
}

/// The coverage by a stroke, from the vector to its nearest point.
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
  slant s = {
      .end = (a + b) * 0.5f,
      .middle = (a - b) * 0.5f,
      .inverse = inverse_product * least,
      .inverse_product = inverse_product};
  lanes roundness = smaller(size(bend), one);
  lanes room = larger(s.end - size(e->radius - distance), zero) * inverse_product;
  lanes chord = smaller(room, s.inverse);
  // Toward the square's corner, the chord moves away from the point where the disc touches the
  // edge.
  lanes aside = (1 - chord * a) * s.middle;
  lanes shift = roundness * (chord * chord + aside * 12 * aside) * e->disc_shift;
  lanes strip = area(&s, e->radius - distance - shift);
  // The far edge of a wide strip crosses no pixel whose center is on this side of its center line.
  if (e->radius < 0.708f) strip -= area(&s, -e->radius - distance);
  // Half of the ink around a stroke's end still belongs to its straight part.
  lanes share = smaller(larger(distance + 0.5f, bend - 1), one) * roundness;
  return smaller(larger(strip * (1 - share * (1 - e->disc_fill)), zero), one);
}

/// The joint coverage by two edges.
///
/// Half-planes that meet in the square's center at the angle phi between their normals overlap by
/// 1/2 - phi / 2 pi: linear in phi between the minimum possible overlap, independence, and the
/// maximum.
INLINE lanes joined(lanes first, lanes second, lanes dot, lanes square, lanes second_square) {
  const lanes zero = 0, one = 1;
  lanes lengths = root(square * second_square);
  lanes cosine = smaller(larger(dot / larger(lengths, (lanes)(1e-12f)), (lanes)(-1)), one);
  lanes size_ = size(cosine);
  // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45; as a fraction of a right
  // angle.
  lanes polynomial = 0.074261f - size_ * 0.0187293f;
  polynomial = size_ * polynomial - 0.2121144f;
  polynomial = size_ * polynomial + 1.5707288f;
  lanes away = 1 - root(1 - size_) * polynomial * 0.63661977f;
  lanes independent = first * second;
  lanes bound = cosine > zero ? smaller(first, second) : larger(first + second - 1, zero);
  return first + second - (independent + (bound - independent) * away);
}
