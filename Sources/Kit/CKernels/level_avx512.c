#if defined(__x86_64__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma"))), apply_to = function)
#define LANES 16
#define MAX_PIXELS 14
#define NAME(f) drawml_##f##_avx512
#include "kernels.h"
#pragma clang attribute pop
#endif
