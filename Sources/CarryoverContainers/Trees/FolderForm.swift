import Carryover
import CarryoverSystem

enum FolderForm: Hashable {
  /// An Xcode package: its path, and whether its `AppDataInfo.plist` exists.
  case package(root: String, hasInfo: Bool)
  /// An app's data container, or an app group's.
  case dataContainer
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
      if names.contains(Self.infoName) { return .package(root: path, hasInfo: true) }
      if try isDataContainer(PathText.join(path, Self.dataName)) { return .package(root: path, hasInfo: false) }
    }
    if try isDataContainer(path, names) {
      // A package's data folder is opened as the package: the file with the bundle identifier is beside it, and Xcode
      // would upload data for a rollback to a device if it were inside.
      let above = PathText.parent(path)
      if FilePath.name(of: path) == Self.dataName, try kind(above, Self.infoName) == .regular {
        return .package(root: above, hasInfo: true)
      }
      return .dataContainer
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

  /// Whether a folder is the data of a simulated device, which has its own `Library` beside its apps' containers.
  private func isDeviceData(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    guard names.contains(SimulatorLayout.containers) else { return false }
    for folder in SimulatorLayout.folders where try kind(path, folder) == .directory { return true }
    return false
  }

  /// The error for a link in place of a container's folder; nil if there is none.
  private func linked(_ path: String, _ names: Set<String>) throws(FileSystemError) -> ContainerError.Kind? {
    for name in [Self.dataName, Self.libraryName] where names.contains(name) {
      if try kind(path, name) == .symbolicLink { return .linkedFolder(name) }
    }
    let library = PathText.join(Self.dataName, Self.libraryName)
    if names.contains(Self.dataName), try kind(path, library) == .symbolicLink { return .linkedFolder(library) }
    return nil
  }

  /// The path of the container if the folder is its `Library` or `Library/Preferences`.
  private func enclosing(_ path: String) -> String? {
    if FilePath.name(of: path) == Self.libraryName { return PathText.parent(path) }
    let above = PathText.parent(path)
    return FilePath.name(of: above) == Self.libraryName ? PathText.parent(above) : nil
  }

  private func kind(_ folder: String, _ name: String) throws(FileSystemError) -> FileKind? {
    try fileSystem.status(PathText.join(folder, name))?.kind
  }
}

/// The places of a simulated device's containers and app groups.
enum SimulatorLayout {
  static let containers = "Containers"
  /// The folders, relative to the device's data folder.
  static let folders = ["Containers/Data/Application", "Containers/Shared/AppGroup"]
  /// The data folder, relative to the device's folder.
  static let data = "data"
}
