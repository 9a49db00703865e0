package import Carryover
package import CarryoverSystem
package import PropertyLists

/// An error in opening a path as a container. Opening changes nothing.
public struct ContainerError: Error, Hashable, Sendable {
  /// The path that the error is about, on this machine.
  public var path: String
  package var kind: Kind

  package init(_ path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  package enum Kind: Hashable, Sendable {
    case invalidPath
    case notFound
    case permissionDenied
    case failed(FileSystemError)
    case symbolicLink
    case notFileOrFolder
    case emptyFolder
    case notContainer
    /// A folder in which no container was found within this number of levels, although it is deeper.
    case noContainerWithin(folders: Int)
    /// A folder without containers, but with files that are named like archives: their paths. Each can be opened by
    /// itself.
    case holdsArchives([String])
    /// An archive without containers, but with files that are named like archives: their paths. These are not opened.
    case nestedArchives([String])
    case incompletePackage
    /// The folder is `Library` or is inside it; the path of the container above.
    case partOfContainer(String)
    /// The path is not a container but contains several: the ones to choose from, and the number of the others.
    case holdsContainers([ContainerCandidate], more: Int)
    /// No container belongs to the requested app: its bundle identifier, and the containers.
    case noSuchApp(String, [ContainerCandidate])
    /// Several containers belong to the requested app: its bundle identifier, and these containers.
    case severalApps(String, [ContainerCandidate])
    case invalidSelection
    /// A symbolic link replaces a folder of the container: the folder's path in the container.
    case linkedFolder(String)
    case backup(BackupForm)
    case archive(ArchiveForm)
    case refusedArchive(ArchiveRefusal)
    case archiveLibraryMissing
    case database
    case tooLarge(limit: Int)
    case notPropertyList(PropertyListError)
    case precededArchive
    case corruptPropertyList(PropertyListError)
    /// iCloud's placeholder for a file that is not on this disk: the file's name.
    case placeholder(String)
    case androidData
    case cancelled
    case invalidBundleID(String)
  }
}

package enum BackupForm: Hashable, Sendable {
  /// A backup of iOS 10 or newer, with `Manifest.db`.
  case database
  /// A backup of iOS 9 or older, with `Manifest.mbdb`.
  case legacy
  /// A backup without its file index, or without the property list that describes it although its file index cannot be
  /// read: the missing file's name.
  case incomplete(String)
  case encrypted
  case notDatabase
  case damaged
  /// A backup whose file index was being changed when the backup was copied.
  case unfinished
  case tooLarge
  case lacking(String)
}

package enum ArchiveForm: String, Hashable, Sendable {
  case zip, gzip, tar, bzip2, xz, zstd
}

extension ContainerError {
  init(reading path: String, _ error: FileSystemError) {
    switch error.reason {
    case .system(let number) where Platform.isDenial(number): self.init(path, .permissionDenied)
    case .system(let number) where Platform.isAbsence(number): self.init(path, .notFound)
    case .notRegular(.symbolicLink): self.init(path, .symbolicLink)
    case .notRegular(.other): self.init(path, .notFileOrFolder)
    default: self.init(path, .failed(error))
    }
  }
}
