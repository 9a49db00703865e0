public import CarryoverStorage
import Crypto
import Foundation

extension EncryptedFileStore {
  /// Renames a value that cannot be opened, without changing its bytes, so that its name can be written again. With the
  /// right key, ``putBack(_:)`` restores it.
  /// - Returns: the new name; nil if there is no value under the name.
  /// - Throws: `DataStoreError`. The value then still has its old name.
  @discardableResult
  public func setAside(_ name: String) throws(DataStoreError) -> String? {
    guard let bytes = try sealed.files.data(for: name) else { return nil }
    let aside = AsideName.make(name, of: bytes)
    try move(bytes, from: name, to: aside)
    return aside
  }

  /// Renames a value that was set aside to its old name.
  /// - Parameter aside: the name that ``setAside(_:)`` returned.
  /// - Returns: the old name; nil if there is no such value.
  /// - Throws: `DataStoreError`; `occupied` if the old name now has another value. Both values are unchanged then.
  @discardableResult
  public func putBack(_ aside: String) throws(DataStoreError) -> String? {
    guard let name = AsideName.name(of: aside), let bytes = try sealed.files.data(for: aside) else { return nil }
    if let present = try sealed.files.data(for: name), present != bytes {
      throw DataStoreError(.write, name, in: label, .occupied)
    }
    try move(bytes, from: aside, to: name)
    return name
  }

  /// The names of the values that are set aside, sorted by their UTF-8 bytes.
  /// - Throws: `DataStoreError` if the names cannot be read.
  public func setAsideNames() throws(DataStoreError) -> [String] { try sealed.files.names().filter(AsideName.isOne) }

  /// Copies, verifies, then removes. A crash leaves both copies; the next call finishes the move.
  private func move(_ bytes: [UInt8], from old: String, to new: String) throws(DataStoreError) {
    try sealed.files.set(bytes, for: new)
    guard try sealed.files.data(for: new) == bytes else { throw DataStoreError(.write, new, in: label, .verification) }
    try sealed.files.remove(old)
  }
}

/// The name of a value that was set aside: the old name, a suffix and a hash of the bytes. The same bytes get the same
/// name, and other bytes are never replaced.
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
