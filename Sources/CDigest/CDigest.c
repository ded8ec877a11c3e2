#include "CDigest.h"

#include <stdlib.h>

#ifdef __APPLE__

#include <CommonCrypto/CommonDigest.h>

struct cdg_context {
  cdg_algorithm algorithm;
  union {
    CC_SHA256_CTX sha256;
    CC_SHA512_CTX sha512;
  } state;
};

cdg_context *cdg_begin(cdg_algorithm algorithm) {
  cdg_context *context = malloc(sizeof(cdg_context));
  if (!context) abort();
  context->algorithm = algorithm;
  if (algorithm == cdg_sha256)
    CC_SHA256_Init(&context->state.sha256);
  else
    CC_SHA512_Init(&context->state.sha512);
  return context;
}

void cdg_update(cdg_context *context, const void *bytes, size_t count) {
  // CommonCrypto counts with 32 bits.
  const unsigned char *next = bytes;
  while (count > 0) {
    CC_LONG part = count > 1u << 30 ? 1u << 30 : (CC_LONG)count;
    if (context->algorithm == cdg_sha256)
      CC_SHA256_Update(&context->state.sha256, next, part);
    else
      CC_SHA512_Update(&context->state.sha512, next, part);
    next += part;
    count -= part;
  }
}

void cdg_finish(cdg_context *context, unsigned char *digest) {
  if (context->algorithm == cdg_sha256)
    CC_SHA256_Final(digest, &context->state.sha256);
  else
    CC_SHA512_Final(digest, &context->state.sha512);
}

void cdg_free(cdg_context *context) { free(context); }

#else

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>

// Looked up once: doing so for each digest takes longer than that of a small file.
static const EVP_MD *sha256;
static const EVP_MD *sha512;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fetch(void) {
  // Without the system's configuration, which takes time to read and may turn algorithms off.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
  sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
  sha512 = EVP_MD_fetch(NULL, "SHA512", NULL);
#else
  sha256 = EVP_sha256();
  sha512 = EVP_sha512();
#endif
  if (!sha256 || !sha512) abort();
}

// libcrypto's own type under another name.
static EVP_MD_CTX *state(cdg_context *context) { return (EVP_MD_CTX *)context; }

cdg_context *cdg_begin(cdg_algorithm algorithm) {
  pthread_once(&once, fetch);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (!context || !EVP_DigestInit_ex(context, algorithm == cdg_sha256 ? sha256 : sha512, NULL))
    abort();
  return (cdg_context *)context;
}

void cdg_update(cdg_context *context, const void *bytes, size_t count) {
  if (count > 0 && !EVP_DigestUpdate(state(context), bytes, count)) abort();
}

void cdg_finish(cdg_context *context, unsigned char *digest) {
  if (!EVP_DigestFinal_ex(state(context), digest, NULL)) abort();
}

void cdg_free(cdg_context *context) { EVP_MD_CTX_free(state(context)); }

#endif
