import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("Every store of data")
struct DataStoreConformanceTests {
  private static let names = [
    "a", "A", "person", "with space", "slash/inside", "../up", ".hidden", "percent%2f", "ünïcödé", "日本語", "🗝",
    "new\nline", "%", "a.data", String(repeating: "n", count: 60),
  ]

  @Test(
    "what was put under a name comes back byte for byte, also after it was opened again (E6)",
    arguments: StoreKind.allCases)
  func roundTrip(kind: StoreKind) throws {
    let place = try StorePlace(kind)
    let values: [[UInt8]] = [[], [0], Array(0...255), Array("{\"a\":1}".utf8), Array(repeating: 0xFF, count: 1 << 20)]
    for (index, name) in Self.names.enumerated() {
      let value = values[index % values.count]
      let store = try place.open()
      #expect(try store.data(for: name) == nil)
      try store.set(value, for: name)
      #expect(try store.data(for: name) == value)
    }
    let again = try place.open()
    for (index, name) in Self.names.enumerated() {
      #expect(try again.data(for: name) == values[index % values.count], "\(name)")
    }
    let listed = try again.names()
    #expect(Set(listed).isSuperset(of: Self.names))
    #expect(listed == listed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("a second value replaces the first, and a removed name is gone (E6)", arguments: StoreKind.allCases)
  func replaceAndRemove(kind: StoreKind) throws {
    let place = try StorePlace(kind)
    let store = try place.open()
    try store.set([1], for: "one")
    try store.set([2], for: "two")
    try store.set([1, 1], for: "one")
    #expect(try store.data(for: "one") == [1, 1])
    try store.remove("one")
    try store.remove("one")
    #expect(try store.data(for: "one") == nil)
    #expect(try store.data(for: "two") == [2])
    #expect(try !place.open().names().contains("one"))
  }

  @Test("an empty name is refused (E6)", arguments: StoreKind.allCases)
  func emptyName(kind: StoreKind) throws {
    let store = try StorePlace(kind).open()
    let error = #expect(throws: DataStoreError.self) { try store.set([1], for: "") }
    #expect(error?.reason == .badName(.empty))
  }

  @Test("names that a disk may take for one another are kept apart (E6)", arguments: StoreKind.allCases)
  func likeNames(kind: StoreKind) throws {
    let place = try StorePlace(kind)
    // Precomposed and decomposed, upper and lower case, and what escaping makes of another.
    let names = [
      "token", "Token", "TOKEN", "%54oken", "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "stra\u{df}e", "strasse",
    ]
    let refused = kind.refusesEquivalentNames ? 5 : nil
    for (index, name) in names.enumerated() {
      let store = try place.open()
      do throws(DataStoreError) {
        try store.set([UInt8(index)], for: name)
        #expect(index != refused)
      } catch {
        #expect(index == refused && error.reason == .occupied)
      }
    }
    for (index, name) in names.enumerated() {
      #expect(try place.open().data(for: name) == (index == refused ? nil : [UInt8(index)]), "\(name)")
    }
    if kind == .files || kind == .encryptedFiles {
      let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.appending(path: kind.folder).path)
      #expect(Set(files.map { $0.lowercased() }).count == names.count)
      #expect(files.allSatisfy { file in file.utf8.allSatisfy { $0 < 128 } })
    }
    try place.open().remove(names[5])
    #expect(try place.open().data(for: names[5]) == nil)
    #expect(try place.open().data(for: names[4]) == [4])
    #expect(try place.open().names().contains { $0.utf8.elementsEqual(names[4].utf8) })
  }

  @Test("of many that write one name at once the last wins, as a whole (E6)", arguments: StoreKind.allCases)
  func concurrentWriters(kind: StoreKind) async throws {
    let place = try StorePlace(kind)
    let values = (0..<8).map { number in Array(repeating: UInt8(number), count: 1 + number * 1000) }
    let stores = try values.map { _ in try place.open() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (store, value) in zip(stores, values) {
        group.addTask {
          for _ in 0..<4 {
            try store.set(value, for: "shared")
            let read = try store.data(for: "shared")
            #expect(read.map(values.contains) == true)
            try store.set(value, for: "own\(value.count)")
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try place.open()
    #expect(try store.data(for: "shared").map(values.contains) == true)
    for value in values { #expect(try store.data(for: "own\(value.count)") == value) }
    #expect(try place.leftovers().isEmpty)
  }

  @Test("a name that is removed while others read it is there or not, and no error (E6)", arguments: StoreKind.allCases)
  func concurrentRemoval(kind: StoreKind) async throws {
    let place = try StorePlace(kind)
    let stores = try (0..<4).map { _ in try place.open() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for _ in 0..<20 {
            switch index {
            case 0: try store.set([1, 2, 3], for: "name")
            case 1: try store.remove("name")
            default: #expect(try [nil, [1, 2, 3]].contains(store.data(for: "name")))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
