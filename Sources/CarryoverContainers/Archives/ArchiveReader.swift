import Carryover

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

  /// The bytes of the current entry; nil if they are not needed.
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
  /// Whether there were bytes outside the entry.
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

  /// The whole content.
  mutating func finish(mayHaveHoles: Bool, _ pass: ArchivePass) throws(ContainerError) -> [UInt8] {
    guard bytes.count == size || mayHaveHoles else { throw pass.refused(.truncated) }
    fill(to: size)
    return bytes
  }

  /// Fills a hole in a sparse file with zeros.
  private mutating func fill(to place: Int) {
    if place > bytes.count { bytes.append(contentsOf: repeatElement(0, count: place - bytes.count)) }
  }
}
