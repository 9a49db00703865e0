import Carryover
import CarryoverSystem

/// The files of a container in an archive or a backup, and where their bytes come from.
struct ExtractionSources {
  /// What is to be made at a path.
  struct Entry {
    /// Relative to the container's root.
    var path: String
    var source: Source

    /// How many bytes are written for it.
    var size: Int64 {
      switch source {
      case .folder, .leftOut: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let size), .archive(_, let size): size
      }
    }
  }

  /// Where the bytes of a file come from.
  enum Source {
    case folder
    case bytes([UInt8])
    /// A file of this machine, with the size that it had when the container was opened.
    case file(String, size: Int64)
    /// A file of the archive that is not kept in memory, by its path there, with its size.
    case archive(String, size: Int64)
    case leftOut(ExtractionReport.Reason)
  }

  /// By path, so that a folder comes before what is in it.
  private(set) var entries: [Entry] = []
  private let layers: [Place.Layer]

  /// - Parameters:
  ///   - opened: a container that lies in an archive or a backup.
  ///   - withState: whether state folders of Carryover's that came along are taken too.
  init(_ opened: OpenedContainer, withState: Bool) {
    layers = opened.place.layers
    guard let last = layers.last else { return }
    let root = opened.container.root
    let stores = Set(opened.container.stores.map(\.path))
    for (path, node) in last.tree.tree.entries {
      guard let relative = Self.relative(PathText.join(last.tree.mount, path), to: root) else { continue }
      // A property list by itself is not the folder that it lies in.
      if opened.container.kind == .propertyList, !stores.contains(relative) { continue }
      if !withState, let state = Self.stateFolder(on: relative) {
        if state == relative { entries.append(Entry(path: relative, source: .leftOut(.state))) }
        continue
      }
      entries.append(Entry(path: relative, source: source(of: node, path, in: layers.count - 1)))
    }
  }

  /// The files that have to be read from the archive once more, by their paths there.
  var archived: [String: Entry] {
    var result: [String: Entry] = [:]
    for entry in entries {
      if case .archive(let path, _) = entry.source { result[path] = entry }
    }
    return result
  }

  /// How many bytes are written together.
  var size: Int64 {
    entries.reduce(0) { sum, entry in
      let (result, overflow) = sum.addingReportingOverflow(entry.size)
      return overflow ? .max : result
    }
  }

  /// The state of the archive's file that was read when the container was opened.
  var version: SourceFile.Version? { layers.first?.tree.tree.archive }

  private func source(of node: FileTree.Node, _ path: String, in layer: Int) -> Source {
    if PathText.lastComponent(path).utf8.contains(0) { return .leftOut(.name) }
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

  /// A file that a layer refers to, in the layer below or on the disk.
  private func source(ofFileBelow path: String, size: Int64, _ layer: Int) -> Source {
    guard layer > 0 else { return .file(path, size: size) }
    let below = layers[layer - 1].tree
    guard let relative = Self.relative(path, to: below.mount), let node = below.tree.node(relative) else {
      return .leftOut(.missing)
    }
    return source(of: node, relative, in: layer - 1)
  }

  /// The state folder that a path is or leads through, by its name: some disks do not tell capital letters apart.
  private static func stateFolder(on path: String) -> String? {
    path.utf8.split(separator: UInt8(ascii: "/")).first {
      String(Substring($0)).lowercased() == ContainerReading.stateName
    }
    .map { String(path[..<$0.endIndex]) }
  }

  /// A path relative to a folder; nil for the folder itself, and for one that is not in it.
  private static func relative(_ path: String, to folder: String) -> String? {
    let start = (folder == "/" ? "/" : folder + "/").utf8
    guard path.utf8.starts(with: start), path.utf8.count > start.count else { return nil }
    return String(decoding: path.utf8.dropFirst(start.count), as: UTF8.self)
  }
}
