package import Carryover
package import CarryoverSystem
import PropertyLists

/// A container with the file system that it was read through.
///
/// Only this file system has the files of a container in an archive or a backup, including its earlier runs. Use it to
/// read more of the container.
package struct OpenedContainer: Sendable {
  /// The container.
  package var container: Container
  /// The file system with the container's files.
  package var fileSystem: any FileSystem
  /// The place of the container.
  let place: Place
}

/// The containers at a path.
package struct ContainerListing: Sendable {
  /// The containers to choose from, by path and Apple's last. If the path itself is a container, only that one, with an empty path.
  package var candidates: [ContainerCandidate]
  /// The number of containers that are not listed.
  package var more: Int
  /// Notices about skipped data, each as a sentence.
  package var notices: [String]
  /// The archive or backup with the containers; nil if they are directly on the disk.
  package var wrapper: ContainerWrapper?
}

extension OpenedContainer {
  /// Counts the files of the container that are not stores, and looks at the first bytes of each.
  ///
  /// No link is followed, and nothing but regular files is opened. A single property list has no other files: those
  /// beside it may belong to anyone.
  /// - Throws: `cancelled` if the observer cancels the work.
  package mutating func countUnread(
    limits: ContainerLimits = ContainerLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) {
    guard container.kind != .propertyList else { return }
    var survey = UnreadSurvey(container, fileSystem)
    container.unread = try survey.run(limit: limits.others, observer)
  }
}

/// Goes through the files of a container, folder by folder.
private struct UnreadSurvey {
  private let root: String
  private let fileSystem: any FileSystem
  /// The paths of what was read, or means something by its existence.
  private var known: Set<StringByBytes>
  /// The state folder on this machine.
  private let state: String
  private var result = UnreadFiles()

  init(_ container: Container, _ fileSystem: any FileSystem) {
    (root, self.fileSystem, state) = (container.root, fileSystem, container.stateDirectory)
    known = Set(bytesOf: container.stores.map(\.path) + container.signs)
    for store in container.stores { known.formUnion(store.companions.map { StringByBytes($0.store) }) }
    for path in container.unsentEvents.map(\.path) {
      known.formUnion(["", "-wal", "-shm", "-journal"].map { StringByBytes(path + $0) })
    }
    for folder in ["", container.dataFolder] {
      known.insert(StringByBytes(PathText.join(folder, FolderRecognition.metadataName)))
    }
    known.insert(StringByBytes(FolderRecognition.infoName))
  }

  mutating func run(limit: Int, _ observer: OpeningObserver) throws(ContainerError) -> UnreadFiles {
    var folders = [""]
    var next = 0
    var looked = 0
    while next < folders.count {
      let folder = folders[next]
      next += 1
      for name in (try? fileSystem.list(PathText.join(root, folder))) ?? [] where !Self.isSystems(name) {
        looked += 1
        guard looked <= limit else {
          result.isCut = true
          return sorted
        }
        if looked % 100 == 0 { try observer.report(OpeningProgress(.stores, done: looked), at: root) }
        let path = PathText.join(folder, name)
        let place = PathText.join(root, path)
        switch (try? fileSystem.status(place))?.kind {
        case .directory: if place != state, path != ContainerReading.stateName { folders.append(path) }
        case .regular: if !known.contains(StringByBytes(path)) { look(at: path, place) }
        case .symbolicLink, .other, nil: break
        }
      }
    }
    return sorted
  }

  private mutating func look(at path: String, _ place: String) {
    result.count += 1
    guard let head = try? fileSystem.read(place, from: 0, count: FileSignature.length) else {
      result.unknown += 1
      return
    }
    if let form = FileSignature.data(head) { result.data.append(UnreadFiles.DataFile(path: path, form: form)) }
  }

  private var sorted: UnreadFiles {
    var sorted = result
    sorted.data.sort { PathText.precedes($0.path, $1.path) }
    return sorted
  }

  /// Whether a file belongs to the file system rather than to the app: what macOS leaves, and placeholders of iCloud.
  private static func isSystems(_ name: String) -> Bool {
    name == ".DS_Store" || name.hasPrefix("._") || PathText.placeholder(name) != nil
  }
}
