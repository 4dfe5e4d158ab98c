#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

// HDF5's constants are comma expressions that first initialise the library: Swift cannot import them.
static inline hid_t drawml_h5_native_float(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t drawml_h5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t drawml_h5_native_int64(void) { return H5T_NATIVE_INT64; }
static inline hid_t drawml_h5_native_uint8(void) { return H5T_NATIVE_UINT8; }
static inline hid_t drawml_h5_ieee_f32le(void) { return H5T_IEEE_F32LE; }
static inline hid_t drawml_h5_ieee_f64le(void) { return H5T_IEEE_F64LE; }
static inline hid_t drawml_h5_std_i64le(void) { return H5T_STD_I64LE; }
static inline hid_t drawml_h5_std_u8le(void) { return H5T_STD_U8LE; }
static inline hid_t drawml_h5_c_string(void) { return H5T_C_S1; }
static inline hid_t drawml_h5_file_create_list(void) { return H5P_FILE_CREATE; }
static inline hid_t drawml_h5_file_access_list(void) { return H5P_FILE_ACCESS; }
static inline hid_t drawml_h5_dataset_create_list(void) { return H5P_DATASET_CREATE; }
static inline hid_t drawml_h5_link_create_list(void) { return H5P_LINK_CREATE; }
static inline hid_t drawml_h5_default(void) { return H5P_DEFAULT; }
static inline unsigned drawml_h5_truncate(void) { return H5F_ACC_TRUNC; }
static inline unsigned drawml_h5_read_only(void) { return H5F_ACC_RDONLY; }
static inline hid_t drawml_h5_all(void) { return H5S_ALL; }

// HDF5 copies a file's image three times before it is open unless it is told where the one copy is that it may have.
static inline void *drawml_h5_image_here(size_t size, H5FD_file_image_op_t operation, void *image) {
  (void)size, (void)operation;
  return image;
}
static inline void *drawml_h5_image_kept(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *image) {
  (void)from, (void)size, (void)operation, (void)image;
  return to;
}
static inline void *drawml_h5_image_grown(void *old, size_t size, H5FD_file_image_op_t operation, void *image) {
  (void)old, (void)size, (void)operation, (void)image;
  return NULL;  // a file that is only read does not grow
}
static inline herr_t drawml_h5_image_left(void *old, H5FD_file_image_op_t operation, void *image) {
  (void)old, (void)operation, (void)image;
  return 0;
}
static inline void *drawml_h5_image_same(void *image) { return image; }
static inline herr_t drawml_h5_image_done(void *image) {
  (void)image;
  return 0;
}
/// Lets files opened with `list` read the image at `image`, which must stay there until they are closed.
static inline herr_t drawml_h5_use_image(hid_t list, void *image, size_t size) {
  H5FD_file_image_callbacks_t callbacks = {
      drawml_h5_image_here, drawml_h5_image_kept, drawml_h5_image_grown, drawml_h5_image_left,
      drawml_h5_image_same, drawml_h5_image_done, image};
  if (H5Pset_file_image_callbacks(list, &callbacks) < 0) return -1;
  return H5Pset_file_image(list, image, size);
}
