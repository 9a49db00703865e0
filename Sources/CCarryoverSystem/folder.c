// Folders that are opened without a link on the way, which Swift cannot do by itself: Linux's call can only be made by
// number, through a variadic function, and Glibc's module hides O_PATH.
#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CCarryoverSystem.h"

#include <errno.h>
#include <fcntl.h>

#if defined(__linux__)
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// O_PATH asks for no right to list the folder, which those on the way to a file need not give.
static const int only_to_reach = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
static const int only_to_reach = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

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
  (void)folder;
  (void)path;
  errno = ENOSYS;
  return -1;
#endif
}

int carryover_open_component(int folder, const char *name) { return openat(folder, name, only_to_reach | O_NOFOLLOW); }
