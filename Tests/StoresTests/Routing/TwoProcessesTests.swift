import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("An app and its extension on the same files")
struct TwoProcessesTests {
  /// Another process sets a value when this one has seen that there is none, and is about to write.
  @Test(
    "what another process sets meanwhile is not replaced by the value of before (E1)",
    arguments: [StorageConflictPolicy.keepDestination, .keepDestinationAndRemoveSources, .replace], [false, true])
  func set(policy: StorageConflictPolicy, isMade: Bool) async throws {
    let place = try StorePlace(.files)
    let files = try place.open()
    let interruptions = Noted<String>()
    let others = FailingFileSystem(before: { operation, path in
      guard operation == .rename, path.hasSuffix("/token.data"), interruptions.all.isEmpty else { return }
      interruptions.add(path)
      try? files.set(Array("of the app".utf8), for: "token")
    })
    let store = FileDataStore(folder: place.folder.appending(path: "files").path, fileSystem: others)
    let old = MemoryDataStore(["old": Array("legacy".utf8)])
    let router = StorageRouter { if case .files = $0 { store } else { old } }
    let domain = StorageDomain.files(folder: "files")
    let source = LegacyKey(name: "old", domain: .userDefaults(suite: nil))
    let key: any StorageKey =
      isMade
      ? MadeKey(domain: domain, source: source, policy: policy)
      : TextKey(name: "token", domain: domain, source: source, policy: policy)
    let result = try await router.forceMigration(for: key)
    #expect(interruptions.all.count == 1)
    #expect(try files.data(for: "token") == Array("of the app".utf8))
    let isRemoved = policy == .keepDestinationAndRemoveSources
    #expect(result == (isRemoved ? .superseded : .conflict))
    #expect(try old.names().isEmpty == isRemoved)
  }

  @Test("a store puts bytes only where there are none, if it is asked to (E1)", arguments: StoreKind.allCases)
  func insertion(kind: StoreKind) throws {
    let place = try StorePlace(kind)
    let store = try place.open()
    #expect(try store.setIfAbsent([1], for: "name"))
    #expect(try !store.setIfAbsent([2], for: "name"))
    #expect(try place.open().data(for: "name") == [1] && store.names() == ["name"])
    #expect(try place.leftovers().isEmpty)
    #expect(throws: DataStoreError.self) { try store.setIfAbsent([1], for: "") }
  }

  @Test(
    "of a hundred that put bytes where there are none, one does (E1)",
    arguments: [StoreKind.memory, .files, .encryptedFiles])
  func hundred(kind: StoreKind) async throws {
    let place = try StorePlace(kind)
    let stores = try (0..<100).map { _ in try place.open() }
    let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask { try store.setIfAbsent([UInt8(number)], for: "name") ? UInt8(number) : nil }
      }
      return try await group.reduce(into: [UInt8]()) { all, one in if let one { all.append(one) } }
    }
    #expect(winners.count == 1)
    #expect(try stores[0].data(for: "name") == winners)
    #expect(try place.leftovers().isEmpty)
  }
}

private struct MadeKey: StorageKey {
  let name = "token"
  var domain: StorageDomain
  var source: LegacyKey
  var policy: StorageConflictPolicy
  var serializer: StorageSerializer<String> { .text }

  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(destinationKey: self, sourceKey: source, conflictPolicy: policy) {
        String(decoding: $0, as: UTF8.self) + ", made"
      })
  }
}
