/// Bytes kept under names: a model's JSON, a router's value, a backup. UserDefaults, a keychain, a folder of files and
/// a folder of encrypted files are all of this kind.
///
/// Each write replaces the bytes of one name as a whole: after a crash there are the old bytes or the new ones. A write
/// that returned is durable as far as the store can promise it; each says how far that is.
///
/// Names are told apart byte by byte: two that look the same and are spelt differently are two.
public protocol ByteStore: Sendable {
  /// What the store is called in errors and reports: a path, a suite's name.
  var label: String { get }

  /// What the store has in common with others that keep the same bytes under the same names; nil where it cannot say.
  /// By default an object is the same store as itself, and a value says nothing.
  var identity: DataStoreIdentity? { get }

  /// The bytes under a name; nil where there are none.
  /// - Throws: ``DataStoreError`` where there may be some and they cannot be had.
  func data(for name: String) throws(DataStoreError) -> [UInt8]?

  /// Puts bytes under a name, in place of those that are there.
  /// - Throws: ``DataStoreError``; there are the bytes of before or the new ones, as a whole. A file may stand in place
  ///   already when its folder cannot be brought to the disk. Look at what is there where that matters.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError)

  /// Puts bytes under a name that has none. By default the store is read and then written, so that bytes that another
  /// process puts there in between are replaced; a store that can do both at once should.
  /// - Returns: whether they were put there; what stands under the name stays.
  /// - Throws: ``DataStoreError``, as ``set(_:for:)`` does.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool

  /// The whole number under a name, such as the version of data beside it; nil where there is none. Decimal text by
  /// default. A store that has numbers, or forwards to one, implements both.
  /// - Throws: ``DataStoreError``, with `notInteger` where something else is there.
  func integer(for name: String) throws(DataStoreError) -> Int?

  /// Puts a whole number under a name, in the form it has there.
  /// - Throws: ``DataStoreError``, as ``set(_:for:)`` does.
  func setInteger(_ number: Int, for name: String) throws(DataStoreError)

  /// Takes a name and its bytes away; nothing happens where there are none.
  /// - Throws: ``DataStoreError``; the bytes are there still, or gone as a whole.
  func remove(_ name: String) throws(DataStoreError)

  /// The names there are, sorted by their bytes.
  /// - Throws: ``DataStoreError`` where they cannot be had.
  func names() throws(DataStoreError) -> [String]
}

extension ByteStore {
  /// An object is the same store as itself.
  public var identity: DataStoreIdentity? {
    type(of: self) is AnyObject.Type ? DataStoreIdentity(object: self as AnyObject) : nil
  }

  /// Reads decimal text.
  public func integer(for name: String) throws(DataStoreError) -> Int? {
    guard let bytes = try data(for: name) else { return nil }
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
      throw DataStoreError(.read, name, in: label, .notInteger)
    }
    return number
  }

  /// Writes decimal text.
  public func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    try set(Array(String(number).utf8), for: name)
  }

  /// Looks, and then writes.
  public func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    guard try self.data(for: name) == nil else { return false }
    try set(data, for: name)
    return true
  }
}

/// A store that forwards every call to another, so that a public store declares only its initializers.
package protocol ForwardingStore: ByteStore {
  /// The store that does the work.
  var base: any ByteStore { get }
}

extension ForwardingStore {
  /// The other store's.
  public var label: String { base.label }
  /// The other store's.
  public var identity: DataStoreIdentity? { base.identity }
  /// What the other store has.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? { try base.data(for: name) }
  /// Puts them into the other store.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) { try base.set(data, for: name) }
  /// Puts them into the other store.
  public func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try base.setIfAbsent(data, for: name)
  }
  /// The number that the other store has.
  public func integer(for name: String) throws(DataStoreError) -> Int? { try base.integer(for: name) }
  /// Puts it into the other store.
  public func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    try base.setInteger(number, for: name)
  }
  /// Removes it from the other store.
  public func remove(_ name: String) throws(DataStoreError) { try base.remove(name) }
  /// The other store's.
  public func names() throws(DataStoreError) -> [String] { try base.names() }
}
