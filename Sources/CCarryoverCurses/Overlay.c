#include "Curses.h"

#include <errno.h>
#include <unistd.h>

static char bytes[16384];
static size_t length;
static const char *to_column;
static const char *to_cell;
static int known_row;

static void flush_bytes(void) {
  const char *rest = bytes;
  while (length > 0) {
    ssize_t written = write(cc_output(), rest, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    rest += written;
    length -= (size_t)written;
  }
  length = 0;
}

static int collect(int byte) {
  if (length == sizeof bytes) flush_bytes();
  bytes[length++] = (char)byte;
  return byte;
}

static void collect_scalar(uint32_t scalar) {
  if (scalar < 0x80) {
    collect((int)scalar);
  } else if (scalar < 0x800) {
    collect((int)(0xC0 | scalar >> 6));
    collect((int)(0x80 | (scalar & 0x3F)));
  } else if (scalar < 0x10000) {
    collect((int)(0xE0 | scalar >> 12));
    collect((int)(0x80 | (scalar >> 6 & 0x3F)));
    collect((int)(0x80 | (scalar & 0x3F)));
  } else {
    collect((int)(0xF0 | scalar >> 18));
    collect((int)(0x80 | (scalar >> 12 & 0x3F)));
    collect((int)(0x80 | (scalar >> 6 & 0x3F)));
    collect((int)(0x80 | (scalar & 0x3F)));
  }
}

// Always from the edge, never from where the cursor seems to be.
static void go(int row, int column) {
  if (row == known_row && to_column) tputs(tparm(to_column, column, 0, 0, 0, 0, 0, 0, 0, 0), 1, collect);
  else tputs(tparm(to_cell, row, column, 0, 0, 0, 0, 0, 0, 0), 1, collect);
  known_row = row;
}

void cc_overlay_begin(void) {
  length = 0;
  known_row = -1;
  to_cell = cc_capability("cup");
  to_column = cc_capability("hpa");
}

void cc_overlay_put(
    int row, int column, int columns, const uint32_t *scalars, int count, int attributes, int pair) {
  go(row, column);
  // Tells curses too how the terminal writes from now on.
  vid_puts(cc_attributes(attributes), (short)pair, NULL, collect);
  // What stood there may be wider than what comes.
  for (int i = 0; i < columns; i++) collect(' ');
  for (int i = 0; i < columns; i++) collect('\b');
  for (int i = 0; i < count; i++) collect_scalar(scalars[i]);
}

void cc_overlay_end(void) {
  int row, column;
  getyx(newscr, row, column);
  known_row = -1;
  go(row, column);
  flush_bytes();
}
