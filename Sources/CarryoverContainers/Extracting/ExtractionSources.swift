import Carryover
import CarryoverSystem

/// The files of a container in an archive or a backup, with the sources of their bytes.
struct ExtractionSources {
  struct Entry {
    var path: String
    var source: Source

    var size: Int64 {
      switch source {
      case .folder, .leftOut: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let size), .archive(_, let size): size
      }
    }
  }

  enum Source {
    case folder
    case bytes([UInt8])
    /// A file of this machine, with its size when the container was opened.
    case file(String, size: Int64)
    /// A file of the archive that is not in memory: its path in the archive, and its size.
    case archive(String, size: Int64)
    case leftOut(ExtractionReport.Reason)
  }

  private(set) var entries: [Entry] = []
  private let layers: [Place.Layer]

  init(_ opened: OpenedContainer, withState: Bool) {
    layers = opened.place.layers
    guard let last = layers.last else { return }
    let root = opened.container.root
    let stores = Set(bytesOf: opened.container.stores.map(\.path))
    for (path, node) in last.tree.tree.entries(below: Self.relative(root, to: last.tree.mount) ?? "") {
      guard let relative = Self.relative(PathText.join(last.tree.mount, path), to: root) else { continue }
      // A single property list does not include the rest of its folder.
      if opened.container.kind == .propertyList, !stores.contains(relative) { continue }
      if !withState, let state = Self.stateFolder(on: relative) {
        if state.hasSameBytes(as: relative) { entries.append(Entry(path: relative, source: .leftOut(.state))) }
        continue
      }
      entries.append(Entry(path: relative, source: source(of: node, path, in: layers.count - 1)))
    }
  }

  /// The files that have to be read from the archive again, by their paths in it.
  var archived: [StringByBytes: Entry] {
    var result: [StringByBytes: Entry] = [:]
    for entry in entries {
      if case .archive(let path, _) = entry.source { result[path] = entry }
    }
    return result
  }

  var size: Int64 {
    entries.reduce(0) { sum, entry in
      let (result, overflow) = sum.addingReportingOverflow(entry.size)
      return overflow ? .max : result
    }
  }

  var version: SourceFile.Version? { layers.first?.tree.tree.archive }

  private func source(of node: FileTree.Node, _ path: String, in layer: Int) -> Source {
    if FilePath.name(of: path).utf8.contains(0) { return .leftOut(.name) }
    switch node {
    case .folder: return .folder
    case .link(let target): return .leftOut(.link(target))
    case .file(let file):
      switch file.content {
      case .bytes(let bytes): return .bytes(bytes)
      case .file(let below): return source(ofFileBelow: below, size: file.size, layer)
      case .unavailable(.notInBackup): return .leftOut(.missing)
      case .unavailable(.beyondArchiveLimit) where layers[layer].form == .archive:
        return .archive(path, size: file.size)
      case .unavailable(let reason): return .leftOut(.unreadable(FileSystemError(.read, path, reason).cause))
      }
    }
  }

  /// The source of a file that a layer refers to: in the layer below, or on the disk.
  private func source(ofFileBelow path: String, size: Int64, _ layer: Int) -> Source {
    guard layer > 0 else { return .file(path, size: size) }
    let below = layers[layer - 1].tree
    guard let relative = Self.relative(path, to: below.mount), let node = below.tree.node(relative) else {
      return .leftOut(.missing)
    }
    return source(of: node, relative, in: layer - 1)
  }

  /// The name of the state folder that a path is or leads through. Some disks ignore case.
  private static func stateFolder(on path: String) -> String? {
    path.utf8.split(separator: UInt8(ascii: "/")).first {
      String(Substring($0)).lowercased() == ContainerReading.stateName
    }
    .map { String(path[..<$0.endIndex]) }
  }

  private static func relative(_ path: String, to folder: String) -> String? {
    let start = (folder == "/" ? "/" : folder + "/").utf8
    guard path.utf8.starts(with: start), path.utf8.count > start.count else { return nil }
    return String(decoding: path.utf8.dropFirst(start.count), as: UTF8.self)
  }
}

package struct ExtractionReport: Hashable, Sendable {
  package var destination: String
  /// The path to open: the destination, or the property list in it.
  package var container: String
  package var bundleID: String?
  package var files = 0
  package var bytes = 0
  package var leftOut: [LeftOut] = []

  package struct LeftOut: Hashable, Sendable {
    /// The item's path, relative to the container's root.
    package var path: String
    package var reason: Reason
  }

  package enum Reason: Hashable, Sendable {
    case missing
    /// A symbolic link, with its target. Links are never created.
    case link(String)
    case name
    case state
    /// The item could not be read; the cause, in a few words.
    case unreadable(String)

    package var word: String {
      switch self {
      case .missing: "missing"
      case .link: "link"
      case .name: "name"
      case .state: "state"
      case .unreadable: "unreadable"
      }
    }
  }
}

extension ExtractionReport.LeftOut: CustomStringConvertible {
  /// The skipped item and the reason, in one sentence. Names in it are escaped.
  package var description: String {
    let name = ContainerWording.quoted(path)
    return switch reason {
    case .missing: "\(name): the backup lists it without its content."
    case .link(let target):
      "\(name): a symbolic link to \(ContainerWording.quoted(target)), and links are not extracted."
    case .name: "\(name): no file can have this name."
    case .state:
      "\(name): runs and decisions of the archive's or backup's author. --with-state extracts them."
    case .unreadable(let cause): "\(name): it could not be read: \(DisplayText.harmless(cause))."
    }
  }
}
