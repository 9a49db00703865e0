import Carryover
import CarryoverSystem

/// One pass through an archive, from its first entry to its last, with all checks.
struct ArchivePass {
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

  /// Nil if the archive has no entries.
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
    archive = try refusing(path, try OpenArchive(file, library: library))
    self.path = path
    self.file = file
    self.observer = observer
    self.limits = limits
    size = file.size
    tree = ArchiveTree(limits: limits)
  }

  var result: FileTree {
    var result = tree.tree
    result.archive = file.version
    if hasRootedNames { result.notices.append(ArchiveWording.rootedNames) }
    return result
  }

  func checkUnchanged() throws(ContainerError) {
    guard file.isUnchanged else { throw refused(.changed) }
  }

  /// The next entry; nil at the end. Skips the metadata files of macOS.
  mutating func next() throws(ContainerError) -> Entry? {
    while true {
      try report()
      let found = try refusing(path, try checkedNext())
      guard let found else {
        try observer.report(OpeningProgress(.archive, done: Int(size), total: Int(size)), at: path)
        return nil
      }
      if let entry = try refusing(path, try place(found)) { return entry }
      try skip()
    }
  }

  /// The next bytes of the entry, until the next call; nil at its end.
  mutating func data() throws(ContainerError) -> OpenArchive.Block? {
    try report()
    let block = try refusing(path, try archive.data())
    try refusing(path, try checkProduced())
    return block
  }

  /// Skips the rest of the entry. If it has to be decompressed, that happens in pieces.
  mutating func skip() throws(ContainerError) {
    if archive.isCompressed {
      while try data() != nil {}
    } else {
      try refusing(path, try archive.skip())
    }
  }

  /// Whether an entry's bytes have no holes. Those of a tar archive may have some.
  var hasNoHoles: Bool { archive.isZip }

  mutating func fill(_ path: String, _ file: FileTree.File) { tree.tree.replace(path, file) }

  func refused(_ refusal: ArchiveRefusal) -> ContainerError { ContainerError(path, .refusedArchive(refusal)) }

  private mutating func checkedNext() throws(ArchiveRefusal) -> OpenArchive.Entry? {
    let found = try archive.next(allowance: archive.isZip ? max(limits.nameBytes, Self.headerBytes) : Self.headerBytes)
    try checkProduced()
    guard found != nil else {
      if !archive.isZip, !archive.hasEndMark { throw .truncated }
      return nil
    }
    entries += 1
    // Skipped entries count too, because each takes time.
    guard entries <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
    return found
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
    let parts = FilePath.components(path)
    return parts.first == "__MACOSX" || parts.contains { $0.utf8.starts(with: "._".utf8) }
  }

  private mutating func report() throws(ContainerError) {
    steps &+= 1
    guard steps % 4 == 0 else { return }
    try observer.report(OpeningProgress(.archive, done: Int(archive.consumed), total: Int(size)), at: path)
  }

  /// Far more than one entry needs. A malicious description could be as long as the archive.
  private static let headerBytes = 4 << 20
}

private func refusing<Result>(
  _ path: String, _ body: @autoclosure () throws(ArchiveRefusal) -> Result
) throws(ContainerError) -> Result { try converting(try body()) { ContainerError(path, .refusedArchive($0)) } }

/// The record at the end of a zip file, for facts that the library does not return.
struct ZipEnd {
  let isVolume: Bool
  /// Whether there are no entries. The library does not recognise such a file.
  let isEmpty: Bool

  /// The size of the record with the longest comment, in bytes.
  static let longest = 22 + 65_535

  init?(_ tail: some Sequence<UInt8>) {
    let tail = Array(tail)
    let mark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    var start = tail.count - 22
    while start >= 0, tail[start] != mark[0] || !tail[start...].starts(with: mark) { start -= 1 }
    guard start >= 0 else { return nil }
    let record = tail[start...].prefix(22).map(Int.init)
    let numbers = stride(from: 4, to: 12, by: 2).map { record[$0] | record[$0 + 1] << 8 }
    // The numbers of this volume and of the first one with names. 65,535 refers to a record for large files.
    isVolume = numbers.prefix(2).contains { $0 != 0 && $0 != 0xFFFF }
    isEmpty = numbers.suffix(2).allSatisfy { $0 == 0 }
  }
}

/// The tree of an archive while its entries are added, in any order. Two names that differ only in the encoding of
/// their accents are equal, as on the systems that create containers.
struct ArchiveTree {
  fileprivate(set) var tree = FileTree()
  private let limits: ArchiveLimits
  private var count = 0
  private var nameBytes = 0

  init(limits: ArchiveLimits) { self.limits = limits }

  mutating func add(_ path: String, _ node: FileTree.Node) throws(ArchiveRefusal) {
    // The archive's own root may be listed, but already exists.
    if path.isEmpty { return }
    try addFolders(above: path)
    switch (tree.node(path), node) {
    case (nil, _): try addOne(path, node)
    case (.folder?, .folder): break
    default: throw .repeatedName(path)
    }
  }

  private mutating func addFolders(above path: String) throws(ArchiveRefusal) {
    let parent = FilePath.name(of: path) == path ? "" : PathText.parent(path)
    if case .folder? = tree.node(parent) { return }
    var folder = ""
    for name in FilePath.components(path).dropLast() {
      folder = PathText.join(folder, name)
      switch tree.node(folder) {
      case .folder: break
      case nil: try addOne(folder, .folder([]))
      case .file, .link: throw .insideFile(path, file: folder)
      }
    }
  }

  private mutating func addOne(_ path: String, _ node: FileTree.Node) throws(ArchiveRefusal) {
    count += 1
    nameBytes += path.utf8.count
    guard count <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
    guard nameBytes <= limits.nameBytes else { throw .tooLongNames(limit: limits.nameBytes) }
    guard tree.add(path, node) else { throw .repeatedName(path) }
  }
}

enum ArchiveName {
  /// The limits of the systems that create containers: 255 bytes for a name, 1,024 for a path.
  private static let componentBytes = 255
  private static let pathBytes = 1_024

  /// The path of an entry, relative to the archive's root, whose path is empty.
  ///
  /// `.` and repeated slashes are ignored, also slashes at the start, which tools that pack a whole file system write. A
  /// backslash is an ordinary character, but no name may lead out of the archive on a system where it separates names.
  /// The library converts the backslashes of Windows tools in zip files to slashes. Bytes that are not UTF-8 become
  /// `%XX`, so that one odd name does not make an archive unreadable.
  static func path(_ bytes: [UInt8]) throws(ArchiveRefusal) -> String {
    let relative = Array(bytes.drop { $0 == slash })
    if isAbsolute(relative) { throw .absoluteName(shown(bytes)) }
    if bytes.split(whereSeparator: { $0 == slash || $0 == backslash }).contains(where: isUp) {
      throw .climbingName(shown(bytes))
    }
    let parts = components(bytes).filter { !isSame($0) }.map(text)
    let path = parts.joined(separator: "/")
    guard path.utf8.count <= pathBytes, parts.allSatisfy({ $0.utf8.count <= componentBytes }) else {
      throw .longName(shown(bytes))
    }
    return path
  }

  static func isRooted(_ bytes: [UInt8]) -> Bool { bytes.first == slash }

  /// Whether a link at a path leads to a place in the archive, even through other links. `..` is only allowed at the
  /// start: a name in its target may be another link, whose parent is unknown.
  static func leadsInside(_ target: [UInt8], from path: String) -> Bool {
    if target.isEmpty || isAbsolute(target) { return false }
    let parts = components(target).filter { !isSame($0) }
    let climb = parts.prefix(while: isUp).count
    return climb < FilePath.components(path).count && !parts.dropFirst(climb).contains(where: isUp)
  }

  static func shown(_ bytes: [UInt8]) -> String { text(bytes.prefix(pathBytes)) }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var result = ""
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var place = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        result.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        place += encoded.count
      case .error(let length):
        for byte in bytes[place..<min(place + length, bytes.endIndex)] {
          result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        place = min(place + length, bytes.endIndex)
      case .emptyInput: return result
      }
    }
  }

  private static func isAbsolute(_ bytes: [UInt8]) -> Bool {
    if let first = bytes.first, first == slash || first == backslash { return true }
    // Windows puts a drive letter before a path.
    guard bytes.count >= 3, bytes[1] == UInt8(ascii: ":"), bytes[2] == slash || bytes[2] == backslash else {
      return false
    }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0] | 0x20)
  }

  private static func components(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: slash) }
  private static func isSame(_ part: ArraySlice<UInt8>) -> Bool { part.elementsEqual(".".utf8) }
  private static func isUp(_ part: ArraySlice<UInt8>) -> Bool { part.elementsEqual("..".utf8) }

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")
}
