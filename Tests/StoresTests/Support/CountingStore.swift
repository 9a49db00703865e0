import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation

final class CountingStore: ByteStore, @unchecked Sendable {
  private let memory: MemoryDataStore
  private let lock = NSLock()
  private var written = 0
  private var failing: (@Sendable (DataStoreError.Operation, String?) -> Bool)?
  private var failingAfterwards: (@Sendable () -> Bool)?

  init(_ contents: [String: [UInt8]] = [:]) { memory = MemoryDataStore(contents) }

  var label: String { "counting" }
  var writes: Int { lock.withLock { written } }

  func fail(_ condition: (@Sendable (DataStoreError.Operation, String?) -> Bool)?) {
    lock.withLock { failing = condition }
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
    if fails { throw DataStoreError(operation, name, in: label, .failed) }
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
