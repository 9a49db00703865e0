import Carryover
import Foundation
import Testing

@Suite("Every store of data")
struct DataStoreConformanceTests {
  private static let names = [
    "a", "A", "person", "with space", "slash/inside", "../up", ".hidden", "percent%2f", "ünïcödé", "日本語", "🗝",
    "new\nline", "%", "a.data", String(repeating: "n", count: 60),
  ]

  @Test(
    "E6 what was put under a name comes back byte for byte, also after it was opened again",
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
    #expect(listed == listed.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
  }

  @Test("E6 a second value replaces the first, and a removed name is gone", arguments: StoreKind.allCases)
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

  @Test("E6 an empty name is refused", arguments: StoreKind.allCases)
  func emptyName(kind: StoreKind) throws {
    let store = try StorePlace(kind).open()
    let error = #expect(throws: DataStoreError.self) { try store.set([1], for: "") }
    #expect(error?.reason == .badName(.empty))
  }
}
