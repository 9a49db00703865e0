import CarryoverSystem
import PropertyLists

/// A data store in memory, for tests and previews: durable as long as it lives.
public final class MemoryDataStore: ByteStore {
  /// What the store is called.
  public let label: String
  private let contents: Locked<[StringByBytes: [UInt8]]>

  /// A store that holds some data already.
  public init(_ contents: [String: [UInt8]] = [:], label: String = "memory") {
    self.label = label
    self.contents = Locked(
      Dictionary(contents.map { (StringByBytes($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The bytes under a name.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try checkName(name, .read)
    return contents.withLock { $0[StringByBytes(name)] }
  }

  /// Puts bytes under a name.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try checkName(name, .write)
    contents.withLock { $0[StringByBytes(name)] = data }
  }

  /// Puts bytes under a name that has none.
  public func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try checkName(name, .write)
    return contents.withLock { contents in
      let key = StringByBytes(name)
      guard contents[key] == nil else { return false }
      contents[key] = data
      return true
    }
  }

  /// Takes a name away.
  public func remove(_ name: String) throws(DataStoreError) {
    try checkName(name, .remove)
    contents.withLock { $0[StringByBytes(name)] = nil }
  }

  /// The names there are.
  public func names() throws(DataStoreError) -> [String] {
    contents.withLock { Array($0.keys) }.map(\.text).sortedByBytes()
  }
}

extension ByteStore {
  /// - Throws: ``DataStoreError`` for a name that no store takes.
  func checkName(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) {
    if name.isEmpty { throw DataStoreError(operation, name, in: label, .badName(.empty)) }
  }
}
