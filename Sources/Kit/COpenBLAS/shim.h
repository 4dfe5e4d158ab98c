#include <cblas.h>
// LAPACKE is linked statically: its shared library would load three more at each start. OpenBLAS
// holds LAPACK itself.
#include <lapacke.h>
