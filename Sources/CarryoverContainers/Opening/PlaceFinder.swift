import Carryover
import CarryoverSystem

/// Finds the place of a path through archives and backups: `Acme.zip/Acme.xcappdata`, `Backup/com.acme.shop`.
struct PlaceFinder {
  let fileSystem: any FileSystem
  let options: ContainerOptions
  let observer: OpeningObserver
  var memory: StoreMemory?
  private let backups = LastBackup()

  /// The backup that was opened last: its apps are opened one after the other.
  private final class LastBackup {
    var backup: Backup?
  }

  /// The place of a cleaned path. Links and `..` are resolved on the disk, but no link in an archive or a backup.
  func place(of given: String) throws(ContainerError) -> Place {
    if let located = try located(given) { return try entered(Place(fileSystem: fileSystem, path: located)) }
    let components = given.split(separator: "/").map(String.init)
    let start = given.hasPrefix("/") ? "/" : ""
    for count in components.indices.reversed() {
      let above = start + components[..<count].joined(separator: "/")
      guard let real = try? fileSystem.resolve(above.isEmpty ? "." : above) else { continue }
      guard let rest = Self.withoutDots(components[count...]) else { break }
      return try converting(try descend(from: Place(fileSystem: fileSystem, path: real), along: rest)) {
        $0.kind == .notFound ? ContainerError(given, .notFound) : $0
      }
    }
    throw ContainerError(given, .notFound)
  }

  func descend(from start: Place, along components: [String]) throws(ContainerError) -> Place {
    var place = try entered(start)
    for component in components {
      let next = PathText.join(place.path, component)
      switch try kind(of: place) {
      case .directory: break
      case nil, .regular, .symbolicLink, .other: throw ContainerError(next, .notFound)
      }
      if try kind(of: place.at(next)) != nil {
        place = try entered(place.at(next))
      } else if try isBackup(place) {
        place = try app(component, ofBackupAt: place)
      } else {
        throw ContainerError(next, .notFound)
      }
    }
    return place
  }

  func app(_ bundleID: String, ofBackupAt place: Place) throws(ContainerError) -> Place {
    let tree = try backup(at: place).tree(of: bundleID)
    let mount = PathText.join(place.path, bundleID)
    return place.entering(tree, at: mount, .backup, path: place.path)
  }

  func backup(at place: Place) throws(ContainerError) -> Backup {
    if let last = backups.backup, last.root == place.path { return last }
    let backup = try Backup(at: place.path, fileSystem: place.fileSystem, limits: options.limits, observer: observer)
    backups.backup = backup
    return backup
  }

  func isBackup(_ place: Place) throws(ContainerError) -> Bool {
    try place.reading(try FolderRecognition(fileSystem: place.fileSystem).recognise(place.path) == .backup)
  }

  func kind(of place: Place) throws(ContainerError) -> FileKind? {
    try place.reading(try place.fileSystem.status(place.path)?.kind)
  }

  private func entered(_ place: Place) throws(ContainerError) -> Place {
    guard try kind(of: place) == .regular else { return place }
    let start = try place.reading(try place.fileSystem.read(place.path, from: 0, count: FileSignature.length))
    guard case .archive(let form)? = FileSignature(start) else { return place }
    guard place.layers.isEmpty else { throw ContainerError(place.path, .archive(form)) }
    let tree = try ArchiveReader.tree(
      ofArchiveAt: place.path, files: options.files, databases: options.readsTables, observer: observer)
    return place.entering(tree, at: place.path, .archive, path: place.path)
  }

  private func located(_ given: String) throws(ContainerError) -> String? {
    do throws(ContainerError) {
      let place = Place(fileSystem: fileSystem, path: given)
      let located = try place.reading(try fileSystem.location(of: given))
      return try kind(of: place.at(located)) == nil ? nil : located
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  /// Components without `..`; nil if they would lead out of the archive or backup.
  private static func withoutDots(_ components: ArraySlice<String>) -> [String]? {
    var result: [String] = []
    for component in components {
      guard component == ".." else {
        result.append(component)
        continue
      }
      guard result.popLast() != nil else { return nil }
    }
    return result
  }
}

/// The destination of a path, and the file system to reach it, with the files of an archive or of an app in a backup.
struct Place {
  var fileSystem: any FileSystem
  var path: String
  var layers: [Layer] = []

  struct Layer {
    var form: ContainerWrapper.Form
    var path: String
    var tree: TreeFileSystem
  }

  /// The read-only archive or backup on the disk; nil if there is none on the path.
  var wrapper: ContainerWrapper? { layers.first.map { ContainerWrapper($0.form, path: $0.path) } }

  var isInArchive: Bool { layers.last?.form == .archive }

  var notices: [String] { layers.flatMap(\.tree.tree.notices) }

  func at(_ path: String) -> Place {
    var place = self
    place.path = path
    return place
  }

  /// The same place with the files of an archive or an app mounted at a path, which the place then refers to.
  func entering(_ tree: FileTree, at mount: String, _ form: ContainerWrapper.Form, path: String) -> Place {
    let mounted = TreeFileSystem(base: fileSystem, mount: mount, tree: tree)
    return Place(fileSystem: mounted, path: mount, layers: layers + [Layer(form: form, path: path, tree: mounted)])
  }

  func reading<Result>(_ body: @autoclosure () throws(FileSystemError) -> Result) throws(ContainerError) -> Result {
    do {
      return try body()
    } catch {
      if case .tooLarge(let limit) = error.reason { throw ContainerError(error.path, .tooLarge(limit: limit)) }
      let failure = ContainerError(reading: error)
      // The user knows the path that was given, not the one that the file system made of it.
      if case .failed = failure.kind { throw ContainerError(path, failure.kind) }
      throw failure
    }
  }
}
