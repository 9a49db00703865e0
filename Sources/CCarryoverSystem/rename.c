// The two renames that refuse to overwrite, which Swift cannot call by itself: Glibc's module hides renameat2, Musl has
// it only of late, and the system call is variadic.
#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CCarryoverSystem.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int rename_with(const char *source, const char *destination, unsigned flags) {
#if defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, AT_FDCWD, source, AT_FDCWD, destination, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// RENAME_NOREPLACE and RENAME_EXCHANGE of the kernel's own header, which not every C library repeats.
int carryover_rename_exclusive(const char *source, const char *destination) {
  return rename_with(source, destination, 1U << 0);
}

int carryover_rename_exchange(const char *first, const char *second) { return rename_with(first, second, 1U << 1); }

#elif defined(__APPLE__)

#include <stdio.h>

int carryover_rename_exclusive(const char *source, const char *destination) {
  return renamex_np(source, destination, RENAME_EXCL);
}

int carryover_rename_exchange(const char *first, const char *second) {
  return renamex_np(first, second, RENAME_SWAP);
}

#else

int carryover_rename_exclusive(const char *source, const char *destination) {
  (void)source;
  (void)destination;
  errno = ENOSYS;
  return -1;
}

int carryover_rename_exchange(const char *first, const char *second) {
  (void)first;
  (void)second;
  errno = ENOSYS;
  return -1;
}

#endif
