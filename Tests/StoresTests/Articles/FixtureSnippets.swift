import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

// snippet: fixtures
/// The data that each version of the app stored, byte for byte. The entry of a released version never changes.
nonisolated let customerFixtures: [Int: String] = [
  0: #"{"name":"Jo Doe"}"#,
  1: #"{"name":"Jo Doe","email":"---","version":1}"#,
  2: #"{"alias":"Jo Doe","email":"---","version":2}"#,
]
// end snippet

// snippet: failing-store
/// An in-memory store that allows a number of writes and fails all later ones, as if the process had been killed.
nonisolated final class StoreCutOff: ByteStore, @unchecked Sendable {
  let memory: MemoryDataStore
  private let lock = NSLock()
  private var writesLeft: Int
  let label = "cut off"

  init(_ memory: MemoryDataStore, afterWrites writes: Int) {
    self.memory = memory
    writesLeft = writes
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? { try memory.data(for: name) }
  func names() throws(DataStoreError) -> [String] { try memory.names() }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try spend(.write, name)
    try memory.set(data, for: name)
  }

  func remove(_ name: String) throws(DataStoreError) {
    try spend(.remove, name)
    try memory.remove(name)
  }

  private func spend(_ operation: DataStoreError.Operation, _ name: String) throws(DataStoreError) {
    let isLeft = lock.withLock {
      writesLeft -= 1
      return writesLeft >= 0
    }
    if !isLeft { throw DataStoreError(operation, name, in: label, .failed) }
  }
}
// end snippet

@Suite("The article about fixtures")
struct FixtureSnippetTests {
  // snippet: fixture-test
  @Test("a customer of every version that was ever shipped is read", arguments: customerFixtures)
  func everyVersion(version: Int, json: String) throws {
    let store = MemoryDataStore(["customer": Array(json.utf8)])
    let report = try CustomerHistory.migration(in: store).run()
    #expect(report.value == Customer(alias: "Jo Doe", email: "---"))
    #expect(report.from == version)
    #expect(try CustomerHistory.migration(in: store).run().hasWritten == false)
  }

  @Test("every version has a fixture")
  func complete() throws {
    let migrator = try CustomerHistory.migrator()
    #expect(customerFixtures.keys.sorted() == Array(migrator.versions))
  }
  // end snippet

  // snippet: cut-off-test
  @Test("cut off at any write, the next start finishes it", arguments: 0..<2)
  func cutOff(writes: Int) throws {
    let memory = MemoryDataStore(["customer": Array(#"{"name":"Jo Doe"}"#.utf8)])
    let cutOff = StoreCutOff(memory, afterWrites: writes)
    #expect(throws: ModelMigrationError.self) { try CustomerHistory.migration(in: cutOff).run() }
    #expect(try CustomerHistory.migration(in: memory).run().value == Customer(alias: "Jo Doe", email: "---"))
  }
  // end snippet
}
