import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Redaction in the review")
struct ReviewRedactionTests {
  private static let secrets = [
    "9f1c2a7e", "a@b.co", "2Kx9mQ7abcd", "b-42", "gold", "2019", "brazeExternalId",
  ]

  private func session(glyphs: Glyphs = .unicode, columns: Int = 120) -> Session {
    let plan = acmePlan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    return Session(redaction.findings(of: plan), columns: columns, glyphs: glyphs, redaction: redaction)
  }

  private func text(_ session: Session) -> String { session.text }

  @Test("no screen shows a value of a person", arguments: [Glyphs.unicode, .ascii], [80, 120, 200])
  func screens(_ glyphs: Glyphs, _ columns: Int) {
    var session = session(glyphs: glyphs, columns: columns)
    var screens = [text(session)]
    for key in [
      "w", "j", "x", "<esc>", "<esc>", "r", "<esc>", "x", "<esc>", "L", "<esc>", "<enter>", "]", "]", "]", "<esc>", " ",
      "j", " ", "a", "<esc>", "P", "<esc>", "?",
    ] {
      session.type(key)
      screens.append(text(session))
    }
    for (index, screen) in screens.enumerated() {
      for secret in Self.secrets { #expect(!screen.contains(secret), "\(secret) on screen \(index)\n\(screen)") }
    }
    let mask = glyphs == .ascii ? "<user-" : "‹user-"
    #expect(screens[0].contains(mask))
    #expect(screens[0].contains("1763640000") && screens[0].contains("4.2.0"))
  }

  @Test("a long value that was masked is masked by the next redaction, and in the next characters")
  func longValue() throws {
    let text = #"{"email":"a@b.co","note":"\#(String(repeating: "x", count: MaskedTexts.long))"}"#
    var options = ReviewOptions(redaction: Redaction(recipes: [.rudderStackObjC]))
    #expect(Ink(options).shown(.string(text)) == Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
    #expect(Ink(options).shown(.string(text)) == Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
    options.glyphs = .ascii
    guard case .string(let plain) = Ink(options).shown(.string(text)) else { return #expect(Bool(false)) }
    #expect(plain.contains("<email>") && !plain.contains("‹"))
    var learned = Redaction(recipes: [.rudderStackObjC])
    learned.learn(["traits": .edit(.string(text))])
    options = ReviewOptions(redaction: learned)
    options.redaction?.isASCII = false
    #expect(Ink(options).shown(.string(text)) == learned.value(.string(text)))
    #expect(learned.value(.string(text)) != Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
  }

  @Test("editing begins with an empty line and shows what is typed; what is decided is the real value")
  func editing() {
    var session = session()
    session.type("je")
    #expect(session.state.editor?.text == "")
    session.type("4711")
    #expect(text(session).contains("4711"))
    session.type("<enter>")
    #expect(session.state.decisions["user_id"] == .edit("4711"))
    #expect(!text(session).contains("4711"))
  }

  @Test("what is copied is the mask; what is confirmed is the value")
  func copying() {
    var session = session()
    session.type("c")
    guard case .copy(let copied)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(copied.hasPrefix("‹id-"))
    session.type("j ")
    #expect(session.state.plan.changes(session.state.decisions).contains { $0.key == "user_id" && $0.after == "42" })
  }

  @Test("in the stores a mask has the type of the value behind it, and no size but that of the file")
  func masksInStores() throws {
    let values: PropertyListDictionary = [
      "a_number": 4711, "b_bytes": .data([1, 2, 3]), "c_text": "ada@private.example", "d_json": #"{"n":4711.25}"#,
    ]
    let document = try PropertyListDocument(bytes: PropertyListDocument.encode(.dictionary(values), as: .xml))
    var container = nestedContainer()
    container.stores = [Store(path: "Library/Preferences/x.plist", content: .document(document), size: 12_345)]
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    for glyphs in [Glyphs.unicode, .ascii] {
      redaction.isASCII = glyphs == .ascii
      var session = Session(acmePlan(), glyphs: glyphs, container: container, redaction: redaction)
      session.type("b")
      session.type("gj<enter>")
      #expect(session.text.contains("12 KiB"))
      for (key, type) in [("a_number", "integer"), ("b_bytes", "data"), ("c_text", "string")] {
        session.type("j")
        let pointer: Character = glyphs == .ascii ? ">" : "▸"
        let row = try #require(session.lines.first { $0.dropFirst().first == pointer })
        #expect(row.contains(key) && row.contains(" \(type) "), "\(row)")
        session.type("i")
        #expect(session.text.contains("Type    \(type) ") && !session.text.contains("Size "), "\(session.text)")
        #expect(!session.text.contains("4711") && !session.text.contains("ada@"))
        session.type("<esc>")
      }
      session.type("ji")
      #expect(session.text.contains("Size    1 member ") && !session.text.contains("stored as"))
    }
  }
}
