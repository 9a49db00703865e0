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

  static var program: String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size) + 1)
      guard _NSGetExecutablePath(&path, &size) == 0 else { return name }
      return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      // A root with nothing but the command has no /proc.
      let own = "/proc/self/exe"
      return access(own, X_OK) == 0 ? own : name
    #endif
  }

  /// The name that the program was started with, which can be a path.
  static var name: String {
    get { ownName.withLock { $0 } }
    set { ownName.withLock { $0 = newValue } }
  }

  private static let ownName = Locked("carryover")

  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// So that a hostile input ends this process instead of the machine.
  static func limitMemory(_ bytes: Int) {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
      setrlimit(RLIMIT_AS, &limit)
    #endif
  }
}

#if DEBUG
  /// Crashes the process if a test asks for it by CARRYOVER_TRAP, to see whether the terminal is restored. Release
  /// builds do not have it.
  enum DebugTrap {
    static func springIfAsked() {
      switch Console.environment("CARRYOVER_TRAP") {
      case "index": index([])
      case "overflow": Console.errorText("\(Int.max - Int(getpid()) + Int.max)")
      case "null": if let nowhere = UnsafePointer<Int>(bitPattern: 16) { Console.errorText("\(nowhere.pointee)") }
      case "stack": Console.errorText("\(deeper(1))")
      case "abort": abort()
      default: break
      }
    }

    private static func index(_ none: [Int]) { Console.errorText("\(none[Int(getpid())])") }

    private static func deeper(_ depth: Int) -> Int { depth == 0 ? 0 : deeper(depth + 1) + depth }
  }
#endif
