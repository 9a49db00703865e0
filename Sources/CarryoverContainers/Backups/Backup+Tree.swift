import Carryover
import CarryoverSystem
import PropertyLists

extension Backup {
  /// The files of one app as a container: the app's files at the root, those of its groups in `AppGroups/<group>`,
  /// those of its extensions in `PlugIns/<extension>`.
  ///
  /// A file without content exists but cannot be read. If two items have the same path, the first one wins: the app's
  /// own, then the one with the lower path. If the backup has no description of the container, one is generated.
  /// - Throws: `ContainerError` if the backup does not have the app, if its list is damaged, if the app has more files
  ///   than fit the limit, or if the observer cancels the work.
  func tree(of bundleID: String) throws(ContainerError) -> FileTree {
    guard let app = apps.first(where: { $0.bundleID == bundleID }) else {
      throw ContainerError(root, .backup(.lacking(bundleID)))
    }
    var tree = FileTree()
    for entry in try entries(of: app) { _ = tree.add(entry.path, entry.node) }
    let metadata: PropertyListValue = ["MCMMetadataIdentifier": .string(bundleID)]
    if let bytes = try? PropertyListDocument.encode(metadata, as: .binary) {
      let file = FileTree.File(size: Int64(bytes.count), content: .bytes(bytes))
      _ = tree.add(FolderRecognition.metadataName, .file(file))
    }
    if let reservation { tree.notices.append(reservation) }
    return tree
  }

  private struct Entry {
    /// The item's position among the app's domains.
    var order: Int
    var path: String
    var node: FileTree.Node
  }

  /// The app's items in the list, in the order in which they are added to the tree.
  private func entries(of app: BackupApp) throws(ContainerError) -> [Entry] {
    var places: [[UInt8]: (order: Int, folder: String)] = [:]
    for (order, place) in app.places.enumerated() {
      places[Array(place.domain.name.utf8)] = (order, place.folder)
    }
    var entries: [Entry] = []
    var rows = 0
    var bytesLeft = Self.pathBytes
    let query = TableQuery(files: BackupRow.statementWithFile, limits)
    let ending = try query.run(on: image) { row throws(ContainerError) in
      rows += 1
      if rows % BackupIndex.rowsPerReport == 0 {
        try observer.report(OpeningProgress(.backup, done: rows), at: root)
      }
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
