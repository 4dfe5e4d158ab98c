#include <string.h>
#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not see; 16 asks for gzip's header and checksum.
static inline int drawml_gunzip_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, MAX_WBITS + 16);
}
