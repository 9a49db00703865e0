#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
