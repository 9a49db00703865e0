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

static int rename_with(int from, const char *source, int to, const char *destination, unsigned flags) {
#if defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, from, source, to, destination, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// RENAME_NOREPLACE and RENAME_EXCHANGE of the kernel's own header, which not every C library repeats.
int carryover_rename_exclusive(int from, const char *source, int to, const char *destination) {
  return rename_with(from, source, to, destination, 1U << 0);
}

int carryover_rename_exchange(int from, const char *first, int to, const char *second) {
  return rename_with(from, first, to, second, 1U << 1);
}

#elif defined(__APPLE__)

#include <stdio.h>

int carryover_rename_exclusive(int from, const char *source, int to, const char *destination) {
  return renameatx_np(from, source, to, destination, RENAME_EXCL);
}

int carryover_rename_exchange(int from, const char *first, int to, const char *second) {
  return renameatx_np(from, first, to, second, RENAME_SWAP);
}

#else

int carryover_rename_exclusive(int from, const char *source, int to, const char *destination) {
  (void)from;
  (void)source;
  (void)to;
  (void)destination;
  errno = ENOSYS;
  return -1;
}

int carryover_rename_exchange(int from, const char *first, int to, const char *second) {
  (void)from;
  (void)first;
  (void)to;
  (void)second;
  errno = ENOSYS;
  return -1;
}

#endif
