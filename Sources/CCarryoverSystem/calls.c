// Calls that Swift cannot make by itself: Linux's can only be made by number, through a variadic function; Glibc's module
// hides renameat2, which Musl has only of late, and O_PATH.
#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CCarryoverSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

// From the kernel's own header, which not every C library repeats.
enum { rename_exclusive = 1 << 0, rename_exchange = 1 << 1 };
// O_PATH asks for no right to list the folder, which those on the way to a file need not give.
static const int only_to_reach = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
enum { rename_exclusive = RENAME_EXCL, rename_exchange = RENAME_SWAP };
static const int only_to_reach = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

static int rename_with(int from, const char *source, int to, const char *destination, unsigned flags) {
#if defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, from, source, to, destination, flags);
#elif defined(__APPLE__)
  return renameatx_np(from, source, to, destination, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int carryover_rename_exclusive(int from, const char *source, int to, const char *destination) {
  return rename_with(from, source, to, destination, rename_exclusive);
}

int carryover_rename_exchange(int from, const char *first, int to, const char *second) {
  return rename_with(from, first, to, second, rename_exchange);
}

int carryover_open_nofollow(int folder, const char *path) {
#if defined(SYS_openat2)
  // From the kernel's own header, which not every system has: struct open_how, and RESOLVE_NO_MAGICLINKS,
  // RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH, which refuses absolute paths.
  struct {
    uint64_t flags, mode, resolve;
  } how = {(uint64_t)only_to_reach, 0, 0x02 | 0x04 | (path[0] == '/' ? 0 : 0x08)};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#elif defined(O_NOFOLLOW_ANY)
  return openat(folder, path, only_to_reach | O_NOFOLLOW_ANY);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int carryover_open_component(int folder, const char *name) { return openat(folder, name, only_to_reach | O_NOFOLLOW); }
