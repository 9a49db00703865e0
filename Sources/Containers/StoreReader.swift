import Carryover
import PropertyLists

/// Reads the stores of one container, within the limits, and keeps those that cannot be read with the reason.
struct StoreReader {
  let fileSystem: any FileSystem
  /// The container's root on this machine.
  let root: String
  let limits: ContainerLimits
  private(set) var stores: [Store] = []
  private(set) var notices: [String] = []
  private var bytesLeft: Int
  private var isFull = false

  init(fileSystem: any FileSystem, root: String, limits: ContainerLimits) {
    self.fileSystem = fileSystem
    self.root = root
    self.limits = limits
    bytesLeft = limits.totalBytes
  }

  /// Reads every store of a data container.
  /// - Parameter dataFolder: the container's data folder, relative to the root.
  mutating func readStores(dataFolder: String) {
    let library = PathText.join(dataFolder, "Library")
    let names = names(inFolder: library)
    readPropertyLists(names, in: library)
    for name in ["Preferences", "Caches"] where names.contains(name) {
      let folder = library + "/" + name
      readPropertyLists(self.names(inFolder: folder), in: folder)
    }
    if names.contains(Self.supportName) { readSupport(library + "/" + Self.supportName) }
  }

  /// Reads the property lists among the names of a folder.
  mutating func readPropertyLists(_ names: [String], in folder: String) {
    for name in names where PathText.isPropertyListName(name) { readStore(PathText.join(folder, name)) }
  }

  /// Reads one store; a folder of that name is none.
  mutating func readStore(_ path: String) {
    guard !isFull else { return }
    let content: StoreContent
    do {
      guard let status = try fileSystem.status(onDisk(path)) else {
        return add(path, .unreadable(ContainerWording.vanished(path)))
      }
      switch status.kind {
      case .directory: return
      case .regular: content = try self.content(path, size: status.size)
      case .symbolicLink, .other: content = .unreadable(ContainerWording.unreadable(path, status.kind))
      }
    } catch {
      content = .unreadable(ContainerWording.unreadable(path, error))
    }
    add(path, content)
  }

  /// Adds a store that was read already.
  mutating func add(_ path: String, _ content: StoreContent) {
    guard stores.count < limits.stores else {
      isFull = true
      notices.append(ContainerWording.tooManyStores(limit: limits.stores))
      return
    }
    stores.append(Store(path: path, content: content))
  }

  /// Notes something that was left out or not believed.
  mutating func note(_ sentence: String) { notices.append(sentence) }

  /// The text under a key of a small property list that describes the container; nil where it has none.
  mutating func text(_ key: String, inFile path: String) -> String? {
    switch describing(path) {
    case .document(let document):
      if case .string(let text) = document.dictionary?[key] { return text }
    case .unreadable(let sentence): note(ContainerWording.unusableInfo(sentence))
    case nil: break
    }
    return nil
  }

  /// The names in a folder; none where it is absent or no folder. A link is noted and not followed.
  mutating func names(inFolder path: String) -> [String] {
    do {
      switch try fileSystem.status(onDisk(path))?.kind {
      case .directory: return try fileSystem.list(onDisk(path))
      case .symbolicLink: note(ContainerWording.linkedFolder(path))
      case .regular, .other, nil: break
      }
    } catch {
      note(ContainerWording.unlistable(path, error))
    }
    return []
  }

  /// A path on this machine, from one relative to the root.
  func onDisk(_ path: String) -> String { PathText.join(root, path) }

  /// A file that describes the container; nil where there is none.
  private func describing(_ path: String) -> StoreContent? {
    do throws(FileSystemError) {
      guard let status = try fileSystem.status(onDisk(path)) else { return nil }
      guard status.kind == .regular else { return .unreadable(ContainerWording.unreadable(path, status.kind)) }
      return document(try fileSystem.read(onDisk(path), limit: min(limits.fileBytes, Self.infoBytes)), path)
    } catch {
      return .unreadable(ContainerWording.unreadable(path, error))
    }
  }

  private func document(_ image: FileImage, _ path: String) -> StoreContent {
    do throws(PropertyListError) {
      return .document(try PropertyListDocument(bytes: image.bytes, limits: limits.propertyList(of: image.bytes.count)))
    } catch {
      return .unreadable(ContainerWording.unreadable(path, error))
    }
  }

  private mutating func readSupport(_ folder: String) {
    let names = names(inFolder: folder)
    readPropertyLists(names, in: folder)
    var looked = 0
    for name in names where !PathText.isPropertyListName(name) {
      let inner = folder + "/" + name
      // What cannot be asked for its kind is left to the listing, which says so.
      guard (try? isFile(inner)) != true else { continue }
      guard looked < limits.folders else { return note(ContainerWording.tooManyFolders(folder, limit: limits.folders)) }
      looked += 1
      readPropertyLists(self.names(inFolder: inner), in: inner)
    }
  }

  private func isFile(_ path: String) throws(FileSystemError) -> Bool {
    switch try fileSystem.status(onDisk(path))?.kind {
    case .directory, .symbolicLink: false
    case .regular, .other, nil: true
    }
  }

  private mutating func content(_ path: String, size: Int64) throws(FileSystemError) -> StoreContent {
    if size > bytesLeft, size <= limits.fileBytes {
      return .unreadable(ContainerWording.overTotal(path, limit: limits.totalBytes))
    }
    let image = try fileSystem.read(onDisk(path), limit: limits.fileBytes)
    bytesLeft = max(0, bytesLeft - image.bytes.count)
    return document(image, path)
  }

  private static let supportName = "Application Support"
  /// Far more than the few hundred bytes these files have.
  private static let infoBytes = 1 << 20
}
