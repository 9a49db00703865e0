import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls of this module, except those for files.
enum Platform {
  /// The path of the working directory; nil if it was removed or is unknown.
  static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return SystemName.text(path)
  }

  /// The free space on a folder's disk, in bytes; nil if it is unknown.
  static func freeBytes(_ folder: String) -> Int64? { DiskStatus(of: folder)?.free }

  /// Whether an error number means that access was denied.
  static func isDenial(_ number: Int32) -> Bool { number == EACCES || number == EPERM }

  /// Whether an error number means that there is nothing at a path.
  static func isAbsence(_ number: Int32) -> Bool { number == ENOENT || number == ENOTDIR }

  /// Whether an error number means that there is already something at a path.
  static func isExistence(_ number: Int32) -> Bool { number == EEXIST || number == ENOTEMPTY }

  /// The error number for a missing path.
  static let noEntry = ENOENT
  /// The error number for a path that is not a folder.
  static let noFolder = ENOTDIR
}
