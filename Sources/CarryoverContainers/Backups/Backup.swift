import Carryover
import CarryoverSystem

/// An unencrypted device backup of Finder or iTunes since iOS 10: its apps, each as a container. A database,
/// `Manifest.db`, lists the files; the content of each is in a file with a hash as its name.
struct Backup: Sendable {
  let root: String
  /// The apps by bundle identifier, and groups and extensions whose app is not in the backup.
  let apps: [BackupApp]
  let notices: [String]
  /// The notice that the backup was opened although its description is missing, damaged or says that it is encrypted.
  let reservation: String?

  let fileSystem: any FileSystem
  let limits: ContainerLimits
  let observer: OpeningObserver
  let image: DatabaseImage
  let payloads: BackupPayloads
  private let names: [String: String]

  init(
    at path: String, fileSystem: any FileSystem, limits: ContainerLimits, observer: OpeningObserver
  ) throws(ContainerError) {
    try Self.requireList(path, fileSystem)
    let manifest = try BackupManifest(root: path, fileSystem: fileSystem, limits: limits)
    // Tools that decrypt a backup leave the old description, or none.
    if !Self.hasReadableList(path, fileSystem), let refusal = manifest.refusal(path) { throw refusal }
    let image = try Self.image(path, fileSystem, limits)
    let payloads = try BackupPayloads(root: path, fileSystem: fileSystem, observer: observer)
    let index = try BackupIndex(image, root: path, payloads: payloads, limits: limits, observer: observer)
    root = path
    apps = BackupApp.apps(in: index.domains)
    notices = Self.notices(manifest, index)
    reservation = ContainerWording.readAsUnencrypted(manifest.description)
    names = manifest.names
    self.fileSystem = fileSystem
    self.limits = limits
    self.observer = observer
    self.image = image
    self.payloads = index.payloads
  }

  var candidates: [ContainerCandidate] {
    apps.map { app in
      ContainerCandidate(
        path: app.bundleID, kind: .folder, bundleID: app.bundleID, name: names[app.bundleID] ?? app.bundleID,
        files: app.files, missing: app.missing, groups: app.groups)
    }
  }

  private static func requireList(_ path: String, _ fileSystem: any FileSystem) throws(ContainerError) {
    func isThere(_ name: String) throws(ContainerError) -> Bool {
      try ContainerError.reading(fileSystem.status(PathText.join(path, name))) != nil
    }
    guard try !isThere(listName) else { return }
    let isLegacy = try isThere("Manifest.mbdb")
    throw ContainerError(path, .backup(isLegacy ? .legacy : .incomplete(listName)))
  }

  private static func hasReadableList(_ path: String, _ fileSystem: any FileSystem) -> Bool {
    let head = try? fileSystem.read(PathText.join(path, listName), from: 0, count: FileSignature.length)
    return head.flatMap(FileSignature.init) == .database
  }

  private static func image(
    _ root: String, _ fileSystem: any FileSystem, _ limits: ContainerLimits
  ) throws(ContainerError) -> DatabaseImage {
    let path = PathText.join(root, listName)
    do throws(DatabaseImage.Failure) {
      return try DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.databaseBytes)
    } catch {
      switch error {
      case .unreadable(let error):
        if case .tooLarge = error.reason { throw ContainerError(root, .backup(.tooLarge)) }
        throw ContainerError(reading: error)
      case .notDatabase: throw ContainerError(root, .backup(.notDatabase))
      case .unfinished: throw ContainerError(root, .backup(.unfinished))
      case .logNotUsable: throw ContainerError(root, .backup(.damaged))
      }
    }
  }

  private static func notices(_ manifest: BackupManifest, _ index: BackupIndex) -> [String] {
    var notices: [String] = []
    if let notice = ContainerWording.readAsUnencrypted(manifest.description) { notices.append(notice) }
    if let version = manifest.productVersion {
      notices.append("The backup is from a device with system version \(ContainerWording.quoted(version)).")
    }
    let files = index.domains.values.reduce(0) { $0 + $1.files }
    let missing = index.domains.values.reduce(0) { $0 + $1.missing }
    if missing > 0 {
      notices.append(
        "The backup lists \(missing) of the apps' \(files) files without their content: they cannot be read. Ask for a "
          + "complete backup if one of them is needed.")
    }
    let orphans = index.payloads.orphans
    if !orphans.isEmpty {
      let list = orphans.prefix(namedInNotice).map(ContainerWording.quoted).joined(separator: ", ")
      let more = orphans.count > namedInNotice ? " and \(orphans.count - namedInNotice) more" : ""
      notices.append("The backup has files that are not in its list, and belong to no app here: \(list)\(more).")
    }
    if index.badRows == 1 {
      notices.append("1 entry in the backup's list has no usable name, path or kind and was skipped.")
    } else if index.badRows > 0 {
      notices.append(
        "\(index.badRows) entries in the backup's list have no usable name, path or kind and were skipped.")
    }
    if index.misnamed == 1 {
      notices.append("1 file of the apps has a name that does not match its path: its content may be another file's.")
    } else if index.misnamed > 0 {
      notices.append(
        "\(index.misnamed) files of the apps have names that do not match their paths: their content may be other "
          + "files'.")
    }
    if index.beyondLimit > 0 {
      notices.append("The backup has more apps than are read: \(index.beyondLimit) of its entries were skipped.")
    }
    return notices
  }

  private static let listName = "Manifest.db"
  private static let namedInNotice = 3

  /// The files of one app as a container: the app's files at the root, those of its groups in `AppGroups/<group>`,
  /// those of its extensions in `PlugIns/<extension>`. A file without content exists but cannot be read. Of two items
  /// with the same path, the first one wins: the app's own, then the one with the lower path.
  func tree(of bundleID: String) throws(ContainerError) -> FileTree {
    guard let app = apps.first(where: { $0.bundleID == bundleID }) else {
      throw ContainerError(root, .backup(.lacking(bundleID)))
    }
    var tree = FileTree()
    for entry in try entries(of: app) { _ = tree.add(entry.path, entry.node) }
    let metadata: PropertyListValue = ["MCMMetadataIdentifier": .string(bundleID)]
    if let bytes = try? PropertyListDocument.encode(metadata, as: .binary) {
      let file = FileTree.File(size: Int64(bytes.count), content: .bytes(bytes))
      _ = tree.add(FolderContainer.metadataName, .file(file))
    }
    if let reservation { tree.notices.append(reservation) }
    return tree
  }

  private struct Entry {
    var order: Int
    var path: String
    var node: FileTree.Node
  }

  private func entries(of app: BackupApp) throws(ContainerError) -> [Entry] {
    var places: [[UInt8]: (order: Int, folder: String)] = [:]
    for (order, place) in app.places.enumerated() { places[Array(place.domain.name.utf8)] = (order, place.folder) }
    var entries: [Entry] = []
    var rows = 0
    var bytesLeft = Self.pathBytes
    let query = TableQuery(files: BackupRow.statementWithFile, limits)
    let ending = try query.run(on: image) { row throws(ContainerError) in
      rows += 1
      if rows % BackupIndex.rowsPerReport == 0 { try observer.report(OpeningProgress(.backup, done: rows), at: root) }
      // The rows of other apps, of which there may be hundreds of thousands, are not checked.
      guard let domain = row.text(1), let place = places[Array(domain)], case .row(let found) = BackupRow.read(row)
      else { return }
      let path = PathText.join(place.folder, String(decoding: found.path, as: UTF8.self))
      guard !path.isEmpty else { return }
      // Each parent folder may have to be added, under its whole path.
      bytesLeft -= path.utf8.count * path.utf8.count { $0 == UInt8(ascii: "/") } + path.utf8.count
      guard bytesLeft >= 0 else { throw ContainerError(root, .backup(.tooLarge)) }
      entries.append(Entry(order: place.order, path: path, node: node(found, row)))
    }
    try ending.requireFinished(root)
    return entries.sorted { left, right in
      left.order == right.order ? PathText.precedes(left.path, right.path) : left.order < right.order
    }
  }

  private func node(_ row: BackupRow, _ columns: DatabaseRow) -> FileTree.Node {
    switch row.kind {
    case .folder: return .folder([])
    case .link: return .link(target: record(columns)?.target ?? "")
    case .file:
      guard payloads.has(row.id) else {
        return .file(FileTree.File(size: record(columns)?.size ?? 0, content: .unavailable(.notInBackup)))
      }
      return .file(payload(PathText.join(root, row.id.payloadPath)))
    }
  }

  private func record(_ row: DatabaseRow) -> BackupFileRecord? { row.blob(4).map(BackupFileRecord.init) }

  /// A content file. Its own size counts, even if the list states another.
  private func payload(_ path: String) -> FileTree.File {
    do throws(FileSystemError) {
      guard let status = try fileSystem.status(path) else {
        return FileTree.File(size: 0, content: .unavailable(.notInBackup))
      }
      guard status.kind == .regular else {
        return FileTree.File(size: 0, content: .unavailable(.notRegular(status.kind)))
      }
      return FileTree.File(size: status.size, content: .file(path))
    } catch {
      return FileTree.File(size: 0, content: .unavailable(error.reason))
    }
  }

  /// The maximum size of the paths of an app and of all parent folders, in bytes: far more than 500,000 files need.
  private static let pathBytes = 1 << 30
}

struct BackupManifest {
  enum Description: Equatable {
    case unencrypted, encrypted, missing
    case damaged(PropertyListError)
  }

  private(set) var description = Description.missing
  private(set) var productVersion: String?
  private(set) var names: [String: String] = [:]

  /// Reads `Manifest.plist` and `Info.plist`. Either may be missing or damaged.
  init(root: String, fileSystem: any FileSystem, limits: ContainerLimits) throws(ContainerError) {
    let path = PathText.join(root, "Manifest.plist")
    if try ContainerError.reading(fileSystem.status(path)) != nil {
      let bytes = try ContainerError.reading(fileSystem.read(path, limit: limits.fileBytes)).bytes
      do throws(PropertyListError) {
        let manifest = try PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count))
        description = Self.isEncrypted(manifest) ? .encrypted : .unencrypted
        read(manifest)
      } catch {
        description = .damaged(error)
      }
    }
    let info = try? fileSystem.read(PathText.join(root, "Info.plist"), limit: limits.fileBytes).bytes
    if let info { readInfo(info, limits) }
  }

  /// The reason that a backup whose list of files cannot be read is refused; nil if the description gives none.
  func refusal(_ root: String) -> ContainerError? {
    switch description {
    case .unencrypted: nil
    case .encrypted: ContainerError(root, .backup(.encrypted))
    case .missing: ContainerError(root, .backup(.incomplete("Manifest.plist")))
    case .damaged(let error): ContainerError(PathText.join(root, "Manifest.plist"), .corruptPropertyList(error))
    }
  }

  private static func isEncrypted(_ manifest: PropertyListDocument) -> Bool {
    switch manifest.dictionary?["IsEncrypted"] {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    default: false
    }
  }

  private mutating func read(_ manifest: PropertyListDocument) {
    productVersion = manifest.dictionary?.dictionary("Lockdown")?.text("ProductVersion")
    for entry in manifest.dictionary?.dictionary("Applications")?.entries ?? [] {
      if let path = entry.dictionary?.text("Path") { name(entry.key, Self.name(ofBundleAt: path)) }
    }
  }

  /// An app's name in the App Store is preferred to that of its bundle.
  private mutating func readInfo(_ bytes: [UInt8], _ limits: ContainerLimits) {
    let info = try? PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count))
    guard let info = info?.dictionary else { return }
    if productVersion == nil { productVersion = info.text("Product Version") }
    // A malicious file could refer to one long name for every app.
    var left = bytes.count
    for entry in info.dictionary("Applications")?.entries ?? [] {
      guard case .data(let bytes)? = entry.dictionary?["iTunesMetadata"], bytes.count <= left else { continue }
      left -= bytes.count
      guard
        let metadata = try? PropertyListDocument(bytes: bytes, limits: limits.propertyList(of: bytes.count)).dictionary
      else { continue }
      name(entry.key, metadata.text("bundleDisplayName") ?? metadata.text("itemName"))
    }
  }

  private mutating func name(_ bundleID: String, _ name: String?) {
    if let name, !name.isEmpty { names[bundleID] = name }
  }

  private static func name(ofBundleAt path: String) -> String? {
    let name = FilePath.name(of: path)
    return name.hasSuffix(".app") ? String(name.dropLast(4)) : nil
  }
}

extension PropertyListDictionary {
  fileprivate func dictionary(_ key: String) -> PropertyListDictionary? {
    if case .dictionary(let dictionary)? = self[key] { dictionary } else { nil }
  }

  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }
}

extension PropertyListDictionary.Entry {
  fileprivate var dictionary: PropertyListDictionary? {
    if case .dictionary(let dictionary) = value { dictionary } else { nil }
  }
}
