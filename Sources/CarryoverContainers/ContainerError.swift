package import Carryover
package import CarryoverSystem
public import PropertyLists

/// An error in opening a path as a container. Opening changes nothing.
public struct ContainerError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The path that the error is about, on this machine.
  public var path: String
  package var kind: Kind

  package init(_ path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  init(reading error: FileSystemError) {
    switch error.reason {
    case let reason where reason.isDenied: self.init(error.path, .permissionDenied)
    case let reason where reason.isAbsence: self.init(error.path, .notFound)
    case .notRegular(.symbolicLink): self.init(error.path, .symbolicLink)
    case .notRegular(.other): self.init(error.path, .notFileOrFolder)
    default: self.init(error.path, .failed(error))
    }
  }

  static func reading<Result>(
    _ body: @autoclosure () throws(FileSystemError) -> Result
  ) throws(ContainerError) -> Result { try converting(try body(), ContainerError.init(reading:)) }

  package indirect enum Kind: Hashable, Sendable {
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
    /// An archive without containers, but with files that are named like archives: their paths. These are not opened.
    case nestedArchives([String])
    case incompletePackage
    /// The folder is `Library` or is inside it; the path of the container above.
    case partOfContainer(String)
    case holdsContainers([ContainerCandidate], more: Int)
    case noSuchApp(String, [ContainerCandidate])
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

    // The reasons that nothing is extracted.

    case notWrapped
    case occupied
    case insideWrapper
    case collision
    case noRoom(needed: Int64, free: Int64)
    /// The destination could not be checked, before anything was written.
    case unusablePlace(FileSystemError)
    case notWritten(FileSystemError)
    /// Created files could not be removed; the reason for removing them.
    case leftBehind(after: ContainerError)
  }

  /// The problem, its place, and what to do, in one or two sentences. Names in it are escaped.
  package var words: String { sentence(for: .app) }
  package func sentence(for reader: Reader) -> String {
    let sentence = ContainerWording.sentence(self, for: reader)
    return switch kind {
    case .collision, .notWritten: sentence + " The new files were removed again."
    default: sentence
    }
  }
}

package enum BackupForm: Hashable, Sendable {
  /// A backup of iOS 9 or older, with `Manifest.mbdb`.
  case legacy
  /// A backup without this file: its index, or its description, which is needed if the index cannot be read.
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

/// The texts of this module. Names come from untrusted files, so control and formatting characters in them are escaped.
enum ContainerWording {
  static func sentence(_ error: ContainerError, for reader: Reader) -> String {
    let path = quoted(error.path)
    switch error.kind {
    case .invalidPath: return "\(path) is not a path: give the path of a container, a folder or a property list."
    case .notFound: return notFound(error.path)
    case .permissionDenied: return "\(path) cannot be read: permission denied. Change its permissions or copy it."
    case .failed(let failure):
      return "Could not \(failure.operation.rawValue) \(quoted(failure.path)): \(failure.cause)."
    case .symbolicLink: return "\(path) is a symbolic link, which is not followed: give the path it points to."
    case .notFileOrFolder:
      return "\(path) is a device, a pipe or a socket: give a container, a folder or a property list."
    case .emptyFolder: return "\(path) is an empty folder: \(whatToGive)."
    case .notContainer: return "\(path) is not an app's container: \(whatToGive)."
    case .noContainerWithin(let folders):
      return
        "\(path) is not an app's container, and none was found up to \(folders) folders deep: give a folder nearer to it."
    case .nestedArchives(let archives):
      return
        "\(path) contains only archives, and an archive inside another is not opened: extract it, then give \(some(archives))."
    case .incompletePackage:
      return "\(path) has AppDataInfo.plist but no AppData folder: download the container again with Xcode."
    case .partOfContainer(let container):
      return "\(path) is a part of a container: give the container, \(quoted(container)), or one property list."
    case .holdsContainers(let candidates, let more): return choose(path, candidates, more, reader)
    case .noSuchApp(let app, let candidates):
      return "\(path) has no container of \(quoted(app)): choose one of \(list(candidates, 0, named: true))."
    case .severalApps(let app, let candidates):
      return
        "\(path) contains several containers of \(quoted(app)): choose one\(reader.words(" with --container", "")): "
        + "\(list(candidates, 0))."
    case .invalidSelection:
      return "\(path) cannot be a container's path below another: give it as "
        + "\(reader.words("“carryover list” prints it", "a path from there, without “..”"))."
    case .linkedFolder(let name):
      return "\(quoted(name)) in \(path) is a symbolic link, which is not followed: copy the container with its files."
    case .backup(let form): return backup(path, form)
    case .archive(let form):
      return
        "\(path) is \(article(form)) archive inside another, which is not opened: extract it first, then give its path."
    case .refusedArchive(let refusal): return ArchiveWording.sentence(path, refusal)
    case .archiveLibraryMissing: return ArchiveWording.missingLibrary(path)
    case .database: return "\(path) is a SQLite database, not a property list: give the container it belongs to."
    case .tooLarge(let limit):
      return
        "\(path) is larger than \(size(limit)), too large for a property list: if it is an archive, extract it first."
    case .notPropertyList(let error):
      return "\(path) cannot be opened. \(DisplayText.harmless(error.description)) Instead, \(whatToGive)."
    case .precededArchive:
      return
        "\(path) ends like a zip archive but does not begin like one: something may precede it. Extract it, then "
        + "give the folder, or ask for the file again."
    case .corruptPropertyList(let error):
      return "\(path) is a damaged property list. \(DisplayText.harmless(error.description)) Ask for the file again."
    case .placeholder(let name):
      return "\(path) is iCloud's placeholder for \(quoted(name)), which is not on this disk: download the file first."
    case .androidData:
      return "\(path) is the data of an Android app. Carryover reads the containers of iOS apps: ask for one."
    case .cancelled: return "Opening \(path) was cancelled; nothing was changed."
    case .invalidBundleID(let text):
      return
        "\(quoted(text)) cannot be a bundle identifier: use letters, digits, hyphens and dots, as in com.acme.shop."
    case .notWrapped: return "\(path) is not in an archive or a backup: copy it, and work on the copy."
    case .occupied: return "\(path) already exists: give a folder that does not exist yet. Nothing was written."
    case .insideWrapper:
      return "\(path) is inside the archive or backup: give a folder elsewhere. Nothing was written."
    case .collision:
      return "Another file of the container has the name \(path) on this disk, which ignores case or "
        + "accents in names: give a folder on one that does not."
    case .noRoom(let needed, let free):
      return "The files take \(size(Int(clamping: needed))), and \(size(Int(clamping: free))) are free on the disk of "
        + "\(path): free some space, or give a folder on another disk. Nothing was written."
    case .unusablePlace(let error): return "\(error.description) Nothing was written."
    case .notWritten(let error): return error.description
    case .leftBehind(let cause):
      return "\(sentence(cause, for: reader)) The new files could not be removed: remove \(path) yourself."
    }
  }

  // The reasons that a store cannot be read. What displays a store escapes them.

  static func unreadable(_ path: String, _ error: FileSystemError) -> String {
    switch error.reason {
    case .tooLarge(let limit): "\(named(path)) is larger than \(size(limit)) and was not read."
    case .notRegular(let kind): unreadable(path, kind)
    default: "\(named(path)) could not be read: \(error.cause)."
    }
  }

  static func unreadable(_ path: String, _ error: some Described & Error) -> String {
    "\(named(path)) could not be read. \(DisplayText.named(error.description))"
  }

  static func unreadable(_ path: String, _ error: DatabaseImage.Failure) -> String {
    switch error {
    case .unreadable(let error): unreadable(path, error)
    case .notDatabase: "\(named(path)) is not a SQLite database: it is damaged or encrypted."
    case .unfinished: "\(named(path)) has a rollback journal beside it: a change was interrupted. It was not read."
    case .logNotUsable: "\(named(path)) was not read: the write-ahead log beside it does not belong to it."
    }
  }

  static func damagedDatabase(_ path: String) -> String { "\(named(path)) is damaged: its tables cannot be listed." }

  static func unreadable(_ path: String, _ kind: FileKind) -> String {
    switch kind {
    case .symbolicLink: "\(named(path)) is a symbolic link, which is not followed."
    case .directory: "\(named(path)) is a folder, not a file."
    case .regular, .other: "\(named(path)) is not a regular file and was not read."
    }
  }

  static func tooManyFolders(_ path: String, limit: Int) -> String {
    "\(quoted(path)) has more than \(limit) folders: the others were not searched."
  }

  static func refusedBundleID(_ text: String, in path: String, instead: BundleIDFinder.Answer?) -> String {
    let refusal = "\(quoted(path)) names \(quoted(text)) as the bundle identifier, which cannot be one"
    guard let instead else { return "\(refusal), and nothing else in the container has one: give the app's bundle id." }
    return "\(refusal): \(quoted(instead.bundleID)) is used instead, \(origin(instead.origin))."
  }

  private static let whatToGive =
    "give an .xcappdata package, a folder with an app's Library in it, one property list, a device backup, or an archive "
    + "of these"

  /// Bytes that are not UTF-8 have become U+FFFD in text, which does not name the same file.
  private static func notFound(_ path: String) -> String {
    path.unicodeScalars.contains("\u{FFFD}")
      ? "There is nothing at \(quoted(path)): the path may contain bytes that are not UTF-8. Rename it, then open it again."
      : "There is nothing at \(quoted(path)): check the path."
  }

  static func origin(_ origin: BundleIDOrigin) -> String {
    switch origin {
    case .option: "as it was given"
    case .appDataInfo: "from the package's description"
    case .containerMetadata: "from the container's metadata"
    case .savedState: "from the names of the app's snapshots or saved state"
    case .suite: "from the name of the new SDK's file"
    case .singleCandidate: "from the name of the only preferences file it can be"
    }
  }

  private static func choose(_ path: String, _ candidates: [ContainerCandidate], _ more: Int, _ reader: Reader)
    -> String
  {
    let list = list(candidates, more)
    return candidates.count + more == 1
      ? "\(path) is not a container but contains one: give its path, or "
        + "\(reader.words("choose it with --container", "select")) \(list)."
      : "\(path) contains several containers: choose one\(reader.words(" with --container or --app", "")): \(list)."
        + reader.words(" “carryover list” shows them all.", "")
  }

  private static func list(_ candidates: [ContainerCandidate], _ more: Int, named: Bool = false) -> String {
    let shown = candidates.prefix(10).map { candidate in
      let app = candidate.bundleID.map { " (\(DisplayText.harmless($0)))" } ?? ""
      if candidate.path.isEmpty { return candidate.bundleID.map(quoted) ?? "one of an unknown app" }
      return quoted(candidate.path) + (named && candidate.bundleID != candidate.path ? app : "")
    }
    let rest = candidates.count - shown.count + more
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  static func some(_ paths: [String]) -> String {
    let rest = paths.count - 5
    return paths.prefix(5).map(named).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func article(_ form: ArchiveForm) -> String { (form == .xz ? "an " : "a ") + form.rawValue }

  static func size(_ bytes: Int) -> String { bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes" }

  static func named(_ path: String) -> String { "“\(DisplayText.named(shortened(path)))”" }

  static func quoted(_ text: String) -> String { DisplayText.quoted(shortened(text)) }

  private static func shortened(_ text: String) -> String {
    let limit = 1_000
    let scalars = text.unicodeScalars
    return scalars.count > limit ? String(String.UnicodeScalarView(scalars.prefix(limit))) + "…" : text
  }

  static func backup(_ path: String, _ form: BackupForm) -> String {
    switch form {
    case .legacy:
      "\(path) is a device backup of iOS 9 or older, which is not supported: ask for the app's container, downloaded "
        + "with Xcode."
    case .incomplete(let missing):
      "\(path) is a device backup without its \(missing), which cannot be opened: ask for the whole folder, or make the "
        + "backup again."
    case .encrypted:
      "\(path) is an encrypted device backup, which cannot be opened: ask for a "
        + "backup made with encryption turned off, or for the app's container, downloaded with Xcode."
    case .notDatabase:
      "\(path) is a device backup whose Manifest.db is not a SQLite database: it is damaged or encrypted. Ask for an "
        + "unencrypted backup, or for the app's container, downloaded with Xcode."
    case .damaged:
      "\(path) is a device backup whose list of files, Manifest.db, is damaged: ask for the folder again, or make the "
        + "backup again."
    case .unfinished:
      "\(path) is a device backup that was interrupted while its list of files, Manifest.db, was being written: make the "
        + "backup again, or copy it when it is done."
    case .tooLarge:
      "\(path) is a device backup with more files than are read: ask for the app's container, downloaded with Xcode."
    case .lacking(let bundleID):
      "\(path) is a device backup without the app \(quoted(bundleID)): check the bundle identifier, or make the backup "
        + "on the device that has the app."
    }
  }

  /// The notice about a backup whose list of files can be read, whatever its description says.
  static func readAsUnencrypted(_ description: BackupManifest.Description) -> String? {
    switch description {
    case .unencrypted: nil
    case .encrypted:
      "Manifest.plist says that the backup is encrypted, but its list of files is not: it was read as decrypted. A file "
        + "that is still encrypted counts as damaged."
    case .missing: "The backup has no Manifest.plist: it was read as unencrypted, because its list of files is."
    case .damaged: "The backup's Manifest.plist is damaged: it was read as unencrypted, because its list of files is."
    }
  }
}
