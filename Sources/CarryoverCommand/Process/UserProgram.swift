#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that the user has named in the environment, which gets the terminal until it ends.
///
/// It runs in a process group of its own in the foreground, as under a shell: keys that make signals reach it alone.
struct UserProgram {
  /// How it ended.
  enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case notStarted(String)
  }

  /// Signals that ask this process to end: the program is ended by them first.
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// How long a program that was asked to end has for it, in hundredths of a second.
  private static let patience = 200

  private let arguments: [String]
  private let input: String?

  /// - Parameters:
  ///   - command: A line of the shell's, as the user wrote it: it may have arguments and quotes.
  ///   - argument: What is put behind them. The shell does not read it.
  ///   - input: The file to be its standard input; the terminal if nil.
  init(_ command: String, argument: String? = nil, input: String? = nil) {
    arguments = ["-c"] + (argument.map { [command + " \"$@\"", command, $0] } ?? [command])
    self.input = input
  }

  /// Runs it. A signal that asks this process to end comes again after that; the caller has it wait.
  func run() -> Ending {
    let saved = SignalActions([SIGCHLD, SIGTTOU, SIGTSTP])
    defer { saved.restore() }
    // A signal whose action is to be ignored would not wake anybody.
    signal(SIGCHLD) { _ in }
    signal(SIGTTOU, SIG_IGN)
    var waited = sigset_t()
    sigemptyset(&waited)
    for number in Self.asking + [SIGCHLD] { sigaddset(&waited, number) }
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &waited, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var child: pid_t = 0
    var start = ProcessStart(
      program: "/bin/sh", arguments: arguments,
      usualSignals: [SIGCHLD, SIGTTOU, SIGTTIN, SIGTSTP, SIGXFSZ, SIGPIPE])
    if let input { start.files = [(STDIN_FILENO, .path(input, flags: O_RDONLY))] }
    let code = start.run(&child)
    guard code == 0 else { return .notStarted(String(cString: strerror(code))) }
    tcsetpgrp(STDIN_FILENO, child)
    defer { tcsetpgrp(STDIN_FILENO, getpgrp()) }
    return wait(for: child, &waited)
  }

  /// Waits for the end; stops when the program is stopped, and has it go on afterwards.
  private func wait(for child: pid_t, _ waited: inout sigset_t) -> Ending {
    var rest: Int?
    var stops = 0
    while true {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG | WUNTRACED)
      if ended == child {
        guard status & 0xFF == 0x7F else {
          return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        }
        let isTooEarly = [SIGTTIN, SIGTTOU].contains(status >> 8 & 0xFF) && stops < 10
        stops += 1
        if !isTooEarly { stopWithIt() }
        // It wanted the terminal before it had it, or goes on with us.
        tcsetpgrp(STDIN_FILENO, child)
        kill(-child, SIGCONT)
      } else if ended < 0, errno != EINTR {
        return .notStarted(String(cString: strerror(errno)))
      } else if let left = rest {
        guard left > 0 else {
          kill(-child, SIGKILL)
          rest = .max
          continue
        }
        rest = left - 1
        var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
        nanosleep(&pause, nil)
      } else {
        var number: Int32 = 0
        guard sigwait(&waited, &number) == 0, number != SIGCHLD else { continue }
        kill(-child, number == SIGHUP ? SIGHUP : SIGTERM)
        kill(-child, SIGCONT)
        rest = Self.patience
        // Taken by the wait; here again once the caller lets it.
        kill(getpid(), number)
      }
    }
  }

  /// Stops this process group as Ctrl-Z does, until the shell lets it go on. Where there is no shell to do that, the
  /// system does not stop it.
  private func stopWithIt() {
    tcsetpgrp(STDIN_FILENO, getpgrp())
    signal(SIGTSTP, SIG_DFL)
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    var before = sigset_t()
    kill(0, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// What some signals do, to be restored.
private struct SignalActions {
  private let actions: [(number: Int32, action: sigaction)]

  init(_ numbers: [Int32]) {
    actions = numbers.map { number in
      var action = sigaction()
      sigaction(number, nil, &action)
      return (number, action)
    }
  }

  func restore() {
    for (number, action) in actions {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}

/// How another program is started: in a process group of its own, with no signal blocked.
struct ProcessStart {
  /// A descriptor of the new process.
  enum File {
    /// A descriptor of this process.
    case descriptor(Int32)
    /// The file at a path.
    case path(String, flags: Int32)
  }

  /// The path of the program.
  var program: String
  /// The arguments, without the program.
  var arguments: [String]
  /// The signals that have their usual effect again, whatever this process does about them.
  var usualSignals: [Int32] = []
  /// What takes the place of this process's own descriptors.
  var files: [(number: Int32, file: File)] = []

  /// Starts the program.
  /// - Parameter process: gets the number of the new process.
  /// - Returns: the system's error number, or 0.
  func run(_ process: inout pid_t) -> Int32 {
    #if canImport(Darwin)
      var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?)
    #else
      var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for number in usualSignals { sigaddset(&usual, number) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    for (number, file) in files {
      switch file {
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .path(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
      }
    }
    var pointers = ([program] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return posix_spawn(&process, program, &actions, &attributes, pointers, environ)
  }
}
