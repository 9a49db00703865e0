#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "CCarryoverCurses.h"

// Signals that are reported: the handler only notes them and wakes the loop.
static const int reported[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH};
// Signals that end the process whatever is done: the handler gives the terminal back.
static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
#define COUNT(array) (int)(sizeof array / sizeof array[0])
#define SIGNAL_LIMIT 65

static atomic_int pending[SIGNAL_LIMIT];
static int wake_pipe[2] = {-1, -1};
static struct sigaction before[SIGNAL_LIMIT];
static struct sigaction curses_resize;
static bool prepared;

// Never given back: a waker or a handler on another thread may be about to write.
static char fatal_stack[65536];
static struct termios settings;
static bool has_settings;
static int terminal_input = -1;
static int terminal_output = -1;
static int null_device = -1;
static int captured_errors = -1;
static int original_errors = -1;
static atomic_bool gave_back;

static void wake_loop(int number) {
  int saved = errno;
  atomic_store(&pending[number], 1);
  // A full pipe wakes as well as one byte more.
  ssize_t ignored = write(wake_pipe[1], "", 1);
  (void)ignored;
  errno = saved;
}

static void report(int number) {
  // ncurses keeps the count of its own resizes; it is only interrupted in its sleep here.
  if (number == SIGWINCH && curses_resize.sa_handler != SIG_DFL && curses_resize.sa_handler != SIG_IGN)
    curses_resize.sa_handler(number);
  wake_loop(number);
}

static void write_all(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    length -= (size_t)written;
  }
}

// Prints the end of what was written to standard error, such as why Swift trapped, without anything that could steer
// the terminal. Decoding UTF-8 is more than a handler should do, so what is not ASCII becomes a question mark.
static void print_captured_errors(void) {
  if (captured_errors < 0 || original_errors < 0) return;
  static char text[8192];
  off_t end = lseek(captured_errors, 0, SEEK_END);
  off_t start = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
  ssize_t length = pread(captured_errors, text, sizeof text, start);
  for (ssize_t i = 0; i < length; i++)
    if (text[i] != '\n' && (text[i] < 0x20 || text[i] > 0x7E)) text[i] = '?';
  if (length > 0) write_all(original_errors, text, (size_t)length);
}

// Only what may be called in a handler; each step whatever became of the one before.
static void give_terminal_back(void) {
  if (atomic_exchange(&gave_back, true)) return;
  // From the background, setting the terminal would stop the process.
  signal(SIGTTOU, SIG_IGN);
  size_t length;
  const char *bytes = cc_restore_bytes(&length);
  write_all(terminal_output, bytes, length);
  if (has_settings) tcsetattr(terminal_input, TCSAFLUSH, &settings);
  if (original_errors >= 0) dup2(original_errors, STDERR_FILENO);
  print_captured_errors();
  // Swift's backtracer offers to wait for a key; from here on there are none.
  if (null_device >= 0) dup2(null_device, STDIN_FILENO);
}

static void die(int number, siginfo_t *info, void *context) {
  give_terminal_back();
  sigaction(number, &before[number], NULL);
  // A fault happens again on return, and now meets whom it would have met, such as Swift's backtracer. What was sent, or
  // comes after the instruction that caused it, does not happen again: that handler is called here, and as it expects
  // to return to the fault, the process would go on without its terminal if it were not ended.
  if (number != SIGTRAP && info && info->si_code > 0) return;
  if (before[number].sa_flags & SA_SIGINFO) {
    before[number].sa_sigaction(number, info, context);
  } else if (before[number].sa_handler != SIG_DFL && before[number].sa_handler != SIG_IGN) {
    before[number].sa_handler(number);
  }
  signal(number, SIG_DFL);
  raise(number);
}

int cc_signals_prepare(int input) {
  if (wake_pipe[0] < 0) {
    if (pipe(wake_pipe) != 0) return errno;
    for (int i = 0; i < 2; i++) {
      fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
      fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
    }
  }
  if (null_device < 0) null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < COUNT(reported); i++) sigaction(reported[i], NULL, &before[reported[i]]);
  for (int i = 0; i < COUNT(fatal); i++) sigaction(fatal[i], NULL, &before[fatal[i]]);
  terminal_input = input;
  has_settings = tcgetattr(input, &settings) == 0;
  prepared = true;
  return 0;
}

void cc_keep_errors(int captured, int original) {
  captured_errors = captured;
  original_errors = original;
}

static void handle_reported(int number) {
  // What the parent chose to ignore, as nohup does with SIGHUP, stays ignored.
  if (before[number].sa_handler == SIG_IGN && number != SIGWINCH && number != SIGCONT) return;
  struct sigaction action = {0};
  action.sa_handler = report;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void cc_signals_install(int input, int output) {
  terminal_input = input;
  terminal_output = output;
  atomic_store(&gave_back, false);
  // ncurses sets its handler only for the first screen of a process; for the next it is remembered from then.
  struct sigaction resize;
  if (sigaction(SIGWINCH, NULL, &resize) == 0 && resize.sa_handler != before[SIGWINCH].sa_handler) curses_resize = resize;
  for (int i = 0; i < COUNT(reported); i++) handle_reported(reported[i]);
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    stack = (stack_t){.ss_sp = fatal_stack, .ss_size = sizeof fatal_stack, .ss_flags = 0};
    sigaltstack(&stack, NULL);
  }
  for (int i = 0; i < COUNT(fatal); i++) {
    struct sigaction action = {0};
    action.sa_sigaction = die;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(fatal[i], &action, NULL);
  }
}

void cc_signals_restore(void) {
  if (prepared) {
    for (int i = 0; i < COUNT(reported); i++) sigaction(reported[i], &before[reported[i]], NULL);
    for (int i = 0; i < COUNT(fatal); i++) sigaction(fatal[i], &before[fatal[i]], NULL);
  }
  prepared = false;
  if (has_settings) tcsetattr(terminal_input, TCSADRAIN, &settings);
  has_settings = false;
  terminal_input = terminal_output = -1;
  for (int i = 0; i < SIGNAL_LIMIT; i++) atomic_store(&pending[i], 0);
}

bool cc_take_pending(int number) {
  return number >= 0 && number < SIGNAL_LIMIT && atomic_exchange(&pending[number], 0) != 0;
}

void cc_wake(void) { wake_loop(CC_WAKE); }

// Waits until either can be read, or for no longer than `milliseconds` if that is not negative. Sets which can; an end,
// or a failure that a read would tell of, counts. Negative on failure, with errno.
static int wait_for(int first, int second, int milliseconds, bool *first_ready, bool *second_ready) {
#ifdef __linux__
  // curses asks with poll for each key, so that most of what this needs of the kernel is at hand already.
  struct pollfd both[] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  int count = poll(both, 2, milliseconds);
  if (count < 0) return -1;
  if ((both[0].revents | both[1].revents) & POLLNVAL) {
    errno = EBADF;
    return -1;
  }
  *first_ready = both[0].revents != 0;
  *second_ready = both[1].revents != 0;
#else
  // poll on macOS does not know terminals.
  if (first >= FD_SETSIZE || second >= FD_SETSIZE) {
    errno = EBADF;
    return -1;
  }
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(first, &readable);
  if (second >= 0) FD_SET(second, &readable);
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  int count = select((first > second ? first : second) + 1, &readable, NULL, NULL, milliseconds < 0 ? NULL : &limit);
  if (count < 0) return -1;
  *first_ready = FD_ISSET(first, &readable);
  *second_ready = second >= 0 && FD_ISSET(second, &readable);
#endif
  return count;
}

enum cc_wait_result cc_wait(int input, int milliseconds) {
  bool has_input, is_woken;
  if (input < 0) return CC_WAIT_FAILED;
  int count = wait_for(input, wake_pipe[0], milliseconds, &has_input, &is_woken);
  if (count < 0) return errno == EINTR ? CC_WAIT_WOKEN : CC_WAIT_FAILED;
  if (count == 0) return CC_WAIT_OVER;
  if (is_woken) {
    char drained[256];
    while (read(wake_pipe[0], drained, sizeof drained) > 0) continue;
  }
  return has_input ? CC_WAIT_INPUT : CC_WAIT_WOKEN;
}

bool cc_input_ended(int input) {
  if (input < 0) return true;
  int available = 0;
  if (ioctl(input, FIONREAD, &available) != 0) return true;
  if (available > 0) return false;
  // Readable with nothing to read: the other end is gone. Not readable: half a character has been taken.
  bool has_input, unused;
  if (wait_for(input, -1, 0, &has_input, &unused) < 0 || !has_input) return false;
  return ioctl(input, FIONREAD, &available) != 0 || available == 0;
}

void cc_stop(void) {
  // Started without job control, there would be nobody to go on by.
  if (before[SIGTSTP].sa_handler == SIG_IGN) return;
  struct sigaction handler;
  sigaction(SIGTSTP, &before[SIGTSTP], &handler);
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, &mask);
  kill(0, SIGTSTP);
  // Stopped here, until SIGCONT.
  sigprocmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &handler, NULL);
  atomic_store(&pending[SIGTSTP], 0);
  atomic_store(&pending[SIGCONT], 0);
}
