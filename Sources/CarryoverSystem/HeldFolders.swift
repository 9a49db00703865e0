/// Folders that are held open, in which alone something works.
///
/// A path is followed from the held folder on, through no link, each time it is used. Whatever somebody swaps meanwhile,
/// nothing outside is reached; and the folder itself stays the same one under another name.
struct HeldFolders: Sendable {
  private var folders: [HeldFolder] = []
  private let walking: Bool

  /// Opens folders by their one spelling; one that lies in another needs no descriptor of its own.
  /// - Parameter walking: whether to open component by component on systems that can do it in one call, too.
  init(_ paths: [String], walking: Bool) throws(FileSystemError) {
    self.walking = walking
    for path in paths where !folders.contains(where: { FilePath.isWithin(path, $0.path) }) {
      folders.append(try HeldFolder(path, walking: walking))
    }
  }

  /// Hands out the place of a path, as it is from the folder in which its last component stands.
  /// - Throws: `unsafe` for a path in none of the folders, and for one that leads through a link.
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

/// A folder that is open as long as somebody has this.
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
