#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not see; 16 more bits ask for gzip's header and
// checksum.
static inline int drawml_gunzip_begin(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, MAX_WBITS + 16);
}

// Unpacks the `length` bytes at `input + start`. `bits` says what they are, as in `inflateInit2`: 15
// is zlib's format, -15 deflate's data alone, 31 a gzip file. Returns whether they are sound and give
// exactly `count` bytes. Both lengths must be below 4 GiB.
static inline bool drawml_inflate(int bits, unsigned char *output, size_t count,
                                  const unsigned char *input, size_t start, size_t length) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (length > UINT32_MAX || count > UINT32_MAX) return false;
  if (inflateInit2(&stream, bits) != Z_OK) return false;
  stream.next_in = (unsigned char *)input + start;
  stream.avail_in = (uInt)length;
  stream.next_out = output;
  stream.avail_out = (uInt)count;
  int state = inflate(&stream, Z_FINISH);
  bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole;
}

// The checksum of a PNG file's chunk: CRC-32 of its name and data.
static inline unsigned drawml_png_checksum(const unsigned char *bytes, size_t size) {
  return (unsigned)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

// 1 where a PNG picture's data inflate to more than `most` bytes. libpng inflates to the end of the
// data, however few rows there are: 4 MB took it 9 seconds.
static inline int drawml_png_exceeds(const unsigned char *bytes, size_t size, size_t most) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit(&stream) != Z_OK) return 0;
  unsigned char rows[1 << 15];
  size_t total = 0, length = 0;
  int state = Z_OK;
  // After the signature, each chunk is: length (4 bytes, big endian), name (4), data, CRC (4).
  for (size_t at = 8; at + 8 < size && state == Z_OK && total <= most; at += length + 12) {
    length = (size_t)bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
    if (memcmp(bytes + at + 4, "IDAT", 4) != 0) continue;
    stream.next_in = (unsigned char *)bytes + at + 8;
    stream.avail_in = (unsigned)(length < size - at - 8 ? length : size - at - 8);
    do {
      stream.next_out = rows;
      stream.avail_out = sizeof rows;
      state = inflate(&stream, Z_NO_FLUSH);
      total += sizeof rows - stream.avail_out;
    } while (state == Z_OK && stream.avail_out == 0 && total <= most);
    // All of the chunk is read.
    if (state == Z_BUF_ERROR) state = Z_OK;
  }
  inflateEnd(&stream);
  return total > most;
}
