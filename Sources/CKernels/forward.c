#include "CKernels.h"

void drawml_convolve_plain(const struct drawml_convolution *convolution);
void drawml_convolve_winograd_plain(const struct drawml_winograd *convolution);
void drawml_pool_plain(const struct drawml_max_pool *pool);

#if defined(__x86_64__)
void drawml_convolve_avx2(const struct drawml_convolution *convolution);
void drawml_convolve_avx512(const struct drawml_convolution *convolution);
void drawml_convolve_winograd_avx2(const struct drawml_winograd *convolution);
void drawml_convolve_winograd_avx512(const struct drawml_winograd *convolution);
void drawml_pool_avx2(const struct drawml_max_pool *pool);
void drawml_pool_avx512(const struct drawml_max_pool *pool);
#endif

long drawml_panel(int level) { return level == 2 ? 32 : level == 1 ? 16 : 8; }

void drawml_convolve(const struct drawml_convolution *convolution, int level) {
#if defined(__x86_64__)
  if (level == 2) return drawml_convolve_avx512(convolution);
  if (level == 1) return drawml_convolve_avx2(convolution);
#endif
  drawml_convolve_plain(convolution);
}

void drawml_convolve_winograd(const struct drawml_winograd *convolution, int level) {
#if defined(__x86_64__)
  if (level == 2) return drawml_convolve_winograd_avx512(convolution);
  if (level == 1) return drawml_convolve_winograd_avx2(convolution);
#endif
  drawml_convolve_winograd_plain(convolution);
}

void drawml_pool(const struct drawml_max_pool *pool, int level) {
#if defined(__x86_64__)
  if (level == 2) return drawml_pool_avx512(pool);
  if (level == 1) return drawml_pool_avx2(pool);
#endif
  drawml_pool_plain(pool);
}
