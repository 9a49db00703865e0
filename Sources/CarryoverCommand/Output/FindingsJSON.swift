import Carryover
import PropertyLists

/// The catalogue of findings as `carryover.findings/1`, the published form of `explain --json`.
enum FindingsJSON {
  static func document(_ codes: [FindingCode]) -> JSONValue {
    .object([
      JSONMember("schema", .string("carryover.findings/1")), JSONMember("findings", .array(codes.map(finding))),
    ])
  }

  private static func finding(_ code: FindingCode) -> JSONValue {
    let explanation = code.explanation
    return .object([
      JSONMember("code", .string(code.rawValue)),
      JSONMember("group", .string(String(code.rawValue.prefix { $0 != "." }))),
      JSONMember("severity", .string(code.severity.rawValue)),
      JSONMember("asks", .boolean(code.asks)),
      JSONMember("blocks", .boolean(code.blocks)),
      JSONMember("title", .string(explanation.title)),
      JSONMember("happens", .string(explanation.happens)),
      JSONMember("legacyReads", .string(explanation.legacyReads)),
      JSONMember("guideSays", .string(explanation.guideSays)),
      JSONMember("helperWrites", .string(explanation.helperWrites)),
      JSONMember("weWrite", .string(explanation.weWrite)),
      JSONMember("whatToDo", .string(explanation.whatToDo)),
    ])
  }
}
