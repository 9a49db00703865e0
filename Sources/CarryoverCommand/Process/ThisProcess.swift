import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is true of the whole process: what it has done, and which signals wait.
enum ThisProcess {
  /// Whether it has changed something already, so that a later error cannot say that nothing was changed.
  static var hasWritten: Bool {
    get { written.withLock { $0 } }
    set { written.withLock { $0 = newValue } }
  }

  private static let written = Locked(false)

  /// Whether its arguments ask for JSON, so that errors are JSON too.
  static var printsJSON: Bool {
    get { json.withLock { $0 } }
    set { json.withLock { $0 = newValue } }
  }

  private static let json = Locked(false)

  /// Writes, and reports what was written, without being interrupted: signals that ask the process to end or to stop wait
  /// until the work is over, and then do what they always do.
  ///
  /// In the plain subcommands that is the system's default, at the end of this call. In the review it is the terminal's
  /// own handler, which only notes the signal: the loop ends after it, and the terminal is given back first. The process
  /// has one thread, so that its mask is this thread's.
  static func uninterrupted<Result>(_ work: () throws -> Result) rethrows -> Result {
    var held = sigset_t()
    sigemptyset(&held)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&held, signal) }
    var before = sigset_t()
    guard pthread_sigmask(SIG_BLOCK, &held, &before) == 0 else { return try work() }
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try work()
  }

  /// Whether a signal that asks the process to end waits until the work is over: long work ends itself then.
  static var isAskedToEnd: Bool {
    var waiting = sigset_t()
    sigemptyset(&waiting)
    guard sigpending(&waiting) == 0 else { return false }
    return [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains { sigismember(&waiting, $0) == 1 }
  }

  /// Sets up, once and first of all, what two signals do.
  ///
  /// A write beyond the limit on file sizes is to fail with an error, as on a full disk, instead of ending the process in
  /// the middle of a run. And SIGQUIT, which a person sends, is no crash: Swift's backtracer would report it as one and
  /// then let the process go on. Whoever ignores it for us, as a shell does in the background, is left alone.
  static func prepareSignals() {
    signal(SIGXFSZ, SIG_IGN)
    let before = signal(SIGQUIT, SIG_DFL)
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGQUIT, SIG_IGN) }
  }
}
