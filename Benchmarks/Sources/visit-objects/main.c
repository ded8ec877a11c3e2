// The limit of reading: maps a binary property list and looks at the marker and the count of each
// object, in the order of its table. Nothing is checked and nothing decoded.
//
//     visit-objects LIST

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

static uint64_t integer(const uint8_t *place, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; i++) value = value << 8 | place[i];
  return value;
}

int main(int count, char **arguments) {
  if (count != 2) return 1;
  int descriptor = open(arguments[1], O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return 1;
  const uint8_t *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED) return 1;
  const uint8_t *trailer = bytes + status.st_size - 32;
  int offset_size = trailer[6];
  uint64_t objects = integer(trailer + 8, 8), table = integer(trailer + 24, 8);
  uint64_t counts[16] = {0}, units = 0;
  for (uint64_t i = 0; i < objects; i++) {
    uint64_t offset = integer(bytes + table + i * offset_size, offset_size);
    if (offset >= (uint64_t)status.st_size - 32) return 1;
    uint8_t marker = bytes[offset];
    uint64_t length = marker & 15;
    if (marker >> 4 >= 4 && marker >> 4 != 8 && length == 15) {
      length = integer(bytes + offset + 2, 1 << (bytes[offset + 1] & 15));
    }
    counts[marker >> 4]++;
    units += length;
  }
  printf("%lu objects, %lu dictionaries, %lu units\n", objects, counts[13], units);
  return 0;
}
