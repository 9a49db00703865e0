import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import CarryoverTestSupport
import Testing

@Suite("A container with very many keys")
struct ManyKeysTests {
  @Test("planning takes time in proportion to the legacy SDK's own keys, of which each store has others")
  func planning() throws {
    let factor = try Growth.factor(from: 1000) { count in
      try Self.app(count).container()
    } _: { container in
      let plan = Planner(.rudderStackObjC).plan(
        container, now: LegacyApp.now, options: PlannerOptions(writeKey: LegacyApp.writeKey))
      #expect(plan.dropped.count > 1000)
    }
    #expect(factor < Growth.most)
  }

  @Test("planning takes time in proportion to the members of the traits")
  func traits() throws {
    let factor = try Growth.factor(from: 1000) { count in
      let members = (0..<count).map { #","trait \#($0)":\#($0).50"# }.joined()
      return try LegacyApp.traits(#"{"userId":"u-42"\#(members)}"#).container()
    } _: { container in
      let plan = Planner(.rudderStackObjC).plan(
        container, now: LegacyApp.now, options: PlannerOptions(writeKey: LegacyApp.writeKey))
      #expect(plan.field("traits")?.status == .ready)
    }
    #expect(factor < Growth.most)
  }

  @Test("of the keys that no rule names the value is shown that the legacy SDK reads")
  func unnamedKeys() throws {
    var app = LegacyApp.with([:])
    app.standard = PropertyListDictionary(
      entries: LegacyApp.clean.entries + [
        .init(key: "rl_b", value: "first"), .init(key: "rl_a", value: 1), .init(key: "rl_b", value: "second"),
      ])
    app.file = PropertyListDictionary(
      entries: LegacyApp.clean.entries + [
        .init(key: "rl_c", value: "first"), .init(key: "rl_a", value: 2), .init(key: "rl_c", value: "last"),
      ])
    let plan = try app.plan()
    #expect(plan.dropped.map(\.key) == ["rl_a", "rl_b", "rl_c"])
    // Foundation takes the first of several from a binary file, and the last from XML.
    #expect(plan.dropped.map(\.value) == [1, "first", "last"])
    #expect(plan.findings.contains { $0.observation == .droppedUnknownKey(["rl_a", "rl_b", "rl_c"]) })
    // It does not matter which file has a key that is not migrated.
    #expect(!plan.findings.contains { [.sourceStale, .sourcePartial].contains($0.code) })
  }

  private static func app(_ count: Int) -> LegacyApp {
    func keys(_ range: Range<Int>) -> PropertyListDictionary {
      PropertyListDictionary(
        entries: LegacyApp.clean.entries + range.map { .init(key: "rl_custom_\($0)", value: .string("value \($0)")) })
    }
    return LegacyApp(standard: keys(0..<count), file: keys(count / 2..<count + count / 2))
  }
}
