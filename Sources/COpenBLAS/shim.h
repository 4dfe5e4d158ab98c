#include <cblas.h>
#include <stddef.h>
#include <stdint.h>

// OpenBLAS holds LAPACK too. Its own names are called, with the lengths of the texts that Fortran hides at the end, and not
// LAPACKE's, for which three libraries more would be loaded at each start.

void dsygvd_(const int32_t *type, const char *job, const char *half, const int32_t *order, double *a, const int32_t *a_rows,
             double *b, const int32_t *b_rows, double *values, double *work, const int32_t *work_count, int32_t *integers,
             const int32_t *integer_count, int32_t *info, size_t job_length, size_t half_length);
void dgetrf_(const int32_t *rows, const int32_t *columns, double *a, const int32_t *a_rows, int32_t *pivots, int32_t *info);

// Eigenvalues and eigenvectors of a x = value b x, of the lower halves of column-major matrices; the vectors take the place
// of `a`. With no room to work in it only says how much it needs.
static inline int32_t drawml_dsygvd(int32_t order, double *a, double *b, double *values, double *work, int32_t work_count,
                                    int32_t *integers, int32_t integer_count) {
  const int32_t type = 1;
  int32_t info = 0;
  dsygvd_(&type, "V", "L", &order, a, &order, b, &order, values, work, &work_count, integers, &integer_count, &info, 1, 1);
  return info;
}

static inline int32_t drawml_dgetrf(int32_t order, double *a, int32_t *pivots) {
  int32_t info = 0;
  dgetrf_(&order, &order, a, &order, pivots, &info);
  return info;
}
