import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Paths to values")
struct InspectedPathTests {
  @Test(
    "a path names the store and the way in it, and quotes what is not plain",
    arguments: [
      ([], ""), ([.name("rl_traits"), .name("address"), .name("lines"), .index(2)], "rl_traits.address.lines[2]"),
      ([.index(0), .index(1), .name("a")], "[0][1].a"), ([.name("rl_traits.userId")], "\"rl_traits.userId\""),
      ([.name("a[0]")], "\"a[0]\""), ([.name("")], "\"\""), ([.name("a\"b\\c")], #""a\"b\\c""#),
      ([.name("\u{1B}[2J")], #""\u{1B}[2J""#), ([.name(#"\u{1b}[2J"#)], #""\\u{1b}[2J""#),
      ([.name("straße")], "\"straße\""), ([.name("NS.keys"), .index(0)], "\"NS.keys\"[0]"),
      ([.name("$class")], "$class"),
    ] as [([InspectedChild.Label], String)])
  func text(labels: [InspectedChild.Label], text: String) {
    let path = InspectedPath(store: "Library/Preferences/com.acme.shop.plist", labels: labels)
    #expect(path.labelText == text)
    #expect(path.text == "Library/Preferences/com.acme.shop.plist" + (labels.isEmpty ? "" : ": " + text))
  }

  @Test(
    "a store's path is quoted where its end would not be clear",
    arguments: [
      ("Library/Application Support/Grüße.plist", "Library/Application Support/Grüße.plist"),
      ("a: b.plist", "\"a: b.plist\""), ("a\nb", #""a\nb""#), ("", "\"\""), (" a", "\" a\""),
    ])
  func store(path: String, text: String) {
    #expect(InspectedPath(store: path, labels: [.name("k")]).text == text + ": k")
  }
}
