import CarryoverSystem
import PropertyLists

/// A store in memory, for tests and previews. Copies share their bytes.
public struct MemoryDataStore: ByteStore, ForwardingStore {
  package let base: any ByteStore

  /// Creates a store that contains some data.
  public init(_ contents: [String: [UInt8]] = [:], label: String = "memory") {
    base = MemoryBytes(contents, label: label)
  }
}

/// The bytes of a store in memory, shared by its copies.
private final class MemoryBytes: ByteStore {
  let label: String
  private let contents: Locked<[StringByBytes: [UInt8]]>

  init(_ contents: [String: [UInt8]], label: String) {
    self.label = label
    self.contents = Locked(
      Dictionary(contents.map { (StringByBytes($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try checkName(name, .read)
    return contents.withLock { $0[StringByBytes(name)] }
  }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try checkName(name, .write)
    contents.withLock { $0[StringByBytes(name)] = data }
  }

  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try checkName(name, .write)
    return contents.withLock { contents in
      let key = StringByBytes(name)
      guard contents[key] == nil else { return false }
      contents[key] = data
      return true
    }
  }

  func remove(_ name: String) throws(DataStoreError) {
    try checkName(name, .remove)
    contents.withLock { $0[StringByBytes(name)] = nil }
  }

  func names() throws(DataStoreError) -> [String] {
    contents.withLock { Array($0.keys) }.map(\.text).sortedByBytes()
  }
}

extension ByteStore {
  /// - Throws: ``DataStoreError`` for a name that no store accepts.
  func checkName(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) {
    if name.isEmpty { throw DataStoreError(operation, name, in: label, .badName(.empty)) }
  }
}
