import Carryover
import CarryoverSystem

enum FolderForm: Hashable {
  /// An Xcode package, or an app's or an app group's data container.
  case container(FolderContainer)
  case backup
  /// A folder that cannot be opened, including one that may contain containers (`notContainer`).
  case refused(ContainerError.Kind)
}

/// Determines the kind of a folder. The folder's own name does not count, because people rename the folders they send.
struct FolderRecognition {
  let fileSystem: any FileSystem

  static let infoName = "AppDataInfo.plist"
  static let dataName = "AppData"
  static let libraryName = "Library"
  static let androidName = "shared_prefs"
  static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

  func recognise(_ path: String) throws(FileSystemError) -> FolderForm {
    let names = Set(try fileSystem.list(path))
    if names.isEmpty { return .refused(.emptyFolder) }
    if let form = try container(path, names) { return form }
    if let kind = try linked(path, names) { return .refused(kind) }
    if names.contains(Self.infoName) { return .refused(.incompletePackage) }
    if names.contains(Self.androidName) { return .refused(.androidData) }
    if let above = enclosing(path) { return .refused(.partOfContainer(above)) }
    return .refused(.notContainer)
  }

  /// The container or backup that the folder itself is; nil if it is neither.
  func container(_ path: String, _ names: Set<String>) throws(FileSystemError) -> FolderForm? {
    if names.contains(Self.dataName), try kind(path, Self.dataName) == .directory {
      let hasInfo = names.contains(Self.infoName)
      let isPackage = try hasInfo ? true : isDataContainer(PathText.join(path, Self.dataName))
      if isPackage {
        return .container(FolderContainer(kind: .xcappdata, root: path, hasInfo: hasInfo))
      }
    }
    if try isDataContainer(path, names) {
      // A package's data folder is opened as the package: the file with the bundle identifier is beside it, and Xcode
      // would upload data for a rollback to a device if it were inside.
      let above = PathText.parent(path)
      if FilePath.name(of: path) == Self.dataName, try kind(above, Self.infoName) == .regular {
        return .container(FolderContainer(kind: .xcappdata, root: above, hasInfo: true))
      }
      return .container(FolderContainer(kind: .folder, root: path))
    }
    if names.contains("Manifest.mbdb") { return .refused(.backup(.legacy)) }
    if names.contains("Manifest.db") { return .backup }
    if names.contains("Manifest.plist"), names.contains("Info.plist") || names.contains("Status.plist") {
      return .refused(.backup(.incomplete("Manifest.db")))
    }
    return nil
  }

  private func isDataContainer(_ path: String) throws(FileSystemError) -> Bool {
    try isDataContainer(path, Set(try fileSystem.list(path)))
  }

  private func isDataContainer(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    if names.contains(Self.libraryName), try kind(path, Self.libraryName) == .directory {
      return try !isDeviceData(path, names)
    }
    // Only the container's description is left; a link in place of `Library` is a different case.
    if names.contains(Self.libraryName) || !names.contains(Self.metadataName) { return false }
    return try kind(path, Self.metadataName) == .regular
  }

  private func isDeviceData(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    guard names.contains(SimulatorLayout.containers) else { return false }
    for folder in SimulatorLayout.folders where try kind(path, folder) == .directory { return true }
    return false
  }

  private func linked(_ path: String, _ names: Set<String>) throws(FileSystemError) -> ContainerError.Kind? {
    for name in [Self.dataName, Self.libraryName] where names.contains(name) {
      if try kind(path, name) == .symbolicLink { return .linkedFolder(name) }
    }
    let library = PathText.join(Self.dataName, Self.libraryName)
    if names.contains(Self.dataName), try kind(path, library) == .symbolicLink { return .linkedFolder(library) }
    return nil
  }

  private func enclosing(_ path: String) -> String? {
    if FilePath.name(of: path) == Self.libraryName { return PathText.parent(path) }
    let above = PathText.parent(path)
    return FilePath.name(of: above) == Self.libraryName ? PathText.parent(above) : nil
  }

  private func kind(_ folder: String, _ name: String) throws(FileSystemError) -> FileKind? {
    try fileSystem.status(PathText.join(folder, name))?.kind
  }
}

enum SimulatorLayout {
  static let containers = "Containers"
  static let folders = ["Containers/Data/Application", "Containers/Shared/AppGroup"]
  static let data = "data"
}

enum FileSignature: Hashable {
  case archive(ArchiveForm)
  case database

  init?(_ bytes: [UInt8]) {
    if Self.zipMarks.contains(where: bytes.starts(with:)) {
      self = .archive(.zip)
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .archive(.gzip)
    } else if bytes.starts(with: "BZh".utf8) {
      self = .archive(.bzip2)
    } else if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
      self = .archive(.xz)
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .archive(.zstd)
    } else if bytes.starts(with: "SQLite format 3\0".utf8) {
      self = .database
    } else if bytes.dropFirst(Self.tarMarkOffset).starts(with: "ustar".utf8), !Self.isPropertyList(bytes) {
      self = .archive(.tar)
    } else {
      return nil
    }
  }

  /// Whether a file begins like a property list. Any bytes may follow.
  static func isPropertyList(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    return bytes.first { !spaces.contains($0) } == UInt8(ascii: "<")
  }

  /// The kind of data that a file begins like; nil if it does not look like data. Any bytes may follow.
  static func data(_ bytes: [UInt8]) -> UnreadFiles.Form? {
    if FileSignature(bytes) == .database { return .database }
    if bytes.starts(with: "bplist".utf8) || root(ofXML: bytes) == "plist" { return .propertyList }
    let text = bytes.drop(while: spaces.contains)
    let next = text.dropFirst().first { !spaces.contains($0) }
    // The first line of a log may begin with a bracket.
    switch (text.first, next) {
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")?), (UInt8(ascii: "{"), UInt8(ascii: "}")?): return .json
    case (UInt8(ascii: "["), let next?) where #"[]{""#.utf8.contains(next): return .json
    default: return nil
    }
  }

  /// Whether a file begins like a preferences file of Android: XML whose root is `map`.
  static func isAndroidPreferences(_ bytes: [UInt8]) -> Bool { root(ofXML: bytes) == "map" }

  private static func root(ofXML bytes: [UInt8]) -> String? {
    var rest = bytes.prefix(length).drop(while: spaces.contains)
    while rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
      rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst().drop(while: spaces.contains)
    }
    guard rest.first == UInt8(ascii: "<") else { return nil }
    return String(decoding: rest.dropFirst().prefix { !endsOfName.contains($0) }, as: UTF8.self)
  }

  private static let endsOfName = Set(" \t\r\n/>".utf8)
  /// White space, and the bytes of a byte order mark.
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  private static let zipMarks: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x50, 0x4B, 0x07, 0x08],
  ]
  private static let tarMarkOffset = 257

  /// The number of bytes that identify the format.
  static let length = tarMarkOffset + 5
}
