import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import Foundation
import Testing

@Suite("carryover explain")
struct ExplainTests {
  @Test("without a code, every code is listed under its group, a line each, and nothing is cut")
  func list() throws {
    let result = try Tool.carryover("explain")
    #expect(result.status == 0 && result.error == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    for code in FindingCode.allCases {
      let line = try #require(lines.first { $0.hasPrefix("  \(code.rawValue) ") }, "\(code.rawValue)")
      #expect(line.contains(" \(code.severity.rawValue) "))
      #expect(line.contains(" asks ") == code.asks && line.contains(" blocks ") == code.blocks, "\(line)")
      #expect(line.hasSuffix(" " + code.explanation.title), "\(line)")
    }
    for group in FindingGroup.allCases { #expect(lines.contains("\(group.name): \(group.title)")) }
    #expect(lines.count == FindingCode.allCases.count + FindingGroup.allCases.count + LintCode.allCases.count + 2)
  }

  @Test("with a code, every part is printed in whole", arguments: FindingCode.allCases)
  func everything(_ code: FindingCode) throws {
    let result = try Tool.carryover("explain", code.rawValue)
    #expect(result.status == 0 && result.error == "")
    let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == code.rawValue)
    #expect(lines[1].hasPrefix(code.severity.rawValue.capitalized + ": "))
    let text = lines.joined(separator: " ")
    #expect(text.contains(" Needs a decision before you can apply.") == code.asks)
    #expect(text.contains(" Blocks: nothing can be applied ") == code.blocks)
    let explanation = code.explanation
    for part in [
      explanation.happens, explanation.legacyReads, explanation.guideSays, explanation.helperWrites,
      explanation.weWrite, explanation.whatToDo,
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test("the JSON suits its schema: all codes, or the one that was named")
  func json() throws {
    let schema = try SchemaCheck("findings-1")
    let all = try Tool.carryover("explain", "--json").json()
    #expect(try schema.problems(all) == [])
    let findings = try #require(all["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["code"] as? String } == FindingCode.allCases.map(\.rawValue))
    let one = try Tool.carryover("explain", "target.conflict", "--json").json()
    #expect(try schema.problems(one) == [])
    let conflict = try #require((one["findings"] as? [[String: Any]])?.first)
    #expect(conflict["asks"] as? Bool == true && conflict["blocks"] as? Bool == false)
    #expect(conflict["group"] as? String == "target")
    #expect(conflict["whatToDo"] as? String == FindingCode.targetConflict.explanation.whatToDo)
  }

  @Test("an unknown code is a usage error that names the nearest, whatever it holds")
  func unknown() throws {
    let result = try Tool.carryover("explain", "identity.user-id-not-sting")
    #expect(result.status == 64 && result.output == "")
    #expect(result.error.hasPrefix("carryover: No finding has the code “identity.user-id-not-sting”."))
    #expect(result.error.contains("identity.user-id-not-string"))
    for text in ["", "\u{1B}[31mred", "two\nlines", String(repeating: "x", count: 50_000)] {
      let result = try Tool.carryover("explain", text)
      #expect(result.status == 64 && result.output == "")
      #expect(result.error.split(separator: "\n").count == 1 && result.error.count < 400)
      #expect(!result.error.contains("\u{1B}"))
    }
    let both = try Tool.carryover("explain", "--json", "--markdown")
    #expect(both.status == 64 && both.output == "")
  }

  @Test("Documentation/Findings.md is what explain --markdown prints")
  func pageIsCurrent() throws {
    let result = try Tool.carryover("explain", "--markdown")
    #expect(result.status == 0)
    let page = try String(contentsOf: Tool.root.appendingPathComponent("Documentation/Findings.md"), encoding: .utf8)
    // The page itself would bury the one line that matters.
    let isCurrent = page == result.output
    #expect(isCurrent, "Documentation/Findings.md is stale: run `make record`")
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    for code in FindingCode.allCases {
      let section = try Tool.carryover("explain", code.rawValue, "--markdown").output
      #expect(result.output.contains(section), "\(code.rawValue)")
    }
  }
}
