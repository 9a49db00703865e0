import CarryoverSystem

enum Version {
  /// Also in run records.
  static let text = "0.1.0"

  /// What `make release` passes to the compiler.
  struct Build {
    var commit: String?
    var date: String?
    var compiler: String?
  }

  static var build: Build {
    get { saidBuild.withLock { $0 } }
    set { saidBuild.withLock { $0 = newValue } }
  }

  private static let saidBuild = Locked(Build())

  /// As in the names of archives.
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
