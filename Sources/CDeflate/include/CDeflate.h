// The calls of zlib that the project needs: deflate, in memory, both ways, and the checksum.

#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of bytes that were to be inflated.
typedef enum cdf_result {
  cdf_result_done = 0,
  /// The output has no room for all of them.
  cdf_result_full,
  /// They are not deflated in this form, or cut off.
  cdf_result_damaged,
  cdf_result_no_memory,
} cdf_result;

/// Inflates raw deflate (without a header of zlib or gzip), or gzip, whose checksum has to fit. What
/// follows its end is ignored: `rest` says how many bytes these are. `written` and `rest` are set in
/// any case.
cdf_result cdf_inflate(const void *_Nonnull input, size_t count, int is_gzip,
                       void *_Nonnull output, size_t capacity, size_t *_Nonnull written,
                       size_t *_Nonnull rest);

/// CRC-32.
uint32_t cdf_checksum(const void *_Nullable input, size_t count);

/// How many bytes `count` bytes become at most when they are deflated.
size_t cdf_deflate_bound(size_t count);

/// Deflates bytes into an output of at least `cdf_deflate_bound` bytes: fast, or well.
cdf_result cdf_deflate(const void *_Nonnull input, size_t count, int is_fast,
                       void *_Nonnull output, size_t capacity, size_t *_Nonnull written);

#ifdef __cplusplus
}
#endif

#endif
