#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not see; 16 asks for gzip's header and checksum.
static inline int drawml_gunzip_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, MAX_WBITS + 16);
}

// Unpacks the `length` bytes of raw deflate data, or of a gzip file, at `input + start`. Returns
// whether they are sound and give exactly `count` bytes. Both lengths must be below 4 GiB.
static inline bool drawml_inflate(bool is_gzip, unsigned char *output, size_t count,
                                  const unsigned char *input, size_t start, size_t length) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (length > UINT32_MAX || count > UINT32_MAX) return false;
  if (inflateInit2(&stream, is_gzip ? MAX_WBITS + 16 : -MAX_WBITS) != Z_OK) return false;
  stream.next_in = (unsigned char *)input + start;
  stream.avail_in = (uInt)length;
  stream.next_out = output;
  stream.avail_out = (uInt)count;
  int state = inflate(&stream, Z_FINISH);
  bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole;
}
