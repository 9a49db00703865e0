// These make ncurses declare its wide-character functions, and the C library wcwidth and the size of a terminal.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "CCarryoverCurses.h"

// As term.h declares them, whose macros are common words.
extern int tputs(const char *text, int lines, int (*put)(int));
extern int setupterm(const char *term, int descriptor, int *result);
struct term;
extern struct term *set_curterm(struct term *);
extern int del_curterm(struct term *);

// Bracketed paste: xterm's mode 2004. The key codes are beyond curses' own.
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_OFF "\033[?1000l\033[?1002l\033[?1003l\033[?1006l"
#define KEY_PASTE_BEGIN (KEY_MAX + 1)
#define KEY_PASTE_END (KEY_MAX + 2)

static SCREEN *screen;
static FILE *input_file;
static FILE *output_file;
static bool mouse_on;
static bool paste_on;
static bool color_on;
static bool own_colors;
static char restore[512];
static size_t restore_length;

static int collect(int byte) {
  if (restore_length < sizeof restore) restore[restore_length++] = (char)byte;
  return byte;
}

static const char *capability(const char *name) {
  const char *value = tigetstr((char *)name);
  return value == (const char *)-1 ? NULL : value;
}

static void collect_capability(const char *name) {
  const char *value = capability(name);
  if (value) tputs(value, 1, collect);
}

static void collect_text(const char *text) {
  while (*text) collect(*text++);
}

static void prepare_restore_bytes(void) {
  restore_length = 0;
  if (mouse_on) collect_text(MOUSE_OFF);
  if (paste_on) collect_text(PASTE_OFF);
  collect_capability("sgr0");
  collect_capability("op");
  collect_capability("rmkx");
  collect_capability("cnorm");
  if (capability("rmcup")) collect_capability("rmcup");
  else collect_text("\r\n");
}

const char *cc_restore_bytes(size_t *length) {
  *length = restore_length;
  return restore;
}

static void send_mode(const char *text) {
  if (!paste_on) return;
  ssize_t ignored = write(fileno(output_file), text, strlen(text));
  (void)ignored;
}

static void take_locale(const char *locale) {
  setlocale(LC_ALL, locale);
  if (cc_is_utf8() || *locale) return;
  // A locale that asks for UTF-8 but is not installed here, as over ssh: what it asks for can be had nevertheless.
  const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *value = getenv(names[i]);
    if (!value || !*value) continue;
    if (strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") || strstr(value, "utf-8")) {
      if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "UTF-8");
    }
    return;
  }
}

bool cc_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

static void close_files(void) {
  if (input_file) fclose(input_file);
  if (output_file) fclose(output_file);
  input_file = output_file = NULL;
}

static FILE *open_copy(int descriptor, const char *mode) {
  int copy = dup(descriptor);
  if (copy < 0) return NULL;
  FILE *file = fdopen(copy, mode);
  if (!file) close(copy);
  return file;
}

static void define_keys(void) {
  define_key("\033[200~", KEY_PASTE_BEGIN);
  define_key("\033[201~", KEY_PASTE_END);
  // Terminals send cursor keys in one of two forms, and not all in the one that their description names. Unknown, they
  // would be Escape and two letters, which may be bound.
  static const struct { char last; int code; } keys[] = {
    {'A', KEY_UP}, {'B', KEY_DOWN}, {'C', KEY_RIGHT}, {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END},
  };
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    char normal[] = {'\033', '[', keys[i].last, 0};
    char application[] = {'\033', 'O', keys[i].last, 0};
    define_key(normal, keys[i].code);
    define_key(application, keys[i].code);
  }
}

// Nothing here. The static command defines it again, for systems without descriptions of terminals: Packaging/static.py.
// As TERMINFO takes it: "hex:" and a compiled description.
__attribute__((weak)) const char *cc_own_description(const char *term) {
  (void)term;
  return NULL;
}

static bool uses_own_description;
static char *terminfo_before;

// Takes our own description where the system has none, until `drop_own_description`: other programs that we start are
// not to see it.
static bool set_up(const char *term, int output) {
  int result;
  if (setupterm(term, output, &result) != ERR) return true;
  const char *own = cc_own_description(term);
  const char *before = getenv("TERMINFO");
  if (!own) return false;
  uses_own_description = true;
  terminfo_before = before ? strdup(before) : NULL;
  return setenv("TERMINFO", own, 1) == 0 && setupterm(term, output, &result) != ERR;
}

static void drop_own_description(void) {
  if (!uses_own_description) return;
  if (terminfo_before) setenv("TERMINFO", terminfo_before, 1);
  else unsetenv("TERMINFO");
  free(terminfo_before);
  terminfo_before = NULL;
  uses_own_description = false;
}

// Asked before curses opens the terminal, so that one that cannot show a screen is sent nothing.
static bool can_show(const char *term, int output, int *colors, bool *mouse) {
  if (!set_up(term, output)) return false;
  bool can = capability("cup") != NULL;
  int count = tigetnum("colors");
  *colors = count < 0 ? 0 : count;
  *mouse = capability("kmous") != NULL;
  del_curterm(set_curterm(NULL));
  return can;
}

bool cc_describe(const char *term, int *colors, bool *mouse) {
  bool can = !screen && can_show(term, STDOUT_FILENO, colors, mouse);
  drop_own_description();
  return can;
}

enum cc_open_result cc_screen_open(
    const char *locale, const char *term, int input, int output, bool color, bool mouse) {
  take_locale(locale);
  // Exported by some shells, these would keep the size from ever changing.
  unsetenv("LINES");
  unsetenv("COLUMNS");
  input_file = open_copy(input, "r");
  output_file = open_copy(output, "w");
  if (!input_file || !output_file) {
    close_files();
    return CC_OUT_OF_RESOURCES;
  }
  int colors;
  bool can_point;
  bool can = can_show(term, fileno(output_file), &colors, &can_point);
  screen = can ? newterm((char *)term, output_file, input_file) : NULL;
  drop_own_description();
  if (!screen) {
    close_files();
    return CC_UNKNOWN_TERMINAL;
  }
  set_term(screen);
  set_escdelay(25);
  // Until a screen has been left once, ncurses 6 sends what it has at every move of the cursor, in place of once a
  // frame.
  endwin();
  doupdate();
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  intrflush(stdscr, FALSE);
  color_on = color && has_colors() && start_color() != ERR;
  own_colors = color_on && use_default_colors() != ERR;
  // A terminal that reports the mouse as xterm does knows xterm's bracketed paste.
  paste_on = capability("kmous") != NULL;
  mouse_on = false;
  if (mouse && capability("kmous")) {
    // At once, without waiting whether a press becomes a click.
    mouseinterval(0);
    mmask_t wanted = BUTTON1_PRESSED;
#if NCURSES_MOUSE_VERSION > 1
    wanted |= BUTTON4_PRESSED | BUTTON5_PRESSED;
#endif
    mouse_on = mousemask(wanted, NULL) != 0;
  }
  // A frame is sent in one piece. Whoever types on goes to the last frame anyway, because waiting keys are taken together.
  typeahead(-1);
  define_keys();
  prepare_restore_bytes();
  send_mode(PASTE_ON);
  return CC_OPENED;
}

void cc_screen_leave(void) {
  if (!screen) return;
  send_mode(PASTE_OFF);
  endwin();
}

void cc_screen_close(void) {
  if (!screen) return;
  if (mouse_on) mousemask(0, NULL);
  cc_screen_leave();
  delscreen(screen);
  screen = NULL;
  close_files();
}

void cc_screen_enter(void) {
  // Also where the screen was not left, because SIGSTOP cannot be caught: leaving first makes entering send everything.
  if (!isendwin()) cc_screen_leave();
  struct winsize size;
  if (ioctl(fileno(output_file), TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
      is_term_resized(size.ws_row, size.ws_col)) {
    resizeterm(size.ws_row, size.ws_col);
  }
  clearok(curscr, TRUE);
  doupdate();
  send_mode(PASTE_ON);
}

const char *cc_library(void) { return curses_version(); }

bool cc_is_open(void) { return screen != NULL; }

void cc_screen_size(int *rows, int *columns) {
  getmaxyx(stdscr, *rows, *columns);
  // Without xenl, as in ansi, ncurses counts on a cursor that wraps as soon as the last column is written. Most
  // terminals wrap only with the next character, and would show that in the wrong row: the last column stays free.
  if (tigetflag("am") > 0 && tigetflag("xenl") <= 0 && *columns > 1) *columns -= 1;
}

int cc_colors(void) {
  if (!color_on) return 0;
  // Beyond 256, as in xterm-direct, most numbers are red, green and blue and not of a palette.
  if (COLORS > 256) return 8;
  return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

int cc_set_pair(int pair, int foreground, int background) {
  if (pair < 1 || pair >= COLOR_PAIRS || pair > 32767) return -1;
  if (foreground < 0) foreground = own_colors ? -1 : COLOR_WHITE;
  if (background < 0) background = own_colors ? -1 : COLOR_BLACK;
  return init_pair((short)pair, (short)foreground, (short)background) == ERR ? -1 : 0;
}

int cc_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

static attr_t curses_attributes(int attributes) {
  return (attributes & CC_BOLD ? A_BOLD : 0) | (attributes & CC_DIM ? A_DIM : 0) |
         (attributes & CC_REVERSE ? A_REVERSE : 0) | (attributes & CC_UNDERLINE ? A_UNDERLINE : 0);
}

int cc_put(int row, int column, const uint32_t *scalars, int count, int attributes, int pair) {
  wchar_t text[CCHARW_MAX + 1];
  if (count < 1 || count > CCHARW_MAX) return -1;
  for (int i = 0; i < count; i++) text[i] = (wchar_t)scalars[i];
  text[count] = 0;
  cchar_t cell;
  if (setcchar(&cell, text, curses_attributes(attributes), (short)pair, NULL) == ERR) return -1;
  if (wmove(stdscr, row, column) == ERR) return -1;
  // In the last cell this fails to move on after the cell has been set.
  wadd_wch(stdscr, &cell);
  return 0;
}

void cc_erase(void) { werase(stdscr); }

void cc_show(int cursor_row, int cursor_column) {
  bool is_shown = cursor_row >= 0;
  curs_set(is_shown);
  // Hidden, the cursor rests in the corner: a frame that is like the last one must not move it.
  wmove(stdscr, is_shown ? cursor_row : 0, is_shown ? cursor_column : 0);
  wnoutrefresh(stdscr);
  doupdate();
}

static bool read_cell(int row, int column, wchar_t *text, attr_t *attributes, short *pair) {
  cchar_t cell;
  return mvwin_wch(stdscr, row, column, &cell) != ERR && getcchar(&cell, text, attributes, pair, NULL) != ERR;
}

int cc_read(int row, int column, uint32_t *scalars, int capacity) {
  wchar_t text[CCHARW_MAX + 1] = {0};
  attr_t attributes;
  short pair;
  if (!read_cell(row, column, text, &attributes, &pair)) return -1;
  int count = 0;
  for (; count < capacity && count < CCHARW_MAX && text[count]; count++) scalars[count] = (uint32_t)text[count];
  return count;
}

int cc_read_look(int row, int column, int *attributes, int *foreground, int *background) {
  wchar_t text[CCHARW_MAX + 1];
  attr_t attribute;
  short pair, colors[2] = {-1, -1};
  if (!read_cell(row, column, text, &attribute, &pair)) return -1;
  if (pair > 0 && pair_content(pair, &colors[0], &colors[1]) == ERR) return -1;
  *attributes = (attribute & A_BOLD ? CC_BOLD : 0) | (attribute & A_DIM ? CC_DIM : 0) |
                (attribute & A_REVERSE ? CC_REVERSE : 0) | (attribute & A_UNDERLINE ? CC_UNDERLINE : 0);
  *foreground = colors[0];
  *background = colors[1];
  return 0;
}

static struct cc_input input(enum cc_input_kind kind, uint32_t code) {
  return (struct cc_input){.kind = kind, .code = code, .row = 0, .column = 0};
}

static struct cc_input mouse_input(void) {
  MEVENT event;
  if (getmouse(&event) == ERR) return input(CC_IGNORED, 0);
  struct cc_input result = {.kind = CC_MOUSE, .code = CC_SELECT, .row = event.y, .column = event.x};
#if NCURSES_MOUSE_VERSION > 1
  if (event.bstate & BUTTON4_PRESSED) result.code = CC_WHEEL_UP;
  else if (event.bstate & BUTTON5_PRESSED) result.code = CC_WHEEL_DOWN;
  else
#endif
  if (!(event.bstate & BUTTON1_PRESSED)) result.kind = CC_IGNORED;
  return result;
}

struct cc_input cc_next_input(void) {
  // Not get_wch: it drops what it has of a character whose other bytes come later, and what follows a wrong byte.
  int code = wgetch(stdscr);
  if (code == ERR) return input(CC_NOTHING, 0);
  if (code < 256) return input(CC_BYTE, (uint32_t)code);
  if (code >= KEY_F(1) && code <= KEY_F(63)) return input(CC_FUNCTION, (uint32_t)(code - KEY_F(0)));
  if (code == KEY_RESIZE) return input(CC_RESIZE, 0);
  if (code == KEY_MOUSE) return mouse_input();
  static const struct { int code; enum cc_key key; } keys[] = {
    {KEY_UP, CC_UP}, {KEY_DOWN, CC_DOWN}, {KEY_LEFT, CC_LEFT}, {KEY_RIGHT, CC_RIGHT}, {KEY_PPAGE, CC_PAGE_UP},
    {KEY_NPAGE, CC_PAGE_DOWN}, {KEY_HOME, CC_HOME}, {KEY_END, CC_END}, {KEY_IC, CC_INSERT}, {KEY_DC, CC_DELETE},
    {KEY_BACKSPACE, CC_BACKSPACE}, {KEY_ENTER, CC_ENTER}, {KEY_BTAB, CC_BACK_TAB},
    {KEY_PASTE_BEGIN, CC_PASTE_BEGIN}, {KEY_PASTE_END, CC_PASTE_END},
  };
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (keys[i].code == code) return input(CC_KEY, keys[i].key);
  return input(CC_IGNORED, 0);
}

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
