import Carryover
import CarryoverTerminal
import CarryoverVendors
import Testing

@testable import CarryoverReview

@Suite("The next launch as text")
struct NextLaunchTextTests {
  private func lines(_ columns: Int, _ plan: Plan) -> [String] {
    NextLaunchText.lines(
      Recipe.rudderStackObjC.nextLaunch(plan, decisions: ["user_id": .migrate]), plan, .init(), columns: columns,
      ReviewOptions())
  }

  @Test("No line is wider than the terminal and no word is cut, side by side or not", arguments: 60...200)
  func widths(columns: Int) throws {
    let plan = try samplePlan("AcmeShop")
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(plan, decisions: ["user_id": .migrate]))
    let lines = lines(columns, plan)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
    let words = Set(lines.flatMap { $0.split(separator: " ") })
    let expected = Set(launch.plays.flatMap(\.facts).flatMap { $0.sentence.split(separator: " ") })
    #expect(expected.isSubset(of: words), "\(expected.subtracting(words))")
    let isSideBySide = lines.contains { line in NextLaunch.Form.allCases.allSatisfy { line.contains($0.title) } }
    #expect(isSideBySide == (columns >= 134))
  }

  @Test("In a narrow terminal a word that fits no line is broken, and no line is wider", arguments: 10...40)
  func narrow(columns: Int) throws {
    let lines = lines(columns, try samplePlan("AcmeShop"))
    #expect(lines.count > 15 && lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
  }

  @Test("A recipe without a model says so")
  func none() throws {
    let plan = try samplePlan("Person")
    let lines = NextLaunchText.lines(nil, plan, .init(), columns: 80, ReviewOptions())
    #expect(lines.contains("Recipe person has no model of the next launch."))
  }

  @Test("The screen counts the decisions made so far, and masks")
  func screen() throws {
    let plan = try samplePlan("AcmeShop")
    var session = Session(plan, columns: 160, rows: 40)
    session.type("P")
    #expect(session.text.contains("Undecided fields stay as they are now: user_id."))
    #expect(!session.text.contains("Logged in"))
    session.type("<esc>j P")
    #expect(session.text.contains("Logged in as “42”."))
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(plan)
    var masked = Session(redaction.findings(of: plan), columns: 160, glyphs: .ascii, redaction: redaction)
    masked.type("j P")
    #expect(masked.text.contains("<user-") && !masked.text.contains("“42”") && !masked.text.contains("9f1c2a7e"))
  }
}
