#include <hdf5/serial/hdf5.h>

// HDF5's constants are comma expressions that first initialize the library, which Swift cannot
// import.
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
static inline H5F_libver_t drawml_h5_latest_version(void) { return H5F_LIBVER_LATEST; }
static inline hid_t drawml_h5_all(void) { return H5S_ALL; }
