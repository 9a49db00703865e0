import Carryover
import CarryoverSystem

/// The contents a backup has, by the names of their files.
struct BackupPayloads {
  /// By name: whether the list has it too.
  private var isListed: [BackupFileID: Bool] = [:]

  /// Lists the folders in which a backup keeps them. A link in a folder's place is not followed.
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

  /// Whether the backup has the content of a file.
  func has(_ id: BackupFileID) -> Bool { isListed[id] != nil }

  /// Notes that the list has a file.
  mutating func list(_ id: BackupFileID) {
    if isListed[id] != nil { isListed[id] = true }
  }

  /// The names of contents that the list does not have, sorted.
  var orphans: [String] { isListed.filter { !$0.value }.map(\.key.text).sorted(by: PathText.precedes) }
}
