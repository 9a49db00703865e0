import Foundation
import Testing

@testable import CarryoverReview

@Suite("Documentation of the configuration")
struct ConfigurationPageTests {
  private let page: String

  init() throws {
    page = try String(
      contentsOf: packageRoot.appending(path: "Documentation/Configuration.md"), encoding: .utf8)
  }

  @Test("every setting has its row, with its values and what it decides", arguments: Setting.allCases)
  func settings(setting: Setting) {
    let row = "| `\(setting.rawValue)` | \(setting.allowed) | \(setting.builtIn) | \(setting.meaning) |"
    #expect(page.contains(row), "\(row)")
  }

  @Test("every part of the screen that has colours has its row, and no other")
  func parts() throws {
    let table = try #require(page.components(separatedBy: "| part | is |\n|---|---|\n").last)
    let rows = table.prefix { $0 != "*" }.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.map { $0.split(separator: "`")[1] }.map(String.init) == ColoredPart.all.map(\.name))
  }

  @Test("its example is in order")
  func example() throws {
    let parts = page.components(separatedBy: "```\n")
    let parsed = ConfigurationParser(Array(try #require(parts.dropFirst().first).utf8))
    #expect(parsed.problems.isEmpty && parsed.configuration != Configuration())
  }
}
