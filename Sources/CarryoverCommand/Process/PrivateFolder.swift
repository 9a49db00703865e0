import CarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder that only this user can read, for a text that another program of the user gets.
struct PrivateFolder {
  let path: String
  private let files = POSIXFileSystem()

  private static let limit = 64 << 20

  init() throws(FileSystemError) {
    let place = Console.variable("TMPDIR") ?? "/tmp"
    var template = FilePath.join(place, "carryover-XXXXXX").utf8CString.map { $0 }
    // Made with the mode 0700.
    guard mkdtemp(&template) != nil else { throw FileSystemError(.makeDirectory, place, .system(errno)) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func write(_ bytes: [UInt8], as name: String) throws(FileSystemError) -> String {
    let file = FilePath.join(path, name)
    let handle = try files.create(file, mode: 0o600)
    do throws(FileSystemError) {
      try files.write(bytes, to: handle)
    } catch {
      try? files.close(handle)
      throw error
    }
    try files.close(handle)
    return file
  }

  func read(_ file: String) throws(FileSystemError) -> [UInt8] { try files.read(file, limit: Self.limit).bytes }

  /// Removes it with its contents, such as copies that an editor made. Follows no link.
  func remove() {
    var pending = [path]
    var emptied: [String] = []
    while let folder = pending.popLast() {
      emptied.append(folder)
      for name in (try? files.list(folder)) ?? [] {
        let inner = FilePath.join(folder, name)
        if (try? files.status(inner))?.kind == .directory { pending.append(inner) } else { try? files.remove(inner) }
      }
    }
    for folder in emptied.reversed() { try? files.removeDirectory(folder) }
  }
}
