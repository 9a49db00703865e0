#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What Swift cannot call itself: curses is variadic functions, macros and global variables, and a signal handler must not
// run Swift. One screen at a time. Functions return 0 on success unless they say otherwise.

// MARK: The screen (Screen.c)

enum cc_open_result { CC_OPENED = 0, CC_UNKNOWN_TERMINAL = 1, CC_OUT_OF_RESOURCES = 2 };

const char *cc_library(void);
bool cc_is_open(void);
/// What the description of a terminal says. False where there is none, where it cannot place its cursor, and while there
/// is a screen.
bool cc_describe(const char *term, int *colors, bool *mouse);
/// Takes a locale ("" for the environment's) and opens the screen on two descriptors, which stay the caller's. Without
/// `color` not even the sequence for the terminal's own colours is sent.
enum cc_open_result cc_screen_open(
  const char *locale, const char *term, int input, int output, bool color, bool mouse);
void cc_screen_close(void);
void cc_screen_leave(void);
/// Returns after `cc_screen_leave`, or after the process was stopped, at the present size, and repaints all of it.
void cc_screen_enter(void);

bool cc_is_utf8(void);
void cc_screen_size(int *rows, int *columns);

/// 0, 8, 16 or 256.
int cc_colors(void);
/// Pairs count from 1; colour -1 is the terminal's own. Non-zero if that is one pair too many.
int cc_set_pair(int pair, int foreground, int background);

enum cc_attribute { CC_BOLD = 1, CC_DIM = 2, CC_REVERSE = 4, CC_UNDERLINE = 8 };

/// The columns the C library believes a scalar takes: -1 if it cannot be shown.
int cc_width(uint32_t scalar);
/// Puts a base and up to four combining scalars at a cell. Nothing is sent before `cc_show`.
int cc_put(int row, int column, const uint32_t *scalars, int count, int attributes, int pair);
/// Sends nothing either.
void cc_erase(void);
/// Sends what has changed since the last time; a negative row hides the cursor.
void cc_show(int cursor_row, int cursor_column);

/// Reads a cell back; returns how many scalars there are, negative on failure.
int cc_read(int row, int column, uint32_t *scalars, int capacity);
/// Colours as `cc_set_pair` got them.
int cc_read_look(int row, int column, int *attributes, int *foreground, int *background);

enum cc_input_kind {
  CC_NOTHING,
  CC_BYTE,        // code is a byte of text in the locale's encoding
  CC_KEY,         // code is of cc_key
  CC_FUNCTION,    // code is the number of the function key
  CC_RESIZE,
  CC_MOUSE,       // code is of cc_mouse
  CC_IGNORED,     // something that is not reported
};
enum cc_key {
  CC_UP, CC_DOWN, CC_LEFT, CC_RIGHT, CC_PAGE_UP, CC_PAGE_DOWN, CC_HOME, CC_END, CC_INSERT, CC_DELETE, CC_BACKSPACE,
  CC_ENTER, CC_BACK_TAB, CC_PASTE_BEGIN, CC_PASTE_END,
};
enum cc_mouse { CC_SELECT, CC_WHEEL_UP, CC_WHEEL_DOWN };
struct cc_input {
  enum cc_input_kind kind;
  uint32_t code;
  int row;
  int column;
};

/// The next input there is, without waiting.
struct cc_input cc_next_input(void);

/// Reads what has come of a paste, past curses, which would take a system call or two for each byte. Does not wait.
int cc_read_paste(int input, uint8_t *bytes, int capacity, bool *ended);

/// The bytes that undo what the screen did to the terminal, for the handler of fatal signals.
const char *cc_restore_bytes(size_t *length);

// MARK: Signals (Signals.c)

/// Remembers how signals are handled and how the terminal is set, and makes the pipe that wakes `cc_wait`; an error
/// number on failure. Before `cc_screen_open`, which changes both.
int cc_signals_prepare(int input);
/// Handles signals for the screen that is open on `input` and `output`.
void cc_signals_install(int input, int output);
/// Handles signals and sets the terminal as they were before `cc_signals_prepare`.
void cc_signals_restore(void);
/// Where a crash finds what was written to standard error: the descriptor it was kept on, and the real one.
void cc_keep_errors(int captured, int original);

enum cc_pending { CC_WAKE = 0 };
/// Whether the signal, or for `CC_WAKE` a call of `cc_wake`, came since the last call.
bool cc_take_pending(int signal);
/// Makes `cc_wait` return. From any thread, at any time.
void cc_wake(void);
enum cc_wait_result {
  CC_WAIT_FAILED,
  CC_WAIT_INPUT,  // there is input
  CC_WAIT_OVER,   // the time has passed
  CC_WAIT_WOKEN,  // something else happened
};
/// Waits for input or a signal, for no longer than `milliseconds` if that is not negative.
enum cc_wait_result cc_wait(int input, int milliseconds);
/// Whether there is nothing to read and never will be.
bool cc_input_ended(int input);
/// Stops the process group as Ctrl-Z does and returns once it runs again.
void cc_stop(void);
