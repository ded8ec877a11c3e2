#include "CDeflate.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>
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

static int write_all(int target, const unsigned char *bytes, size_t count, uint64_t offset) {
  while (count > 0) {
    ssize_t done = pwrite(target, bytes, count, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    bytes += done;
    count -= (size_t)done;
    offset += (uint64_t)done;
  }
  return 1;
}

cdf_result cdf_unpack(int source, int target, uint64_t limit, uint64_t *written,
                      uint64_t *taken) {
  *written = 0;
  *taken = 0;
  int copy = dup(source);
  gzFile file = copy < 0 ? NULL : gzdopen(copy, "rb");
  if (!file) {
    if (copy >= 0) close(copy);
    return cdf_result_failed;
  }
  unsigned char bytes[1 << 13];
  int count, code = Z_OK;
  cdf_result result = cdf_result_done;
  while (result == cdf_result_done && (count = gzread(file, bytes, sizeof bytes)) > 0) {
    if ((uint64_t)count > limit - *written) {
      result = cdf_result_full;
    } else if (!write_all(target, bytes, (size_t)count, *written)) {
      result = cdf_result_failed;
    } else {
      *written += (uint64_t)count;
    }
  }
  *taken = (uint64_t)gzoffset(file);
  gzerror(file, &code);
  if (result == cdf_result_done && code != Z_OK) {
    result = code == Z_ERRNO       ? cdf_result_failed
             : code == Z_MEM_ERROR ? cdf_result_no_memory
                                   : cdf_result_damaged;
  }
  int number = errno;
  gzclose_r(file);
  errno = number;
  return result;
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
