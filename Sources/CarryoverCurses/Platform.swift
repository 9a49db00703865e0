#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

enum Platform {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static let reportedSignals = [SIGHUP, SIGTERM, SIGQUIT, SIGINT]
  static let interrupt = SIGINT
  static let quit = SIGQUIT
  static let stop = SIGTSTP
  static let resumption = SIGCONT

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Without a name, and not inherited by children; nil if it fails.
  static func temporaryFile() -> Int32? {
    guard let file = tmpfile() else { return nil }
    let descriptor = duplicate(fileno(file))
    fclose(file)
    return descriptor
  }

  static func duplicate(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : copy
  }

  static func redirect(_ target: Int32, to descriptor: Int32) { _ = dup2(descriptor, target) }
  static func release(_ descriptor: Int32) { _ = close(descriptor) }

  static func tail(of descriptor: Int32, limit: Int) -> [UInt8] {
    let end = Int(lseek(descriptor, 0, SEEK_END))
    guard end > 0 else { return [] }
    let count = min(end, limit)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(descriptor, buffer.baseAddress, count, off_t(end - count)))
    }
  }
}
