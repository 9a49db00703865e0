import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("What redaction looks for in text")
struct SensitiveIndexTests {
  private static let app = LegacyApp.with([
    "rl_traits": #"{"email":"ada@private.example","name":"Ada Lovelace"}"#, "app.city": "Utopia",
  ])

  @Test("nothing is made before something is looked for, however much was learned in how many steps")
  func late() throws {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(try Self.app.container())
    redaction.learn(parameter: LegacyApp.writeKey)
    redaction.learn(try Self.app.plan())
    #expect(redaction.index.withLock { $0 == nil })
    #expect(redaction.text("to Utopia") != "to Utopia")
    #expect(redaction.index.withLock { $0?.match(Array("Utopia".utf8), at: 0)?.length == 6 })
  }

  @Test("whoever learns nothing new keeps what was made, and a value that is new is found")
  func kept() throws {
    let container = try Self.app.container()
    let plan = try Self.app.plan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    redaction.learn(plan)
    let made = redaction.index
    redaction.learn(container)
    redaction.learn(plan)
    redaction.learn([] as [RunSummary])
    redaction.learn([:] as Decisions)
    #expect(redaction.index === made)
    #expect(redaction.text("to Erewhon") == "to Erewhon")
    let before = redaction
    redaction.learn(["user_id": .edit("Erewhon")])
    #expect(redaction.index !== made)
    #expect(redaction.text("to Erewhon") == "to ‹user-\(redaction.count)›")
    // A copy that did not learn it does not know it.
    #expect(before.text("to Erewhon") == "to Erewhon")
  }

  @Test("a name that is learned last counts as one that was learned first")
  func names() throws {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(try LegacyApp.with(["app.kind": "favourite"]).container())
    #expect(redaction.text("the favourite one") != "the favourite one")
    redaction.learn(try LegacyApp.with(["favourite": true]).container())
    #expect(redaction.text("the favourite one") == "the favourite one")
  }

  @Test("when it was first asked makes no difference")
  func asked() throws {
    let sentence = "Ada Lovelace of Utopia, ada@private.example, ADA@PRIVATE.EXAMPLE"
    var early = Redaction(recipes: [.rudderStackObjC])
    var late = Redaction(recipes: [.rudderStackObjC])
    early.learn(try Self.app.container())
    late.learn(try Self.app.container())
    _ = early.text(sentence)
    early.learn(try Self.app.plan())
    late.learn(try Self.app.plan())
    #expect(early.known == late.known && early.text(sentence) == late.text(sentence))
  }

  @Test("of equal texts the value counts before another way to write one, in whatever order they come")
  func precedence() {
    func entry(_ number: Int, _ precedence: SensitiveIndex.Precedence) -> SensitiveIndex.Entry {
      SensitiveIndex.Entry(
        bytes: Array("ABCD-1".utf8), replacement: .mask(Mask(kind: .id, number: number)), edges: .any, isTelling: true,
        precedence: precedence)
    }
    let entries = [entry(2, .otherForm), entry(10, .otherForm), entry(7, .value), entry(1, .place)]
    for turn in entries.indices {
      let index = SensitiveIndex(Array(entries[turn...] + entries[..<turn]))
      #expect(index.match(Array("ABCD-1".utf8), at: 0)?.replacement == "‹id-7›")
    }
    let forms = [entry(2, .otherForm), entry(10, .otherForm)]
    for index in [SensitiveIndex(forms), SensitiveIndex(forms.reversed())] {
      #expect(index.match(Array("ABCD-1".utf8), at: 0)?.replacement == "‹id-10›")
    }
  }

  @Test("texts that begin alike, end in zeros or are shorter than a word are found for what they are")
  func order() {
    let texts = ["a", "ab", "ab\0", "ab\0\0", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "b"]
    let entries = texts.enumerated().map { number, text in
      SensitiveIndex.Entry(
        bytes: Array(text.utf8), replacement: .mask(Mask(kind: .text, number: number)), edges: .any, isTelling: false,
        precedence: .value)
    }
    for index in [SensitiveIndex(entries), SensitiveIndex(entries.reversed())] {
      for (number, text) in texts.enumerated() {
        let found = index.match(Array((text + "|").utf8), at: 0)
        #expect(found?.length == text.utf8.count && found?.replacement == "‹text-\(number)›")
      }
    }
  }
}
