import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Byte strings in a table")
struct ByteTableTests {
  @Test("every string is there once, under the number it came in with, however many there are")
  func numbers() {
    var table = ByteTable()
    var map = ByteMap<Int>()
    let strings = (0..<5_000).map { number in Array(String(number * number % 4_999).utf8) } + [[], [0], [0, 0], [255]]
    var expected: [[UInt8]: Int] = [:]
    for string in strings {
      let number = expected[string] ?? expected.count
      let inserted = string.withUnsafeBufferPointer { table.insert($0) }
      #expect(inserted.number == number && inserted.isNew == (expected[string] == nil))
      expected[string] = number
      string.withUnsafeBufferPointer { map.update($0) { ($0 ?? 0) + 1 } }
    }
    #expect(table.count == expected.count && table.count > 2_000)
    for (string, number) in expected {
      #expect(table.contains(string) && Array(table[number]) == string)
      #expect(map[string] == strings.count { $0 == string })
    }
    #expect(!table.contains(Array("none".utf8)) && map[Array("none".utf8)] == nil)
    #expect(!ByteTable().contains([]))
  }

  @Test("room that is made beforehand changes nothing")
  func reserved() {
    var (one, other) = (ByteTable(), ByteTable())
    other.reserve(1_000)
    for number in 0..<2_000 {
      String(number).withBytes {
        one.insert($0)
        other.insert($0)
      }
    }
    #expect(one == other && one.hashValue == other.hashValue)
    "x".withBytes { _ = other.insert($0) }
    #expect(one != other)
  }
}
