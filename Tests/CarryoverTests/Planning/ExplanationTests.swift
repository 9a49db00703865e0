import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import Testing

@Suite("Explanations of findings")
struct ExplanationTests {
  private static let shared: Set = ["Nothing has to be done.", "Do nothing."]

  @Test(
    "every part of every explanation is there, and all but the title are whole sentences",
    arguments: FindingCode.allCases)
  func complete(_ code: FindingCode) {
    let explanation = code.explanation
    #expect(!explanation.title.isEmpty)
    #expect(!explanation.title.hasSuffix("."))
    for part in Self.parts(of: explanation) {
      #expect(part.count > 15, "\(part)")
      #expect(part.first?.isUppercase == true && part.hasSuffix("."), "\(part)")
      #expect(!part.contains("  ") && !part.contains("\n") && !part.contains("`"), "\(part)")
    }
  }

  @Test("no two codes share a sentence or a title, and none has a sentence twice")
  func nothingIsShared() {
    var owners: [String: FindingCode] = [:]
    for code in FindingCode.allCases {
      let sentences = Self.parts(of: code.explanation).flatMap(Self.sentences).filter { !Self.shared.contains($0) }
      #expect(sentences.count >= 6, "\(code.rawValue)")
      for sentence in sentences + [code.explanation.title] {
        #expect(owners[sentence] == nil, "\(code.rawValue) and \(owners[sentence]?.rawValue ?? ""): \(sentence)")
        owners[sentence] = code
      }
    }
  }

  @Test("each part names whom it is about", arguments: FindingCode.allCases)
  func subjects(_ code: FindingCode) {
    let explanation = code.explanation
    #expect(explanation.legacyReads.contains("legacy SDK"))
    #expect(explanation.guideSays.hasPrefix("The guide "))
    #expect(explanation.helperWrites.contains("migrator"))
    #expect(explanation.weWrite.hasPrefix("Carryover "))
  }

  @Test("a code that asks says so, and one that blocks says that nothing is written or applied")
  func weightsAreTold() {
    for code in FindingCode.allCases {
      let text = code.explanation.weWrite
      let asks = text.contains(" asks") || text.contains("It asks")
      #expect(asks == code.asks, "\(code.rawValue): \(text)")
      if code.blocks { #expect(text.contains("nothing"), "\(code.rawValue): \(text)") }
    }
  }

  @Test("each code is in the group that it begins with, and the groups hold all codes in order")
  func groups() {
    #expect(FindingGroup.allCases.flatMap(\.codes) == FindingCode.allCases)
    #expect(Set(FindingGroup.allCases.map(\.title)).count == FindingGroup.allCases.count)
  }

  @Test(
    "a text that is no code has neighbours: with a slip, without its group, in upper case, a part of it",
    arguments: [
      ("identity.user-id-not-sting", FindingCode.userIDNotString), ("user-id-not-string", .userIDNotString),
      ("SESSION.EXPIRED", .sessionExpired), ("opted", .consentOptedOut), ("target.confict", .targetConflict),
      ("idenity.user", .userIDEmpty),
    ])
  func nearest(_ text: String, _ code: FindingCode) {
    #expect(Nearest.names(to: text, among: codes).first == code.rawValue)
    #expect(Nearest.names(to: text, among: codes).count == 3)
  }

  @Test("any text has neighbours, however long, and no more than were asked for")
  func nearestToAnything() {
    for text in ["", "\u{0}", "日本", String(repeating: "x", count: 100_000)] {
      #expect(Set(Nearest.names(to: text, among: codes, limit: 5)).count == 5)
    }
    #expect(Nearest.names(to: "session", among: codes, limit: 0).isEmpty)
    #expect(Nearest.names(to: "session", among: codes, limit: -1).isEmpty)
    #expect(Set(Nearest.names(to: "", among: codes, limit: .max)) == Set(codes))
  }

  private let codes = FindingCode.allCases.map(\.rawValue)

  private static func parts(of explanation: Explanation) -> [String] {
    [
      explanation.happens, explanation.legacyReads, explanation.guideSays, explanation.helperWrites,
      explanation.weWrite, explanation.whatToDo,
    ]
  }

  private static func sentences(of text: String) -> [String] {
    (text + " ").split(separator: ". ").map { $0 + "." }
  }
}
