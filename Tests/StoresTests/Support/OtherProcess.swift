import CarryoverStorage

/// A process, by what it does with stores that it shares with others: at one operation it is killed, or others are quicker.
/// Operations are counted over all of its stores.
final class OtherProcess: @unchecked Sendable {
  private(set) var count = 0
  private var last: (number: Int, operation: LastOperation)?
  private var others: (number: Int, run: () -> Void)?

  func kill(at number: Int, _ operation: LastOperation) { last = (number, operation) }

  func before(_ number: Int, _ run: @escaping () -> Void) { others = (number, run) }

  /// A store as this process sees it. It has no identity, so no lock of this process's keeps another one out.
  /// - Parameter isAtomic: whether it can look and write at once.
  func store(_ memory: MemoryDataStore, isAtomic: Bool = true) -> any ByteStore {
    SharedStore(memory: memory, isAtomic: isAtomic, process: self)
  }

  fileprivate func done<Result>(
    _ operation: () throws(DataStoreError) -> Result
  ) throws(DataStoreError) -> Result {
    count += 1
    if let others, others.number == count {
      self.others = nil
      others.run()
    }
    let killed = DataStoreError(.read, nil, in: "shared", .failed)
    if let last, count > last.number || count == last.number && last.operation == .before { throw killed }
    let result = try operation()
    if let last, count == last.number { throw killed }
    return result
  }
}

private struct SharedStore: ByteStore {
  let memory: MemoryDataStore
  let isAtomic: Bool
  let process: OtherProcess

  var label: String { "shared" }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try process.done { () throws(DataStoreError) in try memory.data(for: name) }
  }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try process.done { () throws(DataStoreError) in try memory.set(data, for: name) }
  }

  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    if isAtomic {
      return try process.done { () throws(DataStoreError) in try memory.setIfAbsent(data, for: name) }
    }
    guard try self.data(for: name) == nil else { return false }
    try set(data, for: name)
    return true
  }

  func remove(_ name: String) throws(DataStoreError) {
    try process.done { () throws(DataStoreError) in try memory.remove(name) }
  }

  func names() throws(DataStoreError) -> [String] {
    try process.done { () throws(DataStoreError) in try memory.names() }
  }
}
