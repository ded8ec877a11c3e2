// The calls of zlib that the project needs: deflate, in memory, both ways, gzip from file to file, and
// the checksum.

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
  /// The system refused to read or to write.
  cdf_result_failed,
} cdf_result;

/// Inflates raw deflate (without a header of zlib or gzip), or gzip, whose checksum has to fit. What
/// follows its end is ignored: `rest` says how many bytes these are. `written` and `rest` are set in
/// any case.
cdf_result cdf_inflate(const void *_Nonnull input, size_t count, int is_gzip,
                       void *_Nonnull output, size_t capacity, size_t *_Nonnull written,
                       size_t *_Nonnull rest);

/// Inflates a file of gzip, which is at its beginning, into another, in as many members as it has: up
/// to `limit` bytes, with little memory. `written` and `taken` are set in any case: the bytes that
/// came out, and those that were needed for them. What follows the last member is ignored. An error
/// of the system is told by `errno`.
cdf_result cdf_unpack(int source, int target, uint64_t limit, uint64_t *_Nonnull written,
                      uint64_t *_Nonnull taken);

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
