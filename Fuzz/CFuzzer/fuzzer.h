#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop, which comes with the toolchain's clang.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *bytes, size_t size));
