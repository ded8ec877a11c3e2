#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __APPLE__
#include <copyfile.h>

// Access control lists are of a kind of their own, which deny as well as allow.
static int take_on_lists(int descriptor, const char *path) {
  int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return 0;
  int code = fcopyfile(from, descriptor, NULL, COPYFILE_ACL | COPYFILE_XATTR);
  close(from);
  return code == 0;
}

static void forget_list(int descriptor) { (void)descriptor; }
#else
static const char list_name[] = "system.posix_acl_access";

// What a folder hands down to its new files is not what the old file had.
static void forget_list(int descriptor) { fremovexattr(descriptor, list_name); }

/// Returns whether the access control list is that of the other file.
static int take_on_lists(int descriptor, const char *path) {
  ssize_t size = llistxattr(path, NULL, 0);
  if (size <= 0) return 1;
  int is_kept = 1;
  char *names = malloc((size_t)size);
  if (names == NULL || (size = llistxattr(path, names, (size_t)size)) < 0) {
    free(names);
    return 0;
  }
  for (char *name = names; name < names + size; name += strlen(name) + 1) {
    // What is said of the bytes of a program does not hold for others.
    if (strcmp(name, "security.capability") == 0 || strcmp(name, "security.ima") == 0 ||
        strcmp(name, "security.evm") == 0) {
      continue;
    }
    ssize_t length = lgetxattr(path, name, NULL, 0);
    char *value = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (value != NULL) length = lgetxattr(path, name, value, (size_t)length);
    int is_set = value != NULL && length >= 0 &&
                 fsetxattr(descriptor, name, value, (size_t)length, 0) == 0;
    if (!is_set && strcmp(name, list_name) == 0) is_kept = 0;
    free(value);
  }
  free(names);
  return is_kept;
}
#endif

int cfiles_take_on(int descriptor, const char *path) {
  struct stat old, own;
  if (lstat(path, &old) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISREG(old.st_mode)) return 0;
  if (fstat(descriptor, &own) != 0) return errno;
  if (old.st_uid != own.st_uid || old.st_gid != own.st_gid) {
    // Only the superuser gives files away; to a group of one's own, anybody may.
    if (fchown(descriptor, old.st_uid, old.st_gid) != 0) {
      if (fchown(descriptor, (uid_t)-1, old.st_gid) != 0) { /* Seen below. */
      }
    }
    if (fstat(descriptor, &own) != 0) return errno;
  }
  mode_t mode = old.st_mode & 0777;
  if (own.st_gid != old.st_gid) mode &= 0707 | (mode & 07) << 3;
  forget_list(descriptor);
  if (fchmod(descriptor, mode) != 0) return errno;
  if (!take_on_lists(descriptor, path)) {
    forget_list(descriptor);
    // With a list, these bits are the most that anybody named in it has.
    if (fchmod(descriptor, mode & 0707) != 0) return errno;
  }
  return 0;
}

#ifdef __APPLE__
static int rename_with(const char *from, const char *to, int exchanges) {
  return renamex_np(from, to, exchanges ? RENAME_SWAP : RENAME_EXCL);
}
#else
static int rename_with(const char *from, const char *to, int exchanges) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}
#endif

static int renamed(const char *from, const char *to, int exchanges) {
  if (rename_with(from, to, exchanges) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
}

int cfiles_rename_new(const char *from, const char *to) { return renamed(from, to, 0); }

int cfiles_exchange(const char *first, const char *second) { return renamed(first, second, 1); }

int cfiles_is_locked(const char *path) {
  int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return -1;
  // The bytes that SQLite locks: https://www.sqlite.org/src/file/src/os.h, PENDING_BYTE.
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512};
  int code = fcntl(descriptor, F_GETLK, &lock);
  close(descriptor);
  return code != 0 ? -1 : lock.l_type != F_UNLCK;
}
