import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that the user named in the environment. It gets the terminal until it ends, in a foreground process group
/// of its own as under a shell, so keys that make signals reach it alone.
struct UserProgram {
  enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case notStarted(String)
  }

  /// Signals that end this process; the program is ended first.
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// How long the program may take to end, in hundredths of a second.
  private static let patience = 200

  private let arguments: [String]
  private let input: String?

  /// - Parameters:
  ///   - command: a line for the shell, which may have arguments and quotes.
  ///   - argument: follows them, and is not parsed by the shell.
  ///   - input: the file for standard input; nil for the terminal.
  init(_ command: String, argument: String? = nil, input: String? = nil) {
    arguments = ["-c"] + (argument.map { [command + " \"$@\"", command, $0] } ?? [command])
    self.input = input
  }

  /// A signal that ends this process is sent again afterwards; the caller holds it back.
  func run() -> Ending {
    let actions = [SIGCHLD, SIGTTOU, SIGTSTP].map { number in
      var action = sigaction()
      sigaction(number, nil, &action)
      return (number: number, action: action)
    }
    defer {
      for (number, var action) in actions { sigaction(number, &action, nil) }
    }
    // An ignored signal would wake nobody.
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

  /// Stops and continues together with the program.
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
        // It wanted the terminal before it had it, or it continues with us.
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
        // Taken by sigwait; pending again for the caller.
        kill(getpid(), number)
      }
    }
  }

  /// Stops this process group as Ctrl-Z does, until the shell continues it. Without a shell, the system does not stop
  /// it.
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

/// Starts a program in a process group of its own, with no signal blocked.
struct ProcessStart {
  enum File {
    case descriptor(Int32)
    case path(String, flags: Int32)
  }

  var program: String
  var arguments: [String]
  /// Signals that get their default effect again.
  var usualSignals: [Int32] = []
  var files: [(number: Int32, file: File)] = []

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

/// A folder that only this user can read, for a text that another program of the user gets.
struct PrivateFolder {
  let path: String
  private let files = POSIXFileSystem(isDurable: false)

  private static let limit = 64 << 20

  init() throws(FileSystemError) {
    let place = Console.variable("TMPDIR") ?? "/tmp"
    var template = FilePath.join(place, "carryover-XXXXXX").utf8CString.map { $0 }
    // Made with the mode 0700.
    guard mkdtemp(&template) != nil else { throw FileSystemError(.makeDirectory, place, .system(errno)) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func write(_ bytes: [UInt8], as name: String) throws(FileSystemError) -> String {
    let file = FilePath.join(path, name)
    var durable = DurableFiles(files)
    try durable.write(bytes, to: file)
    return file
  }

  func read(_ file: String) throws(FileSystemError) -> [UInt8] { try files.read(file, limit: Self.limit).bytes }

  /// Removes it with its contents, such as copies that an editor made. Follows no link.
  func remove() {
    var pending = [path]
    var emptied: [String] = []
    while let folder = pending.popLast() {
      emptied.append(folder)
      for name in (try? files.list(folder)) ?? [] {
        let inner = FilePath.join(folder, name)
        if (try? files.status(inner))?.kind == .directory { pending.append(inner) } else { try? files.remove(inner) }
      }
    }
    for folder in emptied.reversed() { try? files.removeDirectory(folder) }
  }
}
