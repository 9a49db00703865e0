/// A piece of what is taken out of an archive, in the archive's order.
enum ArchivePart {
  /// A file begins; its bytes follow, and add up to its size.
  case file(path: String, size: Int64)
  /// The next bytes of the file that has begun.
  case bytes([UInt8])
  /// The file that has begun has all its bytes.
  case end
  /// A file with the same bytes as one that was handed over before.
  case copy(path: String, of: String)
  /// A file with the same bytes as one that was not selected: they cannot be had in this pass.
  case missing(path: String)
}

extension ArchiveReader {
  /// Goes through an archive once more and hands over the files that are selected, piece by piece. Folders and links are
  /// not handed over: the tree has them.
  /// - Parameters:
  ///   - version: the state of the file that the tree is of; nil for whatever it is by now.
  ///   - isSelected: asked with the path in the tree of every file.
  ///   - receive: gets the parts; what it throws ends the work.
  /// - Throws: what `tree` throws too; `changed` where the file is not what it was then, maybe after parts of it were
  ///   handed over.
  static func stream(
    archiveAt path: String, as version: SourceFile.Version? = nil, limits: ArchiveLimits = ArchiveLimits(),
    selecting isSelected: (String) -> Bool, observer: OpeningObserver = .none,
    receive: (ArchivePart) throws(ContainerError) -> Void
  ) throws(ContainerError) {
    let names = ArchiveLibrary.names
    guard var pass = try ArchivePass(path, limits: limits, observer: observer, names: names, version: version)
    else { return }
    var handedOver: Set<String> = []
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

  /// Hands over the zeros of a hole.
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
