#ifndef CCARRYOVER_SYSTEM_H
#define CCARRYOVER_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/// Renames within one file system, only if nothing stands at the destination. 0, or -1 with `errno`; EINVAL, ENOSYS or
/// ENOTSUP where the system or the file system has no such call.
int carryover_rename_exclusive(const char *source, const char *destination);

/// Makes two existing paths change places, atomically. 0, or -1 with `errno`, as above.
int carryover_rename_exchange(const char *first, const char *second);

/// Takes whole blocks of 64 bytes into the state of a SHA-256 digest.
void carryover_sha256_take(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
