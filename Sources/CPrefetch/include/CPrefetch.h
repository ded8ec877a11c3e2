// Tells the processor which memory will be read soon. Swift has no word for it.

#ifndef CPREFETCH_H
#define CPREFETCH_H

#include <stddef.h>

/// Has the cache lines of some bytes loaded, without waiting for them. The bytes need not be there:
/// nothing happens then.
static inline void cpf_prefetch(const void *_Nonnull start, ptrdiff_t count) {
  for (ptrdiff_t place = 0; place < count; place += 64) {
    __builtin_prefetch((const char *)start + place);
  }
}

#endif
