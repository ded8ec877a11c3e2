// The digests that the project needs, SHA-256 and SHA-512, by the system's library: libcrypto, or
// CommonCrypto on Apple's systems. Both use the processor's instructions for them.

#ifndef CDIGEST_H
#define CDIGEST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The value is the size of the digest in bytes.
typedef enum cdg_algorithm {
  cdg_sha256 = 32,
  cdg_sha512 = 64,
} cdg_algorithm;

/// A digest in the making. It belongs to one thread at a time.
typedef struct cdg_context cdg_context;

/// Begins a digest. The process ends if there is no memory for it, as it does wherever Swift
/// allocates some.
cdg_context *_Nonnull cdg_begin(cdg_algorithm algorithm);

/// Adds bytes.
void cdg_update(cdg_context *_Nonnull context, const void *_Nullable bytes, size_t count);

/// Writes the digest: as many bytes as the algorithm's value. Nothing can be added afterwards.
void cdg_finish(cdg_context *_Nonnull context, unsigned char *_Nonnull digest);

/// Frees the context.
void cdg_free(cdg_context *_Nonnull context);

#ifdef __cplusplus
}
#endif

#endif
