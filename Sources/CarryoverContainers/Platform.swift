import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What this module asks the system for, beside files.
enum Platform {
  /// The path of the working directory; nil when it is gone or cannot be told.
  static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// How many bytes may still be written to the disk that a folder is on; nil where that cannot be told.
  static func freeBytes(_ folder: String) -> Int64? { DiskStatus(of: folder)?.free }

  /// Whether an error number says that access was denied.
  static func isDenial(_ number: Int32) -> Bool { number == EACCES || number == EPERM }

  /// Whether an error number says that nothing stands at a path.
  static func isAbsence(_ number: Int32) -> Bool { number == ENOENT || number == ENOTDIR }

  /// Whether an error number says that something stands at a path already.
  static func isExistence(_ number: Int32) -> Bool { number == EEXIST || number == ENOTEMPTY }

  /// The error number for a path at which nothing stands.
  static let noEntry = ENOENT
  /// The error number for a folder that is none.
  static let noFolder = ENOTDIR
}
