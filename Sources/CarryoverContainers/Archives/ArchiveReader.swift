import Carryover
import PropertyLists

/// Reads archives through libarchive: zip, and tar without compression or with gzip, bzip2, xz or zstd.
///
/// It writes nothing. It uses only the decompressors in the library, and never starts a program.
enum ArchiveReader {
  /// The files of an archive, with the bytes of those that containers are read from.
  ///
  /// Links are in the tree as links and are not followed. A hard link is a file. The metadata files of macOS,
  /// `__MACOSX` and `._name`, are not in the tree.
  /// - Parameter files: the files that recipes read, whatever their names are.
  /// - Throws: `refusedArchive` if the archive is damaged, changes, or has content that could do harm;
  ///   `archiveLibraryMissing` if the library is not installed.
  static func tree(
    ofArchiveAt path: String, limits: ArchiveLimits = ArchiveLimits(), files: [StoreFile] = ContainerOptions().files,
    observer: OpeningObserver = .none, library names: [String] = ArchiveLibrary.names
  ) throws(ContainerError) -> FileTree {
    guard var pass = try ArchivePass(path, limits: limits, observer: observer, names: names) else { return FileTree() }
    var kept = KeptContent(limits: limits, files: files)
    while let entry = try pass.next() {
      guard entry.original == nil, case .file(let file) = entry.node else {
        try pass.skip()
        continue
      }
      let choice = kept.choice(entry.path, size: file.size)
      if let bytes = try read(file.size, choice, kept, &pass) {
        kept.keep(bytes.count, choice)
        pass.fill(entry.path, FileTree.File(size: file.size, content: .bytes(bytes)))
      }
      try pass.skip()
    }
    try pass.checkUnchanged()
    return pass.result
  }

  private static func read(
    _ size: Int64, _ choice: KeptContent.Choice, _ kept: KeptContent, _ pass: inout ArchivePass
  ) throws(ContainerError) -> [UInt8]? {
    if case .leave = choice { return nil }
    var content = EntryContent(size: size)
    var isFirst = true
    while try pass.data({ content.append($0) }) {
      if content.isDamaged { throw pass.refused(.damaged("")) }
      if isFirst, case .look = choice, !kept.isWanted(beginning: content.bytes) { return nil }
      isFirst = false
    }
    return try content.finish(mayHaveHoles: !pass.hasNoHoles, pass)
  }
}

/// The bytes of an entry while they are read, never more than the archive states.
private struct EntryContent {
  private(set) var bytes: [UInt8] = []
  private(set) var isDamaged = false
  private let size: Int

  init(size: Int64) { self.size = Int(size) }

  mutating func append(_ block: OpenArchive.Block) {
    guard let offset = Int(exactly: block.offset), offset >= bytes.count, offset <= size,
      block.bytes.count <= size - offset
    else {
      isDamaged = isDamaged || !block.bytes.isEmpty
      return
    }
    fill(to: offset)
    bytes.append(contentsOf: block.bytes)
  }

  mutating func finish(mayHaveHoles: Bool, _ pass: ArchivePass) throws(ContainerError) -> [UInt8] {
    guard bytes.count == size || mayHaveHoles else { throw pass.refused(.truncated) }
    fill(to: size)
    return bytes
  }

  private mutating func fill(to place: Int) {
    if place > bytes.count { bytes.append(contentsOf: repeatElement(0, count: place - bytes.count)) }
  }
}

/// A part of an archive's selected files, in the order of the archive.
enum ArchivePart {
  /// The start of a file. Its bytes follow and add up to its size.
  case file(path: String, size: Int64)
  case bytes([UInt8])
  case end
  /// A file with the same bytes as an earlier one.
  case copy(path: String, of: String)
  /// A file with the same bytes as one that was not selected. They are not available in this pass.
  case missing(path: String)
}

extension ArchiveReader {
  /// Reads an archive again and passes the selected files to a closure, in pieces. Folders and links are not passed:
  /// they are in the tree.
  /// - Parameters:
  ///   - version: the state of the file that the tree belongs to; nil for any state.
  ///   - isSelected: whether a file is selected, by its path in the tree.
  ///   - receive: receives the parts. If it throws, the work ends.
  /// - Throws: the errors of `tree`, and `changed` if the file is no longer in that state, possibly after some parts
  ///   were passed.
  static func stream(
    archiveAt path: String, as version: SourceFile.Version? = nil, limits: ArchiveLimits = ArchiveLimits(),
    selecting isSelected: (String) -> Bool, observer: OpeningObserver = .none,
    receive: (ArchivePart) throws(ContainerError) -> Void
  ) throws(ContainerError) {
    let names = ArchiveLibrary.names
    guard var pass = try ArchivePass(path, limits: limits, observer: observer, names: names, version: version)
    else { return }
    var handedOver: Set<StringByBytes> = []
    while let entry = try pass.next() {
      if case .file(let file) = entry.node, isSelected(entry.path) {
        if let original = entry.original {
          try receive(
            handedOver.contains(original) ? .copy(path: entry.path, of: original) : .missing(path: entry.path))
        } else {
          try receive(.file(path: entry.path, size: file.size))
          try hand(over: file.size, &pass, receive)
          try receive(.end)
          handedOver.insert(entry.path)
        }
      }
      try pass.skip()
    }
    try pass.checkUnchanged()
  }

  private static func hand(
    over size: Int64, _ pass: inout ArchivePass, _ receive: (ArchivePart) throws(ContainerError) -> Void
  ) throws(ContainerError) {
    var done: Int64 = 0
    var place: Int64 = 0
    var piece: [UInt8] = []
    while try pass.data({ block in
      place = block.offset
      piece = Array(block.bytes)
    }) {
      if piece.isEmpty { continue }
      guard place >= done, place <= size, Int64(piece.count) <= size - place else { throw pass.refused(.damaged("")) }
      try fill(place - done, receive)
      try receive(.bytes(piece))
      done = place + Int64(piece.count)
    }
    guard done == size || !pass.hasNoHoles else { throw pass.refused(.truncated) }
    try fill(size - done, receive)
  }

  private static func fill(
    _ count: Int64, _ receive: (ArchivePart) throws(ContainerError) -> Void
  ) throws(ContainerError) {
    var left = count
    while left > 0 {
      let piece = Int(min(left, 1 << 18))
      try receive(.bytes([UInt8](repeating: 0, count: piece)))
      left -= Int64(piece)
    }
  }
}
