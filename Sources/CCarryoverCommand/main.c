#include <stddef.h>

// Swift reads a process's arguments from /proc, which chroots and hardened containers may lack. The system gives them to
// `main` in any case.
int carryover_main(int count, const char *const *arguments, const char *const *build);

// What only the one who builds can tell: Package.swift takes it from the environment.
#ifndef CARRYOVER_COMMIT
#define CARRYOVER_COMMIT NULL
#endif
#ifndef CARRYOVER_DATE
#define CARRYOVER_DATE NULL
#endif
#ifndef CARRYOVER_COMPILER
#define CARRYOVER_COMPILER NULL
#endif

int main(int count, char **arguments) {
  const char *const build[] = {CARRYOVER_COMMIT, CARRYOVER_DATE, CARRYOVER_COMPILER};
  return carryover_main(count, (const char *const *)arguments, build);
}
