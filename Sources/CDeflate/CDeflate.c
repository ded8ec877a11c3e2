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

// Bytes from an offset on; nothing at the end, and below zero for an error.
static ssize_t read_some(int source, unsigned char *bytes, size_t count, uint64_t offset) {
  ssize_t done;
  do {
    done = pread(source, bytes, count, (off_t)offset);
  } while (done < 0 && errno == EINTR);
  return done;
}

static cdf_result unpack(z_stream *stream, int source, int target, uint64_t limit,
                         uint64_t *written, uint64_t *taken) {
  unsigned char input[1 << 16], output[1 << 16];
  int is_between = 0;
  for (;;) {
    ssize_t count = read_some(source, input, sizeof input, *taken);
    if (count < 0) return cdf_result_failed;
    if (count == 0) return is_between ? cdf_result_done : cdf_result_damaged;
    stream->next_in = input;
    stream->avail_in = (uInt)count;
    while (stream->avail_in > 0) {
      if (is_between) {
        // Only another member goes on.
        if (stream->next_in[0] != 0x1F) return cdf_result_done;
        if (inflateReset(stream) != Z_OK) return cdf_result_damaged;
        is_between = 0;
      }
      stream->next_out = output;
      stream->avail_out = sizeof output;
      uInt before = stream->avail_in;
      int code = inflate(stream, Z_NO_FLUSH);
      size_t made = sizeof output - stream->avail_out;
      *taken += before - stream->avail_in;
      if (made > limit - *written) return cdf_result_full;
      if (!write_all(target, output, made, *written)) return cdf_result_failed;
      *written += made;
      if (code == Z_MEM_ERROR) return cdf_result_no_memory;
      if (code == Z_STREAM_END) is_between = 1;
      else if (code == Z_BUF_ERROR && made == 0 && before == stream->avail_in) break;
      else if (code != Z_OK && code != Z_BUF_ERROR) return cdf_result_damaged;
    }
    // What was not needed is read again; if nothing was, nothing ever will be.
    if (stream->avail_in == (uInt)count) return cdf_result_damaged;
  }
}

cdf_result cdf_unpack(int source, int target, uint64_t limit, uint64_t *written,
                      uint64_t *taken) {
  *written = 0;
  *taken = 0;
  z_stream stream = {0};
  if (inflateInit2(&stream, gzip) != Z_OK) return cdf_result_no_memory;
  cdf_result result = unpack(&stream, source, target, limit, written, taken);
  inflateEnd(&stream);
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
