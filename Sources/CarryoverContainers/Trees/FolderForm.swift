import Carryover
import CarryoverSystem

/// What a folder is, by what lies in it.
enum FolderForm: Hashable {
  /// A package from Xcode: where it is, and whether its `AppDataInfo.plist` is there.
  case package(root: String, hasInfo: Bool)
  /// An app's data container, or an app group's.
  case dataContainer
  /// A device backup.
  case backup
  /// Something that cannot be opened, a folder that may hold containers (`notContainer`) among them.
  case refused(ContainerError.Kind)
}

/// Tells what a folder is. The folder's own name is not asked, since people rename what they send.
struct FolderRecognition {
  let fileSystem: any FileSystem

  static let infoName = "AppDataInfo.plist"
  static let dataName = "AppData"
  static let libraryName = "Library"
  static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

  /// The form of the folder at a path.
  func recognise(_ path: String) throws(FileSystemError) -> FolderForm {
    let names = Set(try fileSystem.list(path))
    if names.isEmpty { return .refused(.emptyFolder) }
    if let form = try container(path, names) { return form }
    if let kind = try linked(path, names) { return .refused(kind) }
    if names.contains(Self.infoName) { return .refused(.incompletePackage) }
    if let above = enclosing(path) { return .refused(.partOfContainer(above)) }
    return .refused(.notContainer)
  }

  /// A container or backup that the folder itself is.
  func container(_ path: String, _ names: Set<String>) throws(FileSystemError) -> FolderForm? {
    if names.contains(Self.dataName), try kind(path, Self.dataName) == .directory {
      if names.contains(Self.infoName) { return .package(root: path, hasInfo: true) }
      if try isDataContainer(PathText.join(path, Self.dataName)) { return .package(root: path, hasInfo: false) }
    }
    if try isDataContainer(path, names) {
      // The data folder of a package is opened as the package: the bundle identifier stands beside it, and what is kept
      // for a rollback must not lie where Xcode would upload it to a device.
      let above = PathText.parent(path)
      if PathText.lastComponent(path) == Self.dataName, try kind(above, Self.infoName) == .regular {
        return .package(root: above, hasInfo: true)
      }
      return .dataContainer
    }
    if names.contains("Manifest.mbdb") { return .refused(.backup(.legacy)) }
    if names.contains("Manifest.db") { return .backup }
    if names.contains("Manifest.plist"), names.contains("Info.plist") || names.contains("Status.plist") {
      return .refused(.backup(.incomplete))
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
    // A container of which nothing but its description is left; a link in the place of `Library` is another matter.
    if names.contains(Self.libraryName) || !names.contains(Self.metadataName) { return false }
    return try kind(path, Self.metadataName) == .regular
  }

  /// Whether a folder is the data of a simulated device, which has a `Library` of its own beside its apps' containers.
  private func isDeviceData(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    guard names.contains(SimulatorLayout.containers) else { return false }
    for folder in SimulatorLayout.folders where try kind(path, folder) == .directory { return true }
    return false
  }

  /// A link where a container has a folder.
  private func linked(_ path: String, _ names: Set<String>) throws(FileSystemError) -> ContainerError.Kind? {
    for name in [Self.dataName, Self.libraryName] where names.contains(name) {
      if try kind(path, name) == .symbolicLink { return .linkedFolder(name) }
    }
    let library = PathText.join(Self.dataName, Self.libraryName)
    if names.contains(Self.dataName), try kind(path, library) == .symbolicLink { return .linkedFolder(library) }
    return nil
  }

  /// The container above, where the folder is its `Library` or `Library/Preferences`.
  private func enclosing(_ path: String) -> String? {
    if PathText.lastComponent(path) == Self.libraryName { return PathText.parent(path) }
    let above = PathText.parent(path)
    return PathText.lastComponent(above) == Self.libraryName ? PathText.parent(above) : nil
  }

  private func kind(_ folder: String, _ name: String) throws(FileSystemError) -> FileKind? {
    try fileSystem.status(PathText.join(folder, name))?.kind
  }
}

/// Where a simulated device keeps its apps' containers and its app groups.
enum SimulatorLayout {
  static let containers = "Containers"
  /// Relative to the device's data folder.
  static let folders = ["Containers/Data/Application", "Containers/Shared/AppGroup"]
  /// The device's data folder, relative to its own.
  static let data = "data"
}
