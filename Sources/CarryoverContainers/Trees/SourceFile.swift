import Carryover
import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

enum Platform {
  /// The path of the working directory; nil if it was removed or is unknown.
  static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return SystemName.text(path)
  }

  static func freeBytes(_ folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(SystemName.bytes(folder), &status) == 0 else { return nil }
    let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: free)
  }
}

/// A regular file on the disk, open for reading. Opening a symbolic link fails.
final class SourceFile {
  let descriptor: Int32
  let version: Version
  var size: Int64 { version.size }

  struct Version: Equatable {
    fileprivate var device: UInt64
    fileprivate var inode: UInt64
    fileprivate var size: Int64
    fileprivate var changed: [Int64]

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int64(truncatingIfNeeded: status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      changed = [Int64(truncatingIfNeeded: time.tv_sec), Int64(truncatingIfNeeded: time.tv_nsec)]
    }
  }

  init(_ path: String) throws(ContainerError) {
    let descriptor = open(SystemName.bytes(path), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      if number == ELOOP { throw ContainerError(path, .symbolicLink) }
      throw ContainerError(reading: FileSystemError(.read, path, .system(number)))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ContainerError(path, .notFileOrFolder)
    }
    self.descriptor = descriptor
    version = Version(status)
  }

  deinit { close(descriptor) }

  var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Version(status) == version
  }

  func head(_ count: Int) -> [UInt8] { bytes(count, at: 0) }

  func tail(_ count: Int) -> [UInt8] { bytes(count, at: max(0, size - Int64(count))) }

  private func bytes(_ count: Int, at start: Int64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), size - start)))
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    return Array(bytes.prefix(max(0, read)))
  }
}
