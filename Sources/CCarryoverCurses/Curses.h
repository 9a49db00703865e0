#pragma once

// The one place that includes curses.h. The first two definitions make ncurses declare its wide-character functions, the
// others make the C library declare wcwidth and the size of a terminal. Not term.h: its macros are common words.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include <curses.h>

#include "CCarryoverCurses.h"

// As term.h declares them.
extern int tputs(const char *text, int lines, int (*put)(int));
extern int setupterm(const char *term, int descriptor, int *result);
struct term;
extern struct term *set_curterm(struct term *);
extern int del_curterm(struct term *);
