#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
