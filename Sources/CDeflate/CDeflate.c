#include "CDeflate.h"

#include <limits.h>
#include <zlib.h>

// Without a header and a checksum.
static const int raw = -15;
static const int gzip = 15 + 16;

// zlib counts with 32 bits; what is larger is refused rather than done in pieces.
static int fits(size_t count) { return count <= UINT_MAX / 2; }

cdf_result cdf_inflate(const void *input, size_t count, int is_gzip, void *output, size_t capacity,
                       size_t *written, size_t *rest) {
  *written = 0;
  *rest = 0;
  if (!fits(count) || !fits(capacity)) return cdf_result_no_memory;
  z_stream stream = {0};
  if (inflateInit2(&stream, is_gzip ? gzip : raw) != Z_OK) return cdf_result_no_memory;
  stream.next_in = (Bytef *)input;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int code = inflate(&stream, Z_FINISH);
  *written = capacity - stream.avail_out;
  *rest = stream.avail_in;
  int is_full = stream.avail_out == 0;
  inflateEnd(&stream);
  switch (code) {
    case Z_STREAM_END: return cdf_result_done;
    case Z_MEM_ERROR: return cdf_result_no_memory;
    case Z_OK:
    case Z_BUF_ERROR: return is_full ? cdf_result_full : cdf_result_damaged;
    default: return cdf_result_damaged;
  }
}

uint32_t cdf_checksum(const void *input, size_t count) {
  return (uint32_t)crc32_z(0, input, count);
}

size_t cdf_deflate_bound(size_t count) {
  return fits(count) ? compressBound((uLong)count) + 64 : 0;
}

cdf_result cdf_deflate(const void *input, size_t count, int is_fast, void *output, size_t capacity,
                       size_t *written) {
  *written = 0;
  if (!fits(count) || !fits(capacity)) return cdf_result_no_memory;
  z_stream stream = {0};
  int level = is_fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION;
  if (deflateInit2(&stream, level, Z_DEFLATED, raw, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return cdf_result_no_memory;
  stream.next_in = (Bytef *)input;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int code = deflate(&stream, Z_FINISH);
  *written = capacity - stream.avail_out;
  deflateEnd(&stream);
  return code == Z_STREAM_END ? cdf_result_done : cdf_result_full;
}
