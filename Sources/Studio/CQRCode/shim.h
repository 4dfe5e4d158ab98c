#include <qrcodegen/qrcodegen.h>

// A macro with arguments, which Swift does not see.
static const int drawml_qr_buffer_bytes = qrcodegen_BUFFER_LEN_MAX;
