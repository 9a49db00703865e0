import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@Suite("JSON that is looked at")
struct VisibleJSONTests {
  @Test("JSON that is printed hides exactly what a screen hides, and reads back", arguments: UInt32(0)...16)
  func everyScalar(plane: UInt32) throws {
    var text = String.UnicodeScalarView()
    for value in (plane << 16)...(plane << 16 | 0xFFFF) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    let value = JSONValue.string(String(text))
    let printed = value.text(visible: true)
    // A backslash is doubled there where it could be taken for an escape, but these are escapes.
    let isShown = DisplayText.harmless(printed).unicodeScalars.elementsEqual(printed.unicodeScalars)
    #expect(isShown)
    let isSame = try JSONText(printed).value == value
    #expect(isSame)
    let kept = text.count { !DisplayText.harmless(String($0)).hasPrefix("\\u") }
    let shown = printed.unicodeScalars.count { $0.value >= 0x80 }
    #expect(plane == 0 || shown == kept)
  }
}
