// libcrypto's plain C interface; nothing is wrapped.
#pragma once
// For SHA256_Init(3) and its kind, which OpenSSL 3 still has: a context is a plain value, and short texts take less time than with EVP.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
