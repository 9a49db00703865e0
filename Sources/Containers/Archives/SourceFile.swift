import Carryover

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A regular file on the disk, open for reading. A link in its place is not followed.
final class SourceFile {
  let descriptor: Int32
  let size: Int64

  /// Opens a file.
  init(_ path: String) throws(ContainerError) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ContainerError(path, .notFileOrFolder)
    }
    self.descriptor = descriptor
    size = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  /// The first bytes, up to a number of them; fewer where the file is shorter or cannot be read.
  func head(_ count: Int) -> [UInt8] { bytes(count, at: 0) }

  /// The last bytes, in the same way.
  func tail(_ count: Int) -> [UInt8] { bytes(count, at: max(0, size - Int64(count))) }

  private func bytes(_ count: Int, at start: Int64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), size - start)))
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    return Array(bytes.prefix(max(0, read)))
  }

  private static func error(_ path: String, _ number: Int32) -> ContainerError {
    if Platform.isAbsence(number) { return ContainerError(path, .notFound) }
    if Platform.isDenial(number) { return ContainerError(path, .permissionDenied) }
    if number == ELOOP { return ContainerError(path, .symbolicLink) }
    return ContainerError(path, .failed(FileSystemError(.read, path, .system(number))))
  }
}
