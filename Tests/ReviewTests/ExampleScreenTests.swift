@testable import CarryoverReview

extension Screen {
  static let target = Screen("target", "Target")
}

extension ScreenContent<ReviewState> {
  static var target: ScreenContent { text(.target, keys: targetKeys) { $0.add($1.targetBlocks) } }

  private static var targetKeys: [KeyBinding<ReviewState>] {
    [KeyBinding([.character("T")], "target", "Show the target file.", in: [.review], .seeing, opens: .target)]
  }
}

extension ReviewState {
  fileprivate var targetBlocks: [Block] {
    var table = Table([.init(.name, "key", .head), .init(.value, "value")])
    for field in plan.fields { table.add([.name(field.id, .label), .value(field.current, .value)]) }
    return [.paragraph("What the target contains now."), .blank, .table(table)]
  }
}

@Suite("The example of a screen in ARCHITECTURE.md")
struct ExampleScreenTests {
  @Test("it is what is compiled here, and it shows each field of the target")
  func example() throws {
    let text = try String(contentsOf: packageRoot.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let code = try #require(source.firstRange(of: "extension Screen {").map { source[$0.lowerBound...] })
    let end = try #require(code.firstRange(of: "@Suite").map(\.lowerBound))
    #expect(text.contains(code[..<end].trimmingCharacters(in: .newlines)))
    let state = Session().state
    let lines = try #require(ScreenContent<ReviewState>.target.page?(state)).lines
    #expect(lines.count >= state.plan.fields.count)
    #expect(ScreenContent<ReviewState>.target.keys.map(\.name) == ["target"])
  }
}
