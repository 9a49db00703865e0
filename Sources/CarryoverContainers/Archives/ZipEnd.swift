/// The record at the end of a zip file, for facts that the library does not return.
struct ZipEnd {
  /// Whether the file is one of several volumes.
  let isVolume: Bool
  /// Whether there are no entries. The library does not recognise such a file.
  let isEmpty: Bool

  /// The size of the record with the longest comment, in bytes.
  static let longest = 22 + 65_535

  /// The record in the last bytes of a file; nil if there is none.
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
