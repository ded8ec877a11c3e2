// The few calls on files that Foundation has no form for.

#ifndef CFILES_H
#define CFILES_H

#ifdef __cplusplus
extern "C" {
#endif

/// Gives an open file the owner, the group, the permissions and the extended attributes (with them
/// access control lists) of the regular file at `path`, as far as this user may. Where the group or the
/// list cannot be kept, its permissions shrink: nobody gets to read who could not before. Returns 0,
/// or an error number if the permissions cannot be set.
int cfiles_take_on(int descriptor, const char *_Nonnull path);

/// Renames a file unless there is something at the new name. Returns 0 or an error number; ENOTSUP if
/// the system or the file system cannot do that in one step.
int cfiles_rename_new(const char *_Nonnull from, const char *_Nonnull to);

/// Exchanges two names. Returns 0 or an error number, as above.
int cfiles_exchange(const char *_Nonnull first, const char *_Nonnull second);

/// Whether another process holds a lock on a database that SQLite takes: as long as it reads or writes
/// it, or has it open in WAL mode. -1 if that cannot be found out.
int cfiles_is_locked(const char *_Nonnull path);

#ifdef __cplusplus
}
#endif

#endif
