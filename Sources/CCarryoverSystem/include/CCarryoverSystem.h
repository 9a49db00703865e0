#ifndef CCARRYOVER_SYSTEM_H
#define CCARRYOVER_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

// A path begins at the folder before it, which is a descriptor or AT_FDCWD.

/// Renames within one file system, only if nothing stands at the destination. 0, or -1 with `errno`; EINVAL, ENOSYS or
/// ENOTSUP where the system or the file system has no such call.
int carryover_rename_exclusive(int from, const char *source, int to, const char *destination);

/// Makes two existing paths change places, atomically. 0, or -1 with `errno`, as above.
int carryover_rename_exchange(int from, const char *first, int to, const char *second);

/// Opens a folder in one call that follows no link in any component, only to reach what stands in it; a relative path
/// never leads out of the folder that it begins at. A descriptor, or -1 with `errno`; ELOOP for a link, ENOSYS where the
/// system has no such call.
int carryover_open_nofollow(int folder, const char *path);

/// The same for a single name; a link fails with ELOOP or ENOTDIR.
int carryover_open_component(int folder, const char *name);

/// Takes whole blocks of 64 bytes into the state of a SHA-256 digest.
void carryover_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
