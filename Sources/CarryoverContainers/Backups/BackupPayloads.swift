import Carryover
import CarryoverSystem

/// The content files of a backup, by name.
struct BackupPayloads {
  /// By name: whether the list has the file too.
  private var isListed: [BackupFileID: Bool] = [:]

  /// Lists the folders with the content files. A link in place of a folder is not followed.
  init(root: String, fileSystem: any FileSystem, observer: OpeningObserver) throws(ContainerError) {
    for number in 0..<256 {
      try observer.report(OpeningProgress(.backup, done: 0), at: root)
      let name = (number < 16 ? "0" : "") + String(number, radix: 16)
      let folder = PathText.join(root, name)
      do throws(FileSystemError) {
        guard try fileSystem.status(folder)?.kind == .directory else { continue }
        for file in try fileSystem.list(folder) where file.utf8.starts(with: name.utf8) {
          if let id = BackupFileID(file.utf8) { isListed[id] = false }
        }
      } catch {
        throw ContainerError(reading: folder, error)
      }
    }
  }

  /// Whether the backup has the content of this file.
  func has(_ id: BackupFileID) -> Bool { isListed[id] != nil }

  /// Marks a file as listed.
  mutating func list(_ id: BackupFileID) {
    if isListed[id] != nil { isListed[id] = true }
  }

  /// The names of contents that are not in the list, sorted.
  var orphans: [String] { isListed.filter { !$0.value }.map(\.key.text).sorted(by: PathText.precedes) }
}
