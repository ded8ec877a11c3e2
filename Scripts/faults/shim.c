// Makes the n-th call of a kind fail, for Scripts/faults/run.sh. It is loaded before the libraries of
// a program (LD_PRELOAD, Linux only) and goes by the environment:
//
//     FAULT_CALL    the kind of call: open, read, pwrite, malloc, …
//     FAULT_NUMBER  which of them fails, from 1 on; those behind it succeed again
//     FAULT_ERROR   the error number, or "short": half of the bytes are read or written
//     FAULT_FROM    only calls from the library whose path contains this text count
//     FAULT_COUNT   a file that gets the number of calls of the kind at the end
//
// Calls on standard input, output and error do not count.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *wanted, *from, *count_file;
static long number;
static int error, is_short;
static atomic_long count;
static uintptr_t from_start, from_end;

static int note_library(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (info->dlpi_name == NULL || strstr(info->dlpi_name, from) == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uintptr_t end = start + info->dlpi_phdr[i].p_memsz;
    if (from_start == 0 || start < from_start) from_start = start;
    if (end > from_end) from_end = end;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAULT_ERROR");
  is_short = text != NULL && strcmp(text, "short") == 0;
  error = text != NULL && !is_short ? atoi(text) : EIO;
  text = getenv("FAULT_NUMBER");
  number = text != NULL ? atol(text) : 0;
  from = getenv("FAULT_FROM");
  if (from != NULL && *from == 0) from = NULL;
  if (from != NULL) dl_iterate_phdr(note_library, NULL);
  count_file = getenv("FAULT_COUNT");
  wanted = getenv("FAULT_CALL");
}

static int fails(const char *call, void *caller) {
  if (wanted == NULL || strcmp(wanted, call) != 0) return 0;
  if (from != NULL && ((uintptr_t)caller < from_start || (uintptr_t)caller >= from_end)) return 0;
  if (atomic_fetch_add(&count, 1) + 1 != number) return 0;
  errno = error;
  return 1;
}

#define CALLER __builtin_return_address(0)
#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// A call that fails with -1.
#define CALL(kind, result, name, parameters, arguments) \
  result name parameters { \
    REAL(name); \
    return fails(kind, CALLER) ? -1 : real arguments; \
  }

// One that transfers bytes to or from a file: of a short one, the half.
#define TRANSFER(kind, name, parameters, whole, half) \
  ssize_t name parameters { \
    REAL(name); \
    if (file <= STDERR_FILENO || !fails(kind, CALLER)) return real whole; \
    return is_short && size > 1 ? real half : is_short ? real whole : -1; \
  }

TRANSFER("read", read, (int file, void *bytes, size_t size), (file, bytes, size),
         (file, bytes, size / 2))
TRANSFER("pread", pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at),
         (file, bytes, size / 2, at))
TRANSFER("pread", pread64, (int file, void *bytes, size_t size, off64_t at),
         (file, bytes, size, at), (file, bytes, size / 2, at))
TRANSFER("write", write, (int file, const void *bytes, size_t size), (file, bytes, size),
         (file, bytes, size / 2))
TRANSFER("pwrite", pwrite, (int file, const void *bytes, size_t size, off_t at),
         (file, bytes, size, at), (file, bytes, size / 2, at))
TRANSFER("pwrite", pwrite64, (int file, const void *bytes, size_t size, off64_t at),
         (file, bytes, size, at), (file, bytes, size / 2, at))

CALL("ftruncate", int, ftruncate, (int file, off_t size), (file, size))
CALL("ftruncate", int, ftruncate64, (int file, off64_t size), (file, size))
CALL("fsync", int, fsync, (int file), (file))
CALL("fsync", int, fdatasync, (int file), (file))
CALL("rename", int, rename, (const char *old, const char *new), (old, new))
CALL("rename", int, renameat2,
     (int base, const char *old, int new_base, const char *new, unsigned flags),
     (base, old, new_base, new, flags))
CALL("link", int, link, (const char *old, const char *new), (old, new))
CALL("unlink", int, unlink, (const char *path), (path))
CALL("mkdir", int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL("rmdir", int, rmdir, (const char *path), (path))
CALL("stat", int, stat, (const char *restrict path, struct stat *restrict out), (path, out))
CALL("stat", int, lstat, (const char *restrict path, struct stat *restrict out), (path, out))
CALL("stat", int, stat64, (const char *restrict path, struct stat64 *restrict out), (path, out))
CALL("stat", int, lstat64, (const char *restrict path, struct stat64 *restrict out), (path, out))
CALL("fstat", int, fstat, (int file, struct stat *out), (file, out))
CALL("fstat", int, fstat64, (int file, struct stat64 *out), (file, out))
CALL("stat", int, fstatat,
     (int base, const char *restrict path, struct stat *restrict out, int flags),
     (base, path, out, flags))
CALL("stat", int, fstatat64,
     (int base, const char *restrict path, struct stat64 *restrict out, int flags),
     (base, path, out, flags))
CALL("seek", off_t, lseek, (int file, off_t offset, int whence), (file, offset, whence))
CALL("seek", off64_t, lseek64, (int file, off64_t offset, int whence), (file, offset, whence))
CALL("copy", ssize_t, copy_file_range,
     (int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned flags),
     (in, in_at, out, out_at, size, flags))
CALL("access", int, access, (const char *path, int mode), (path, mode))
CALL("attributes", ssize_t, flistxattr, (int file, char *names, size_t size), (file, names, size))
CALL("attributes", ssize_t, fgetxattr, (int file, const char *name, void *value, size_t size),
     (file, name, value, size))
CALL("attributes", int, fsetxattr,
     (int file, const char *name, const void *value, size_t size, int flags),
     (file, name, value, size, flags))
CALL("fchmod", int, chmod, (const char *path, mode_t mode), (path, mode))
CALL("fchown", int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
CALL("fchmod", int, fchmod, (int file, mode_t mode), (file, mode))
CALL("fchown", int, fchown, (int file, uid_t user, gid_t group), (file, user, group))
CALL("flock", int, flock, (int file, int operation), (file, operation))

int close(int file) {
  REAL(close);
  int code = real(file);
  return file > STDERR_FILENO && fails("close", CALLER) ? -1 : code;
}

#define OPEN(name, first) \
  { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = va_arg(list, mode_t); \
    va_end(list); \
    REAL(name); \
    return fails("open", CALLER) ? -1 : real first; \
  }

int open(const char *path, int flags, ...) OPEN(open, (path, flags, mode))
int open64(const char *path, int flags, ...) OPEN(open64, (path, flags, mode))
int openat(int base, const char *path, int flags, ...) OPEN(openat, (base, path, flags, mode))
int openat64(int base, const char *path, int flags, ...)
    OPEN(openat64, (base, path, flags, mode))

DIR *opendir(const char *path) {
  REAL(opendir);
  return fails("opendir", CALLER) ? NULL : real(path);
}

DIR *fdopendir(int folder) {
  REAL(fdopendir);
  return fails("opendir", CALLER) ? NULL : real(folder);
}

struct dirent *readdir(DIR *folder) {
  REAL(readdir);
  return fails("readdir", CALLER) ? NULL : real(folder);
}

void *mmap(void *at, size_t size, int access, int flags, int file, off_t offset) {
  REAL(mmap);
  if (file >= 0 && fails("mmap", CALLER)) return MAP_FAILED;
  return real(at, size, access, flags, file, offset);
}

void *mmap64(void *at, size_t size, int access, int flags, int file, off64_t offset) {
  REAL(mmap64);
  if (file >= 0 && fails("mmap", CALLER)) return MAP_FAILED;
  return real(at, size, access, flags, file, offset);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*body)(void *), void *restrict argument) {
  REAL(pthread_create);
  return fails("thread", CALLER) ? EAGAIN : real(thread, attributes, body, argument);
}

// dlsym itself may ask for memory: so the real ones go by other names.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return fails("malloc", CALLER) ? NULL : __libc_malloc(size); }

void *calloc(size_t members, size_t size) {
  return fails("malloc", CALLER) ? NULL : __libc_calloc(members, size);
}

void *realloc(void *bytes, size_t size) {
  return fails("malloc", CALLER) ? NULL : __libc_realloc(bytes, size);
}

__attribute__((destructor)) static void end(void) {
  if (count_file == NULL) return;
  const char *file = count_file;
  wanted = NULL;
  FILE *out = fopen(file, "w");
  if (out == NULL) return;
  fprintf(out, "%ld\n", atomic_load(&count));
  fclose(out);
}
