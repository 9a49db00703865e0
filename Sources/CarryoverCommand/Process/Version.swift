import CarryoverSystem

/// The version of the tool, and where this copy of it comes from.
enum Version {
  /// As `--version` prints it and run records keep it.
  static let text = "0.1.0"

  /// The facts about the build that `make release` passes to the compiler.
  struct Build {
    var commit: String?
    /// The day of the commit, such as 2026-01-31.
    var date: String?
    var compiler: String?
  }

  static var build: Build {
    get { saidBuild.withLock { $0 } }
    set { saidBuild.withLock { $0 = newValue } }
  }

  private static let saidBuild = Locked(Build())

  /// The system and the processor that this copy is for, as the names of archives spell them.
  static var target: String {
    #if os(Linux)
      let system = "linux"
    #elseif os(macOS)
      let system = "macos"
    #else
      let system = "unknown"
    #endif
    #if arch(x86_64)
      return system + "-x86_64"
    #elseif arch(arm64)
      return system + "-arm64"
    #else
      return system + "-unknown"
    #endif
  }
}
