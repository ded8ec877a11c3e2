#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <fcntl.h>

#include "CSQLite.h"

void csq_begin_sync(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
  sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor;
#endif
}
