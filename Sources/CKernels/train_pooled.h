// Convolution, rectifier and 2 × 2 maximum in one, for one width of vectors: see `train_convolution.c`.

#if LANES == 16
#define MARK __m512i
#define GREATER(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define CHOOSE(mask, yes, no) _mm512_mask_blend_ps(mask, no, yes)
#define MARK_SPREAD(n) _mm512_set1_epi32(n)
#define CHOOSE_MARK(mask, yes, no) _mm512_mask_blend_epi32(mask, no, yes)
#define STORE_MARKS(p, marks) _mm_storeu_si128((__m128i *)(p), _mm512_cvtepi32_epi8(marks))
/// `values` where the marks are `n`, else 0.
#define WHERE_MARKED(p, n, values) \
  _mm512_maskz_mov_ps(_mm_cmpeq_epi8_mask(_mm_loadu_si128((const __m128i *)(p)), _mm_set1_epi8(n)), values)
#else
#define MARK __m256i
#define GREATER(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define CHOOSE(mask, yes, no) _mm256_blendv_ps(no, yes, mask)
#define MARK_SPREAD(n) _mm256_set1_epi32(n)
#define CHOOSE_MARK(mask, yes, no) _mm256_blendv_epi8(no, yes, _mm256_castps_si256(mask))
#define STORE_MARKS(p, marks)                                                                            \
  {                                                                                                      \
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(marks), _mm256_extracti128_si256(marks, 1)); \
    _mm_storel_epi64((__m128i *)(p), _mm_packus_epi16(words, words));                                    \
  }
#define WHERE_MARKED(p, n, values)                                                                          \
  _mm256_and_ps(                                                                                            \
      values, _mm256_castsi256_ps(_mm256_cmpeq_epi32(                                                       \
                  _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(p))), _mm256_set1_epi32(n))))
#endif

/// The greatest of 2 × 2 pixels of two rows, not below 0, and which of them it is.
INLINE void NAME(pool_rows)(
    const float *top, const float *bottom, long pixels, const int vectors, float *output, uint8_t *marks, long outputs) {
  for (long pixel = 0; pixel < pixels; pixel++) {
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
      const long place = 2 * pixel * PANEL + v * LANES;
      const VECTOR values[4] = {
          LOAD(top + place), LOAD(top + place + PANEL), LOAD(bottom + place), LOAD(bottom + place + PANEL)};
      VECTOR best = values[0];
      MARK mark = MARK_SPREAD(0);
#pragma clang loop unroll(full)
      for (int tap = 1; tap < 4; tap++) {
        // Only what is greater takes over: of equal values the first is marked, and a NaN stays in the first place.
        const __typeof__(GREATER(best, best)) greater = GREATER(values[tap], best);
        best = CHOOSE(greater, values[tap], best);
        mark = CHOOSE_MARK(greater, MARK_SPREAD(tap), mark);
      }
      mark = CHOOSE_MARK(GREATER(best, ZERO()), mark, MARK_SPREAD(NONE));
      best = CHOOSE(GREATER(ZERO(), best), ZERO(), best);
      STORE(output + pixel * outputs + v * LANES, best);
      STORE_MARKS(marks + pixel * outputs + v * LANES, mark);
    }
  }
}

static void NAME(convolve_pool_padded)(
    const float *padded, long count, drawml_train_convolution g, const float *panels, const float *bias, float *rows,
    float *output, uint8_t *marks) {
  const long line = padded_width(g) * g.inputs, picture = padded_height(g) * line;
  const long values = g.columns * g.inputs, down = g.height / 2, across = g.width / 2;
  const int pairs = 4 * across <= PIXELS;
  float *bottom = rows + 2 * across * PANEL;
  for (long start = 0; start < g.outputs; start += PANEL) {
    const int whole = g.outputs - start >= PANEL;
    struct NAME(tile) t = {
        .weights = panels + start * g.rows * values, .bias = bias ? bias + start : 0, .stride = g.inputs,
        .line = line, .rows = g.rows, .values = values, .outputs = PANEL, .out = rows, .outSecond = bottom};
    for (long row = 0; row < count * down; row++) {
      t.first = padded + row / down * picture + row % down * 2 * line;
      t.second = t.first + line;
      if (pairs) {
        NAME(convolve_rows)(t, 2 * across, 1, g.outputs - start);
      } else {
        struct NAME(tile) second = t;
        second.first = t.second;
        second.out = bottom;
        NAME(convolve_rows)(t, 2 * across, 0, g.outputs - start);
        NAME(convolve_rows)(second, 2 * across, 0, g.outputs - start);
      }
      const long place = row * across * g.outputs + start;
      if (whole)
        NAME(pool_rows)(rows, bottom, across, 2, output + place, marks + place, g.outputs);
      else
        NAME(pool_rows)(rows, bottom, across, 1, output + place, marks + place, g.outputs);
    }
  }
}

/// The weights' gradient of a 3 × 3 convolution of one input, of whose outputs three of four have none: all nine sums of
/// some outputs at a time.
static void NAME(pooled_gradient_single)(
    const float *padded, drawml_train_convolution g, const float *gradient, const uint8_t *marks, float *weightGradient,
    float *biasGradient) {
  const long line = padded_width(g), down = g.height / 2, across = g.width / 2;
  for (long start = 0; start < g.outputs; start += LANES) {
    VECTOR sums[9], all = LOAD(biasGradient + start);
#pragma clang loop unroll(full)
    for (int tap = 0; tap < 9; tap++) sums[tap] = LOAD(weightGradient + tap * g.outputs + start);
    for (long row = 0; row < down; row++)
      for (long column = 0; column < across; column++) {
        const long place = (row * across + column) * g.outputs + start;
        const float *corner = padded + 2 * row * line + 2 * column;
        const VECTOR slopes = LOAD(gradient + place);
#pragma clang loop unroll(full)
        for (int mark = 0; mark < 4; mark++) {
          const VECTOR slope = WHERE_MARKED(marks + place, mark, slopes);
          all += slope;
#pragma clang loop unroll(full)
          for (int tap = 0; tap < 9; tap++)
            sums[tap] =
                FMA(SPREAD(corner[(mark / 2 + tap / 3) * line + mark % 2 + tap % 3]), slope, sums[tap]);
        }
      }
    STORE(biasGradient + start, all);
#pragma clang loop unroll(full)
    for (int tap = 0; tap < 9; tap++) STORE(weightGradient + tap * g.outputs + start, sums[tap]);
  }
}

/// target += Σ slope · weights of its output, in `rows` rows of `vectors` vectors.
INLINE void NAME(spread_slopes)(
    const struct slope *slopes, long count, const float *weights, long patch, long values, float *target, long line,
    const int rows, const int vectors) {
  VECTOR sums[rows][vectors];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) sums[r][v] = LOAD(target + r * line + v * LANES);
  for (long n = 0; n < count; n++) {
    const VECTOR slope = SPREAD(slopes[n].value);
    const float *w = weights + slopes[n].place * patch;
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) sums[r][v] = FMA(slope, LOAD(w + r * values + v * LANES), sums[r][v]);
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) STORE(target + r * line + v * LANES, sums[r][v]);
}

/// target += Σ slope · input at its place, in `rows` rows of `vectors` vectors.
INLINE void NAME(gather_slopes)(
    const struct slope *slopes, long count, const float *input, long line, float *target, long values, const int rows,
    const int vectors) {
  VECTOR sums[rows][vectors];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) sums[r][v] = LOAD(target + r * values + v * LANES);
  for (long n = 0; n < count; n++) {
    const VECTOR slope = SPREAD(slopes[n].value);
    const float *x = input + slopes[n].place;
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) sums[r][v] = FMA(slope, LOAD(x + r * line + v * LANES), sums[r][v]);
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) STORE(target + r * values + v * LANES, sums[r][v]);
}

/// Both gradients of a 3 × 3 convolution of `inputs` inputs, for one picture: only the pixels that were the greatest of
/// their four and above 0 have one. `rows` rows of `vectors` vectors under the kernel go at a time.
INLINE void NAME(pooled_gradient)(
    const float *padded, drawml_train_convolution g, const float *weights, const float *gradient, const uint8_t *marks,
    struct slope *lists, float *weightGradient, float *biasGradient, float *paddedGradient, const int inputs,
    const int rows, const int vectors) {
  const long line = padded_width(g) * inputs, values = 3 * inputs, patch = 9 * inputs;
  const long down = g.height / 2, across = g.width / 2, room = down * across;
  // How many pixels each output has a gradient at, then where, in `lists`.
  int counts[MOST_OUTPUTS] = {0};
  struct slope here[MOST_OUTPUTS];
  for (long row = 0; row < down; row++)
    for (long column = 0; column < across; column++)
      for (int mark = 0; mark < 4; mark++) {
        const long place = (row * across + column) * g.outputs;
        const long corner = (2 * row + mark / 2) * line + (2 * column + mark % 2) * inputs;
        long found = 0;
        for (long start = 0; start < g.outputs; start += 64) {
          // A bit for each output with this mark; many at a time, because the end of the loop is hard to foresee.
          uint64_t bits = 0;
          for (long some = start; some < g.outputs && some < start + 64; some += 16) {
            const __m128i sixteen = _mm_loadu_si128((const __m128i *)(marks + place + some));
            const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(sixteen, _mm_set1_epi8((char)mark)));
            bits |= (uint64_t)(unsigned)equal << (some - start);
          }
          while (bits) {
            const long output = start + __builtin_ctzll(bits);
            const float slope = gradient[place + output];
            bits &= bits - 1;
            here[found++] = (struct slope){(int32_t)output, slope};
            lists[output * room + counts[output]++] = (struct slope){(int32_t)corner, slope};
          }
        }
        if (found && paddedGradient)
          for (int r = 0; r < 3; r += rows)
            for (int v = 0; v < 3 * inputs / LANES; v += vectors)
              NAME(spread_slopes)(
                  here, found, weights + r * values + v * LANES, patch, values,
                  paddedGradient + corner + r * line + v * LANES, line, rows, vectors);
      }
  for (long output = 0; output < g.outputs; output++) {
    const struct slope *slopes = lists + output * room;
    float sum = 0;
    for (long n = 0; n < counts[output]; n++) sum += slopes[n].value;
    biasGradient[output] += sum;
    for (int r = 0; r < 3; r += rows)
      for (int v = 0; v < 3 * inputs / LANES; v += vectors)
        NAME(gather_slopes)(
            slopes, counts[output], padded + r * line + v * LANES, line,
            weightGradient + output * patch + r * values + v * LANES, values, rows, vectors);
  }
}

static void NAME(pooled_gradient_many)(
    const float *padded, drawml_train_convolution g, const float *weights, const float *gradient, const uint8_t *marks,
    struct slope *lists, float *weightGradient, float *biasGradient, float *paddedGradient) {
#define CASE(inputs, rows, vectors)                                                                             \
  case inputs:                                                                                                  \
    NAME(pooled_gradient)(                                                                                      \
        padded, g, weights, gradient, marks, lists, weightGradient, biasGradient, paddedGradient, inputs, rows, \
        vectors);                                                                                               \
    break;
  switch (g.inputs) {
#if LANES == 16
    CASE(16, 3, 3)
    CASE(32, 3, 6)
    CASE(48, 3, 9)
    CASE(64, 1, 12)
#else
    CASE(16, 1, 6)
    CASE(32, 1, 12)
    CASE(48, 1, 9)
    CASE(64, 1, 12)
#endif
  }
#undef CASE
}

#undef MARK
#undef GREATER
#undef CHOOSE
#undef MARK_SPREAD
#undef CHOOSE_MARK
#undef STORE_MARKS
#undef WHERE_MARKED
