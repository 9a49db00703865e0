/// Bytes kept under names: a model's JSON, a router's value, a backup. UserDefaults, a keychain, a folder of files and
/// a folder of encrypted files are all of this kind.
///
/// Each write replaces the bytes of one name as a whole: after a crash there are the old bytes or the new ones. A write
/// that returned is durable as far as the store can promise it; each says how far that is.
///
/// Names are told apart byte by byte: two that look the same and are spelt differently are two.
public protocol DataStore: Sendable {
  /// What the store is called in errors and reports: a path, a suite's name.
  var label: String { get }

  /// The bytes under a name; nil where there are none.
  /// - Throws: ``DataStoreError`` where there may be some and they cannot be had.
  func data(for name: String) throws(DataStoreError) -> [UInt8]?

  /// Puts bytes under a name, in place of those that are there.
  /// - Throws: ``DataStoreError``; there are the bytes of before or the new ones, as a whole. A file may stand in place
  ///   already when its folder cannot be brought to the disk. Look at what is there where that matters.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError)

  /// Takes a name and its bytes away; nothing happens where there are none.
  /// - Throws: ``DataStoreError``; the bytes are there still, or gone as a whole.
  func remove(_ name: String) throws(DataStoreError)

  /// The names there are, sorted by their bytes.
  /// - Throws: ``DataStoreError`` where they cannot be had.
  func names() throws(DataStoreError) -> [String]
}
