/// Open folders to which a file system is confined.
///
/// Each use follows a path from its open folder and through no link. Even if other code replaces a part of the path
/// meanwhile, nothing outside is reached; a renamed folder stays the same folder.
struct HeldFolders: Sendable {
  private var folders: [HeldFolder] = []
  private let walking: Bool

  /// Opens folders by their canonical paths; a folder inside another one needs no descriptor of its own.
  /// - Parameter walking: whether to open component by component even on systems that can do it in one call.
  init(_ paths: [String], walking: Bool) throws(FileSystemError) {
    self.walking = walking
    for path in paths where !folders.contains(where: { FilePath.isWithin(path, $0.path) }) {
      folders.append(try HeldFolder(path, walking: walking))
    }
  }

  /// Calls a closure with the place of a path, relative to the folder that contains its last component.
  /// - Throws: `unsafe` for a path outside the folders, and for one that leads through a link.
  func reach<Result>(
    _ path: String, _ operation: FileSystemError.Operation, _ body: (SystemPlace) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    guard let held = folders.first(where: { FilePath.isWithin(path, $0.path) }),
      let below = FilePath.below(held.path, path)
    else { throw FileSystemError(operation, path, .unsafe(.malformed)) }
    guard !below.isEmpty else { return try body(SystemPlace(".", in: held.descriptor)) }
    let folder = FilePath.folder(of: below)
    guard folder != "." else { return try body(SystemPlace(below, in: held.descriptor)) }
    let parent: Int32
    do {
      parent = try SystemCalls.openFolder(SystemPlace(folder, in: held.descriptor), walking: walking)
    } catch {
      throw FileSystemError(operation, path, error == .tooManyLinks ? .unsafe(.throughLink) : .system(error.number))
    }
    defer { try? SystemCalls.closeFile(parent) }
    return try body(SystemPlace(FilePath.name(of: below), in: parent))
  }
}

/// A folder that is open as long as this object exists.
private final class HeldFolder: Sendable {
  /// Its path when it was opened.
  let path: String
  let descriptor: Int32

  init(_ path: String, walking: Bool) throws(FileSystemError) {
    self.path = path
    guard FilePath.below("/", path) != nil else { throw FileSystemError(.inspect, path, .unsafe(.malformed)) }
    do {
      descriptor = try SystemCalls.openFolder(SystemPlace(path), walking: walking)
    } catch {
      throw FileSystemError(.inspect, path, error == .tooManyLinks ? .unsafe(.throughLink) : .system(error.number))
    }
  }

  deinit { try? SystemCalls.closeFile(descriptor) }
}
