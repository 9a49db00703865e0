#include <sys/ioctl.h>
#include <unistd.h>

#include "CCarryoverCurses.h"

static const unsigned char end_mark[] = {0x1B, '[', '2', '0', '1', '~'};
#define MARK_LENGTH (int)sizeof end_mark

// How much of the mark has been read; it may come in pieces.
static int matched;

int cc_read_paste(int input, uint8_t *bytes, int capacity, bool *ended) {
  int count = 0;
  int available = 0;
  *ended = false;
  if (ioctl(input, FIONREAD, &available) != 0) return 0;
  // What breaks off in the mark is text, and may be as long as the mark.
  while (available > 0 && count + 2 * MARK_LENGTH <= capacity) {
    // Never more than the mark lacks: what follows it is curses' to read.
    unsigned char piece[MARK_LENGTH];
    int wanted = MARK_LENGTH - matched;
    ssize_t length = read(input, piece, (size_t)(wanted < available ? wanted : available));
    if (length <= 0) break;
    available -= (int)length;
    for (ssize_t i = 0; i < length; i++) {
      if (piece[i] == end_mark[matched]) {
        if (++matched < MARK_LENGTH) continue;
        matched = 0;
        *ended = true;
        return count;
      }
      for (int j = 0; j < matched; j++) bytes[count++] = end_mark[j];
      matched = piece[i] == end_mark[0];
      if (!matched) bytes[count++] = piece[i];
    }
  }
  return count;
}
