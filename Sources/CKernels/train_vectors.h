// Vectors of LANES floats, 16 or 8, for code that is compiled once for each: included anew before each, without a guard.
// NAME(x) is x with the number of lanes behind it.

#undef NAME
#undef NAME_
#undef NAME__
#undef VECTOR
#undef LOAD
#undef STORE
#undef SPREAD
#undef ZERO
#undef FMA
#undef MASK
#undef FIRST
#undef LOAD_FIRST
#undef STORE_FIRST
#undef POSITIVE

#define NAME__(x, lanes) x##_##lanes
#define NAME_(x, lanes) NAME__(x, lanes)
#define NAME(x) NAME_(x, LANES)

#if LANES == 16
#define VECTOR __m512
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define SPREAD(x) _mm512_set1_ps(x)
#define ZERO() _mm512_setzero_ps()
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define MASK __mmask16
// Which lanes are among the first `n`; n may be below 0 or above LANES.
#define FIRST(n) ((n) >= 16 ? (MASK)0xffff : (n) <= 0 ? (MASK)0 : (MASK)((1u << (n)) - 1))
#define LOAD_FIRST(p, mask) _mm512_maskz_loadu_ps(mask, p)
#define STORE_FIRST(p, mask, v) _mm512_mask_storeu_ps(p, mask, v)
// `v` where `x` is above 0, else 0.
#define POSITIVE(x, v) _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ), v)
#else
#define VECTOR __m256
#define LOAD(p) _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#define SPREAD(x) _mm256_set1_ps(x)
#define ZERO() _mm256_setzero_ps()
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define MASK __m256i
#define FIRST(n) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define LOAD_FIRST(p, mask) _mm256_maskload_ps(p, mask)
#define STORE_FIRST(p, mask, v) _mm256_maskstore_ps(p, mask, v)
#define POSITIVE(x, v) _mm256_and_ps(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ), v)
#endif
