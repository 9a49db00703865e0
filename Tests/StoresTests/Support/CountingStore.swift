final class CountingStore: ByteStore, @unchecked Sendable {
  private let memory: MemoryDataStore
  private let lock = NSLock()
  private var written = 0
  private var failing: (@Sendable (DataStoreError.Operation, String?) -> Bool)?
  private var reason = DataStoreError.Reason.failed
  private var failingAfterwards: (@Sendable () -> Bool)?

  init(_ contents: [String: [UInt8]] = [:]) { memory = MemoryDataStore(contents, label: "counting") }
  init(over memory: MemoryDataStore) { self.memory = memory }

  var label: String { memory.label }
  var writes: Int { lock.withLock { written } }

  func fail(
    as reason: DataStoreError.Reason = .failed, _ condition: (@Sendable (DataStoreError.Operation, String?) -> Bool)?
  ) {
    lock.withLock { (failing, self.reason) = (condition, reason) }
  }

  /// Which operations are done and fail all the same, as a file whose folder could not be brought to the disk.
  func failAfterwards(_ condition: (@Sendable () -> Bool)?) { lock.withLock { failingAfterwards = condition } }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try check(.read, name)
    return try memory.data(for: name)
  }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try check(.write, name)
    lock.withLock { written += 1 }
    try memory.set(data, for: name)
    try checkAfterwards(.write, name)
  }

  func remove(_ name: String) throws(DataStoreError) {
    try check(.remove, name)
    lock.withLock { written += 1 }
    try memory.remove(name)
    try checkAfterwards(.remove, name)
  }

  func names() throws(DataStoreError) -> [String] {
    try check(.list, nil)
    return try memory.names()
  }

  private func check(_ operation: DataStoreError.Operation, _ name: String?) throws(DataStoreError) {
    let fails = lock.withLock { failing }?(operation, name) ?? false
    if fails { throw DataStoreError(operation, name, in: label, lock.withLock { reason }) }
  }

  private func checkAfterwards(_ operation: DataStoreError.Operation, _ name: String) throws(DataStoreError) {
    let fails = lock.withLock { failingAfterwards }?() ?? false
    if fails { throw DataStoreError(operation, name, in: label, .failed) }
  }
}

final class Noted<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []

  func add(_ value: Value) { lock.withLock { values.append(value) } }
  var all: [Value] { lock.withLock { values } }
}

enum LastOperation: CaseIterable {
  case before
  case after
}

/// Stores that stop working at an operation, counted over all of them, as if the process had been killed there.
struct StoppingStores {
  private let stores: [CountingStore]
  private let counted = Tally()

  init(_ stores: [CountingStore]) { self.stores = stores }

  var count: Int { counted.value }

  func stop(at number: Int, _ last: LastOperation) {
    counted.reset()
    for store in stores {
      store.fail { [counted] _, _ in
        let count = counted.next()
        return count > number || last == .before && count == number
      }
      if last == .after { store.failAfterwards { [counted] in counted.value == number } }
    }
  }

  func goOn() {
    for store in stores {
      store.fail(nil)
      store.failAfterwards(nil)
    }
  }

  private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func reset() { lock.withLock { count = 0 } }
    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }
}

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
    if isAtomic { return try process.done { () throws(DataStoreError) in try memory.setIfAbsent(data, for: name) } }
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

/// The data of a model in every version that was ever shipped, as files: `Examples/Models/<model>/v<version>.json`.
enum ModelFixtures {
  static func of(_ model: String) -> [Int: String] {
    let folder = packageRoot.appending(path: "Examples/Models/\(model)")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    var fixtures: [Int: String] = [:]
    for file in files {
      guard let match = file.lastPathComponent.wholeMatch(of: /v([0-9]+)\.json/), let version = Int(match.output.1),
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      fixtures[version] = text.trimmingCharacters(in: .newlines)
    }
    return fixtures
  }
}

extension ModelMigrationError.Reason {
  var model: ModelError.Reason? { if case .model(let reason) = self { reason } else { nil } }

  /// The case without what it holds.
  var name: String { String("\(self)".prefix { $0.isLetter }) }
}
