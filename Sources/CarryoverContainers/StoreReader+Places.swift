import Carryover
import CarryoverSystem

/// The places in a container where stores are looked for.
extension StoreReader {
  /// Reads every store of a data container.
  /// - Parameter dataFolder: the container's data folder, relative to the root.
  /// - Throws: `ContainerError` if `Library` or `Library/Preferences` exists but cannot be listed. It may contain the
  ///   app's values, so the container would wrongly look empty.
  mutating func readStores(dataFolder: String) throws(ContainerError) {
    self.dataFolder = dataFolder
    let library = PathText.join(dataFolder, "Library")
    let names = try namesNeeded(inFolder: library)
    try readFiles(names, in: library, where: PathText.isStoreName)
    if names.contains("Preferences") {
      let folder = library + "/Preferences"
      try readAll(below: folder, try namesNeeded(inFolder: folder), where: PathText.isPropertyListName)
    }
    try readBeside(names, library: library)
    let documents = PathText.join(dataFolder, "Documents")
    try readAll(below: documents, self.names(inFolder: documents), where: PathText.isStoreName)
  }

  /// Reads every store of an app group. A folder that cannot be listed is only a notice: it has no values of the app
  /// itself.
  /// - Parameter folder: the group's folder, relative to the root.
  mutating func readGroup(_ folder: String) throws(ContainerError) {
    try readFiles(names(inFolder: folder), in: folder, where: PathText.isStoreName)
    let library = folder + "/Library"
    let names = names(inFolder: library)
    try readFiles(names, in: library, where: PathText.isStoreName)
    if names.contains("Preferences") {
      let folder = library + "/Preferences"
      try readAll(below: folder, self.names(inFolder: folder), where: PathText.isPropertyListName)
    }
    try readBeside(names, library: library)
  }

  /// Reads the stores beside the preferences.
  private mutating func readBeside(_ names: [String], library: String) throws(ContainerError) {
    if names.contains("Caches") {
      let folder = library + "/Caches"
      // Files without an extension are what was downloaded.
      try readFiles(self.names(inFolder: folder), in: folder, where: PathText.isPropertyListName, andUnnamed: false)
    }
    if names.contains(Self.supportName) {
      let folder = library + "/" + Self.supportName
      try readAll(below: folder, self.names(inFolder: folder), where: PathText.isStoreName)
    }
  }

  /// Reads the stores among the names in a folder.
  private mutating func readFiles(
    _ names: [String], in folder: String, where isStore: (String) -> Bool, andUnnamed: Bool = true
  ) throws(ContainerError) {
    for name in names {
      if let name = PathText.placeholder(name) {
        placeholders.append(PathText.join(folder, name))
        continue
      }
      let path = PathText.join(folder, name)
      let named = named(path)
      if named.contains(where: \.isSign) { signs.append(path) }
      let said = named.filter { !$0.isSign }
      if isStore(name) || !said.isEmpty {
        try readStore(path, said)
      } else if andUnnamed, PathText.hasNoExtension(name), unnamed.count < limits.others {
        unnamed.append(path)
      }
    }
  }

  /// The names in a folder that must be readable; none if it is missing.
  private func namesNeeded(inFolder path: String) throws(ContainerError) -> [String] {
    let place = onDisk(path)
    do throws(FileSystemError) {
      let kind = try fileSystem.status(place)?.kind
      if kind == nil { return [] }
      // Any other item fails here, with the system's error.
      if kind != .symbolicLink { return try fileSystem.list(place) }
    } catch {
      if case .system(let number) = error.reason, Platform.isDenial(number) {
        throw ContainerError(place, .permissionDenied)
      }
      throw ContainerError(place, .failed(error))
    }
    throw ContainerError(root, .linkedFolder(path))
  }

  /// Reads the stores in a folder and in those below it, level by level, so that deep folders never displace shallow ones.
  /// - Parameter names: the names in the folder.
  private mutating func readAll(
    below folder: String, _ names: [String], where isStore: (String) -> Bool
  ) throws(ContainerError) {
    var folders = [folder]
    var next = 0
    var isCut = false
    while next < folders.count {
      let folder = folders[next]
      let names = next == 0 ? names : self.names(inFolder: folder)
      next += 1
      try readFiles(names, in: folder, where: isStore)
      for name in names where !PathText.isStoreName(name) {
        let inner = folder + "/" + name
        // If the kind is unknown, the listing reports the error.
        guard (try? isFile(inner)) != true else { continue }
        if folders.count <= limits.folders { folders.append(inner) } else { isCut = true }
      }
    }
    if isCut { note(ContainerWording.tooManyFolders(folder, limit: limits.folders)) }
  }

  /// Reads the files without an extension that begin like a property list or JSON. What only begins like JSON, as some
  /// logs do, is no store.
  mutating func readUnnamed() throws(ContainerError) {
    for path in unnamed {
      guard !isFull else { return }
      try observer.report(OpeningProgress(.stores, done: stores.count), at: root)
      guard (try? fileSystem.status(onDisk(path)))?.kind == .regular, let head = try? head(of: path) else { continue }
      switch FileSignature.data(head) {
      case .propertyList: try readStore(path)
      case .json: try readStore(path, isCertain: AsyncStorage.isValue(path))
      case nil where AsyncStorage.isValue(path): try readStore(path)
      case .database, nil: break
      }
    }
  }

  private func isFile(_ path: String) throws(FileSystemError) -> Bool {
    switch try fileSystem.status(onDisk(path))?.kind {
    case .directory, .symbolicLink: false
    case .regular, .other, nil: true
    }
  }

  private static let supportName = "Application Support"
}

/// The files of React Native's AsyncStorage: `manifest.json`, and a file for each long value, named after its key's MD5.
enum AsyncStorage {
  /// Whether a path is that of a value. It is text that is usually, but not always, JSON.
  static func isValue(_ path: String) -> Bool {
    let parts = PathText.components(path)
    guard parts.count > 1, folders.contains(parts[parts.count - 2]), let name = parts.last else { return false }
    return name.utf8.count == 32 && name.utf8.allSatisfy(hexadecimal.contains)
  }

  private static let folders: Set = ["RCTAsyncLocalStorage_V1", "RCTAsyncLocalStorage"]
  private static let hexadecimal = Set("0123456789abcdef".utf8)
}
