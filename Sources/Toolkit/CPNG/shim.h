#include <png.h>
#include <string.h>

// libpng's simplified API keeps its state in a struct with a pointer in it. These calls keep that
// struct in C: each returns 0 and leaves libpng's message when it fails.

static inline png_image drawml_png_image(int channels) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.format =
      channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  return image;
}

// The most bytes that a file of that picture has.
static inline size_t drawml_png_most(unsigned width, unsigned height, int channels) {
  png_image image = drawml_png_image(channels);
  image.width = width;
  image.height = height;
  return PNG_IMAGE_PNG_SIZE_MAX(image);
}

// *size is the room in bytes, and then the length.
static inline int drawml_png_encode(const unsigned char *values, unsigned width, unsigned height,
                                    int channels, unsigned char *bytes, size_t *size,
                                    char message[64]) {
  png_image image = drawml_png_image(channels);
  image.width = width;
  image.height = height;
  int done = png_image_write_to_memory(&image, bytes, size, 0, values, 0, NULL);
  memcpy(message, image.message, 64);
  return done;
}

// *gray is 1 where every pixel is opaque and has no color.
static inline int drawml_png_size(const unsigned char *bytes, size_t size, unsigned *width,
                                  unsigned *height, int *gray, char message[64]) {
  png_image image = drawml_png_image(1);
  int done = png_image_begin_read_from_memory(&image, bytes, size);
  *width = image.width;
  *height = image.height;
  *gray = (image.format & (PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR)) == 0;
  memcpy(message, image.message, 64);
  png_image_free(&image);
  return done;
}

// With 16 bits, for files of 16 bits a channel: linear light, four channels, colors multiplied by
// opacity. libpng before 1.6.51 writes beyond the end of 8-bit values when it reads such a file
// interlaced (CVE-2025-65018).
static inline int drawml_png_decode(const unsigned char *bytes, size_t size, int channels, int bits,
                                    void *values, char message[64]) {
  png_image image = drawml_png_image(channels);
  int done = png_image_begin_read_from_memory(&image, bytes, size);
  if (done) {
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
    if (bits == 16) {
      image.format = PNG_FORMAT_LINEAR_RGB_ALPHA;
      // Without this a file without gamma would be taken for linear light, and come out too light.
      image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    }
    done = png_image_finish_read(&image, NULL, values, 0, NULL);
  }
  memcpy(message, image.message, 64);
  return done;
}
