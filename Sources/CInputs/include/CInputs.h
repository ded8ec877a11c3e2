#ifndef CINPUTS_H
#define CINPUTS_H

#include <stddef.h>

// The calls that Swift cannot make or must not: those with arguments of any number, what only Linux
// has, and what guards files that are mapped into memory while other processes may write to them.

// Opens a file below a folder: openat, made again where a signal interrupted it.
int cin_open(int folder, const char *path, int flags, int mode);

// Whether bytes stand among others.
int cin_contains(const void *bytes, size_t size, const void *part, size_t part_size);

// Has the system copy the beginning of a file to that of another, or let both share what they hold.
// Returns how many bytes it has copied: fewer where it cannot, or the file is shorter.
long long cin_copy(int from, int to, long long size);

// Has the system tell this process before another one opens the file for writing or cuts it, and make
// that process wait meanwhile. Returns whether it does: files of other users, files that are open for
// writing, and some file systems have no such lease.
int cin_lease(int descriptor);

// Whether nobody waits for the file, and nobody has written to it since it was leased.
int cin_is_leased(int descriptor);

// Lets others write to the file. Returns whether the lease was held until now: nobody has written to
// the file since it was leased.
int cin_release_lease(int descriptor);

// Guards mapped memory: where a page cannot be read (SIGBUS), all of the memory becomes zero, and the
// memory counts as broken. Returns the number of the guard; -1 if there are too many.
int cin_guard(void *start, size_t size);

// Whether a page could not be read, or cin_break was called.
int cin_is_broken(int guard);

// Makes all of the memory zero, and notes that it is broken.
void cin_break(int guard);

// Ends a guard; the memory must not be read any more.
void cin_release_guard(int guard);

#endif
