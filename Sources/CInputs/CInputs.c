#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CInputs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: Files

int cin_open(int folder, const char *path, int flags, int mode) {
  int descriptor;
  do {
    descriptor = openat(folder, path, flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int cin_contains(const void *bytes, size_t size, const void *part, size_t part_size) {
  return memmem(bytes, size, part, part_size) != NULL;
}

long long cin_copy(int from, int to, long long size) {
  long long done = 0;
#ifdef __linux__
  while (done < size) {
    off64_t source = done, target = done;
    ssize_t count = copy_file_range(from, &source, to, &target, (size_t)(size - done), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += count;
  }
#endif
  return done;
}

// MARK: Leases

#ifdef __linux__

// Those who open the file wait no longer than this for us. A short time would not do for a copy.
static int break_seconds(void) {
  static atomic_int known = -1;
  int seconds = atomic_load(&known);
  if (seconds < 0) {
    seconds = 0;
    FILE *file = fopen("/proc/sys/fs/lease-break-time", "re");
    if (file) {
      if (fscanf(file, "%d", &seconds) != 1) seconds = 0;
      fclose(file);
    }
    atomic_store(&known, seconds);
  }
  return seconds;
}

int cin_lease(int descriptor) {
  if (break_seconds() < 15) return 0;
  // The signal that tells of it: one that does nothing, since the lease is looked at.
  if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return 0;
  return fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0;
}

int cin_is_leased(int descriptor) { return fcntl(descriptor, F_GETLEASE) == F_RDLCK; }

int cin_release_lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_UNLCK) == 0; }

#else

int cin_lease(int descriptor) { return 0; }
int cin_is_leased(int descriptor) { return 0; }
int cin_release_lease(int descriptor) { return 0; }

#endif

// MARK: Guards

// Memory that is guarded: read by the handler of the signal, at any moment.
struct guard {
  _Atomic uintptr_t start;
  _Atomic size_t size;
  atomic_int is_broken;
  atomic_int is_taken;
};

enum { guard_count = 128 };
static struct guard guards[guard_count];
static struct sigaction previous;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Only calls that are safe in the handler of a signal.
static void make_zero(struct guard *guard) {
  uintptr_t start = atomic_load(&guard->start);
  size_t size = atomic_load(&guard->size);
  mmap((void *)start, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  atomic_store(&guard->is_broken, 1);
}

static void handle(int number, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  for (int index = 0; index < guard_count; index++) {
    uintptr_t start = atomic_load(&guards[index].start);
    size_t size = atomic_load(&guards[index].size);
    if (start == 0 || address < start || address - start >= size) continue;
    make_zero(&guards[index]);
    return;
  }
  // It is not ours: whoever was there before us sees it again.
  sigaction(SIGBUS, &previous, NULL);
}

static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

int cin_guard(void *start, size_t size) {
  pthread_once(&once, install);
  for (int index = 0; index < guard_count; index++) {
    int expected = 0;
    if (!atomic_compare_exchange_strong(&guards[index].is_taken, &expected, 1)) continue;
    atomic_store(&guards[index].is_broken, 0);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    atomic_store(&guards[index].size, (size + page - 1) / page * page);
    atomic_store(&guards[index].start, (uintptr_t)start);
    return index;
  }
  return -1;
}

int cin_is_broken(int guard) { return atomic_load(&guards[guard].is_broken); }

void cin_break(int guard) { make_zero(&guards[guard]); }

void cin_release_guard(int guard) {
  atomic_store(&guards[guard].start, 0);
  atomic_store(&guards[guard].is_taken, 0);
}
