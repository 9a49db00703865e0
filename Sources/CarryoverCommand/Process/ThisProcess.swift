import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

enum ThisProcess {
  /// Whether the process has changed something, so that a later error does not claim otherwise.
  static var hasWritten: Bool {
    get { written.withLock { $0 } }
    set { written.withLock { $0 = newValue } }
  }

  private static let written = Locked(false)

  /// Whether errors are printed as JSON.
  static var printsJSON: Bool {
    get { json.withLock { $0 } }
    set { json.withLock { $0 = newValue } }
  }

  private static let json = Locked(false)

  /// Runs the work without interruption: signals that end or stop the process wait until it is over.
  ///
  /// In plain subcommands they then have the system's default effect. In the review, the terminal's handler only notes
  /// them, and the loop ends after restoring the terminal. The process has one thread, so its mask is this thread's.
  static func uninterrupted<Result>(_ work: () throws -> Result) rethrows -> Result {
    var held = sigset_t()
    sigemptyset(&held)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&held, signal) }
    var before = sigset_t()
    guard pthread_sigmask(SIG_BLOCK, &held, &before) == 0 else { return try work() }
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try work()
  }

  /// Whether a signal that ends the process is waiting: long work then ends itself.
  static var isAskedToEnd: Bool {
    var waiting = sigset_t()
    sigemptyset(&waiting)
    guard sigpending(&waiting) == 0 else { return false }
    return [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains { sigismember(&waiting, $0) == 1 }
  }

  /// Called once, before everything else.
  ///
  /// A write beyond the limit on file sizes fails with an error, as on a full disk, and does not end the process during
  /// a run. SIGQUIT is not a crash: Swift's backtracer would report it as one and let the process go on. It stays
  /// ignored if the parent ignored it, as a shell does for background jobs.
  static func prepareSignals() {
    signal(SIGXFSZ, SIG_IGN)
    let before = signal(SIGQUIT, SIG_DFL)
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGQUIT, SIG_IGN) }
  }
}
