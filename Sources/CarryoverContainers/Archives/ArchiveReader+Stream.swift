import PropertyLists

/// A part of an archive's selected files, in the order of the archive.
enum ArchivePart {
  /// The start of a file. Its bytes follow and add up to its size.
  case file(path: String, size: Int64)
  /// The next bytes of the file.
  case bytes([UInt8])
  /// The end of the file.
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

  /// Passes the zeros of a hole.
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
