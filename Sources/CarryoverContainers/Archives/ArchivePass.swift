import Carryover
import CarryoverSystem

/// One pass through an archive, from its first entry to its last, with all checks.
struct ArchivePass {
  /// A checked entry with a place in the tree.
  struct Entry {
    var path: String
    var node: FileTree.Node
    /// The file with the same bytes, for a hard link.
    var original: String?
  }

  private let path: String
  private let file: SourceFile
  private let archive: OpenArchive
  private let observer: OpeningObserver
  private let limits: ArchiveLimits
  private let size: Int64
  private var tree: ArchiveTree
  private var entries = 0
  private var statedBytes: Int64 = 0
  private var steps = 0
  private var hasRootedNames = false

  /// Opens an archive; nil if it has no entries.
  /// - Parameter version: the expected state of the file; nil when it is read for the first time.
  init?(
    _ path: String, limits: ArchiveLimits, observer: OpeningObserver, names: [String],
    version: SourceFile.Version? = nil
  ) throws(ContainerError) {
    let file = try SourceFile(path)
    if let version, version != file.version { throw ContainerError(path, .refusedArchive(.changed)) }
    try observer.report(OpeningProgress(.archive, done: 0, total: Int(file.size)), at: path)
    guard let library = ArchiveLibrary(names: names) else { throw ContainerError(path, .archiveLibraryMissing) }
    if FileSignature(file.head(FileSignature.length)) == .archive(.zip), let end = ZipEnd(file.tail(ZipEnd.longest)) {
      if end.isVolume { throw ContainerError(path, .refusedArchive(.severalVolumes)) }
      if end.isEmpty { return nil }
    }
    do throws(ArchiveRefusal) {
      archive = try OpenArchive(file, library: library)
    } catch {
      throw ContainerError(path, .refusedArchive(error))
    }
    self.path = path
    self.file = file
    self.observer = observer
    self.limits = limits
    size = file.size
    tree = ArchiveTree(limits: limits)
  }

  /// The tree of the entries so far, and the state of the file.
  var result: FileTree {
    var result = tree.tree
    result.archive = file.version
    if hasRootedNames { result.notices.append(ArchiveWording.rootedNames) }
    return result
  }

  /// Throws if the file has changed while it was read.
  func checkUnchanged() throws(ContainerError) {
    guard file.isUnchanged else { throw refused(.changed) }
  }

  /// The next entry; nil at the end. Skips the metadata files of macOS.
  mutating func next() throws(ContainerError) -> Entry? {
    while true {
      try report()
      let found: OpenArchive.Entry?
      do throws(ArchiveRefusal) {
        found = try archive.next(allowance: archive.isZip ? max(limits.nameBytes, Self.headerBytes) : Self.headerBytes)
        try check(found)
      } catch {
        throw refused(error)
      }
      guard let found else {
        try observer.report(OpeningProgress(.archive, done: Int(size), total: Int(size)), at: path)
        return nil
      }
      do throws(ArchiveRefusal) {
        if let entry = try place(found) { return entry }
      } catch {
        throw refused(error)
      }
      try skip()
    }
  }

  /// Passes the next bytes of the entry to a closure; false if there are none.
  mutating func data(_ body: (OpenArchive.Block) -> Void) throws(ContainerError) -> Bool {
    try report()
    do throws(ArchiveRefusal) {
      let more = try archive.data(body)
      try checkProduced()
      return more
    } catch {
      throw refused(error)
    }
  }

  /// Skips the rest of the entry. If it has to be decompressed, that happens in pieces.
  mutating func skip() throws(ContainerError) {
    if archive.isCompressed {
      while try data({ _ in }) {}
    } else {
      do throws(ArchiveRefusal) { try archive.skip() } catch { throw refused(error) }
    }
  }

  /// Whether an entry's bytes have no holes. Those of a tar archive may have some.
  var hasNoHoles: Bool { archive.isZip }

  /// Sets the content of a file.
  mutating func fill(_ path: String, _ file: FileTree.File) { tree.fill(path, file) }

  /// The error for a refused archive.
  func refused(_ refusal: ArchiveRefusal) -> ContainerError { ContainerError(path, .refusedArchive(refusal)) }

  // MARK: Checks

  private mutating func check(_ found: OpenArchive.Entry?) throws(ArchiveRefusal) {
    try checkProduced()
    guard found != nil else {
      if !archive.isZip, !archive.hasEndMark { throw .truncated }
      return
    }
    entries += 1
    // Skipped entries count too, because each takes time.
    guard entries <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
  }

  private mutating func place(_ found: OpenArchive.Entry) throws(ArchiveRefusal) -> Entry? {
    guard let name = found.name, !name.isEmpty else { throw .namelessEntry(entries) }
    let path = try ArchiveName.path(name)
    if ArchiveName.isRooted(name) { hasRootedNames = true }
    if found.isEncrypted { throw .encrypted(path) }
    if Self.isLeftOut(path) { return nil }
    var original: String?
    let node: FileTree.Node
    switch found.form {
    case .folder: node = .folder([])
    case .file(let size):
      try checkSize(path, size)
      node = .file(FileTree.File(size: size, content: .unavailable(.beyondArchiveLimit)))
    case .link(let target):
      let text = ArchiveName.text(target[...])
      guard ArchiveName.leadsInside(target, from: path) else { throw .linkOut(path, target: text) }
      node = .link(target: text)
    case .hardLink(let target):
      let (place, file) = try hardLink(path, target)
      // An extracted hard link is a copy, so a few names could fill any disk.
      try checkSize(path, file.size)
      original = place
      node = .file(file)
    case .special: throw .specialFile(path)
    case .part: throw .severalVolumes
    }
    if path.isEmpty, node.kind != .directory { throw .namelessEntry(entries) }
    try tree.add(path, node)
    return Entry(path: path, node: node, original: original)
  }

  private func hardLink(_ path: String, _ target: [UInt8]) throws(ArchiveRefusal) -> (path: String, file: FileTree.File)
  {
    guard let place = try? ArchiveName.path(target), case .file(let file)? = tree.tree.node(place) else {
      throw .hardLinkOut(path, target: ArchiveName.shown(target))
    }
    return (place, file)
  }

  private mutating func checkSize(_ path: String, _ stated: Int64) throws(ArchiveRefusal) {
    guard stated >= 0, stated <= limits.fileBytes else { throw .tooLargeFile(path, limit: limits.fileBytes) }
    statedBytes += stated
    try checkUnpacked(statedBytes)
  }

  private func checkProduced() throws(ArchiveRefusal) {
    if archive.isCompressed { try checkUnpacked(archive.produced) }
  }

  private func checkUnpacked(_ bytes: Int64) throws(ArchiveRefusal) {
    guard bytes > limits.unpackedBytes(ofArchiveOf: size) else { return }
    if bytes > limits.totalBytes { throw .tooLarge(limit: limits.totalBytes) }
    throw .expandsTooMuch(times: limits.expansion)
  }

  /// Whether a path is a file in which macOS stores the attributes of another file.
  private static func isLeftOut(_ path: String) -> Bool {
    let parts = PathText.components(path)
    return parts.first == "__MACOSX" || parts.contains { $0.utf8.starts(with: "._".utf8) }
  }

  /// Reports the progress every few steps.
  private mutating func report() throws(ContainerError) {
    steps &+= 1
    guard steps % 4 == 0 else { return }
    try observer.report(OpeningProgress(.archive, done: Int(archive.consumed), total: Int(size)), at: path)
  }

  /// Far more than one entry needs. A malicious description could be as long as the archive.
  private static let headerBytes = 4 << 20
}
