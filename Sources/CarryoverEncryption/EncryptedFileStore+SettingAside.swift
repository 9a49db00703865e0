public import CarryoverStorage
import Crypto
import Foundation

extension EncryptedFileStore {
  /// Moves what cannot be opened out of the way, as it is, so that its name can be written again. Nothing is lost: with the
  /// right key ``putBack(_:)`` brings it back.
  /// - Returns: what it is called now; nil where there is nothing under the name.
  /// - Throws: `DataStoreError`; it stands where it stood.
  @discardableResult
  public func setAside(_ name: String) throws(DataStoreError) -> String? {
    guard let bytes = try sealed.files.data(for: name) else { return nil }
    let aside = AsideName.make(name, of: bytes)
    try move(bytes, from: name, to: aside)
    return aside
  }

  /// Moves what was set aside back under its name.
  /// - Returns: the name; nil where nothing was set aside under this one.
  /// - Throws: `DataStoreError`, `occupied` where something else stands under the name by now. Both stand
  ///   where they stood.
  @discardableResult
  public func putBack(_ aside: String) throws(DataStoreError) -> String? {
    guard let name = AsideName.name(of: aside), let bytes = try sealed.files.data(for: aside) else { return nil }
    if let present = try sealed.files.data(for: name), present != bytes {
      throw DataStoreError(.write, name, in: label, .occupied)
    }
    try move(bytes, from: aside, to: name)
    return name
  }

  /// What was set aside and is there still, sorted by its bytes.
  /// - Throws: `DataStoreError` where it cannot be had.
  public func setAsideNames() throws(DataStoreError) -> [String] { try sealed.files.names().filter(AsideName.isOne) }

  /// Copied, read back and only then removed: a crash leaves both, and the next call finishes it.
  private func move(_ bytes: [UInt8], from old: String, to new: String) throws(DataStoreError) {
    try sealed.files.set(bytes, for: new)
    guard try sealed.files.data(for: new) == bytes else { throw DataStoreError(.write, new, in: label, .verification) }
    try sealed.files.remove(old)
  }
}

/// The name of what was set aside: its old one, and a number that follows from its bytes, so that the same bytes are set
/// aside once and no others are replaced.
enum AsideName {
  private static let mark = ".set-aside-"
  private static let digits = 16

  static func make(_ name: String, of bytes: [UInt8]) -> String {
    let hash = SHA256.hash(data: bytes).prefix(digits / 2)
    return name + mark + hash.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  static func name(of aside: String) -> String? {
    let utf8 = Array(aside.utf8)
    let end = utf8.count - digits
    let start = end - mark.utf8.count
    guard start > 0, utf8[start..<end].elementsEqual(mark.utf8),
      utf8[end...].allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    return String(decoding: utf8[..<start], as: UTF8.self)
  }

  static func isOne(_ name: String) -> Bool { self.name(of: name) != nil }
}
