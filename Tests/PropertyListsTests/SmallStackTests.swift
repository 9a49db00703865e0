import PropertyLists
import Testing

@Suite("Small stacks")
struct SmallStackTests {
  @Test("Depth 512 is read, compared, edited and written on a thread with a stack of 512 KiB")
  func depth() {
    onSmallStack(Self.work)
  }

  private static func work() throws -> String {
    for format in PropertyListFormat.allCases {
      let value = PropertyListValue.dictionary(["a": Samples.nested(511)])
      let bytes = try PropertyListDocument.encode(value, as: format)
      let document = try PropertyListDocument(bytes: bytes)
      guard document.root == value, document.root.hashValue == value.hashValue else { return "differs" }
      let edited = try PropertyListDocument(bytes: try document.editing([.set("b", Samples.nested(500))]))
      guard edited.dictionary?["b"] == Samples.nested(500) else { return "edit differs" }
    }
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let json = try JSONText(text)
    guard json.value.text() == text, json.value == json.value, json.value.text(pretty: true).count > 1024 else {
      return "JSON differs"
    }
    return "done"
  }
}
