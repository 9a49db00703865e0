package import Carryover
package import CarryoverSystem
package import PropertyLists

/// Why a path could not be opened as a container. Nothing was changed.
public struct ContainerError: Error, Hashable, Sendable {
  /// The path the error is about, on this machine.
  public var path: String
  /// What happened.
  package var kind: Kind

  /// An error from its parts.
  package init(_ path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// What happened, as data.
  package enum Kind: Hashable, Sendable {
    /// The path is empty or holds a NUL character.
    case invalidPath
    /// Nothing stands at the path.
    case notFound
    /// The system denied access.
    case permissionDenied
    /// The system failed otherwise.
    case failed(FileSystemError)
    /// A symbolic link, which is not followed.
    case symbolicLink
    /// A device, a pipe or a socket.
    case notFileOrFolder
    /// A folder with nothing in it.
    case emptyFolder
    /// A folder that is no container and holds none.
    case notContainer
    /// A folder that is no container and in which none was found as far down as was searched, though it goes deeper: how
    /// many folders deep that is.
    case noContainerWithin(folders: Int)
    /// A folder that holds no container but files with an archive's name, by path: they are opened by themselves.
    case holdsArchives([String])
    /// An archive that holds no container but files with an archive's name, by path: they are not opened.
    case nestedArchives([String])
    /// A folder with `AppDataInfo.plist` and no `AppData`.
    case incompletePackage
    /// The folder is `Library`, or a part of it: the container is above.
    case partOfContainer(String)
    /// What stands there is no container but holds some: those to choose from, and how many more there are.
    case holdsContainers([ContainerCandidate], more: Int)
    /// None of the containers is the app's that was asked for: its bundle identifier, and the containers.
    case noSuchApp(String, [ContainerCandidate])
    /// Several containers are the app's that was asked for: its bundle identifier, and they.
    case severalApps(String, [ContainerCandidate])
    /// What chooses a container is no path below another.
    case invalidSelection
    /// The folder whose place in a container is taken by a symbolic link: its path in the container.
    case linkedFolder(String)
    /// A device backup.
    case backup(BackupForm)
    /// An archive inside another.
    case archive(ArchiveForm)
    /// An archive that is damaged, or has something in it that could do harm.
    case refusedArchive(ArchiveRefusal)
    /// An archive, on a machine without the library that opens them.
    case archiveLibraryMissing
    /// A SQLite database.
    case database
    /// The file is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The file is neither a property list nor anything else known here.
    case notPropertyList(PropertyListError)
    /// The file ends like a zip archive and does not begin like one.
    case precededArchive
    /// The file is a property list, and damaged.
    case corruptPropertyList(PropertyListError)
    /// The work was ended from outside.
    case cancelled
    /// The bundle identifier that was given cannot be one.
    case invalidBundleID(String)
  }
}

/// Device backups by what stands in the way of opening them.
package enum BackupForm: Hashable, Sendable {
  /// One of iOS 10 or newer, with `Manifest.db`.
  case database
  /// One of iOS 9 or older, with `Manifest.mbdb`.
  case legacy
  /// One without its file index, or without the description of it.
  case incomplete
  /// One whose files are encrypted.
  case encrypted
  /// One whose file index is no SQLite database.
  case notDatabase
  /// One whose file index is damaged, or has not the table it should have.
  case damaged
  /// One whose file index was being changed when it was copied.
  case unfinished
  /// One with more files than are read.
  case tooLarge
  /// One that does not have an app: its bundle identifier.
  case lacking(String)
}

/// The forms of archives.
package enum ArchiveForm: String, Hashable, Sendable {
  case zip, gzip, tar, bzip2, xz, zstd
}
