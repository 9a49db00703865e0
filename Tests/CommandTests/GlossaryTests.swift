import Foundation
import Testing

/// The words that no person is to read, in the sources' texts, the recorded screens and the documentation.
@Suite("Glossary")
struct GlossaryTests {
  /// What is not written, each with what is written instead.
  private static let forbidden: [(words: String, instead: String)] = [
    (#"(left|leaves?|leaving) (behind|out)"#, "not migrated, skip"),
    (#"carr(y|ies|ied|ying) over"#, "migrate"),
    (#"(tak(e|es|en|ing)|took|br(ing|ings|ought)) (it |them |that |this |the run )?back"#, "roll back, undo"),
    (#"(tak(e|es|en|ing)|took|br(ing|ings|ought)) (over|along)"#, "migrate"),
    (#"confirm(s|ed|ing)? (the|this|it|that|a|an|to|manual)"#, "accept"),
    (#"successfully|without a word"#, "what happened, alone"),
    (#"somebody|whoever"#, "who does it"),
    (#"is no (JSON|integer|text|string|number|object|dictionary|property list)"#, "is not …"),
    (#"what stands|stands? (there|here|in|at|under|beside)"#, "is"),
    (#"lies? (in|at|on|under|outside)"#, "is in"),
    (#"cut off|unfinished runs?|brought to (an|its) end"#, "interrupted, truncated"),
    (#"reference (migrator|helper)|the helper"#, "RudderStack's migrator"),
  ]

  /// What may be read all the same: a text that there is none of.
  private static let allowed = ["There is no text"]

  @Test("no text in the sources has a word that the glossary forbids")
  func sources() throws {
    var count = 0
    for path in try Self.files("Sources", "swift") where !Self.holdsOldNames(path) {
      // A single word is a name for programs.
      for (line, text) in try Self.literals(path) where text.contains(" ") {
        count += 1
        for wrong in Self.wrong(text) { Issue.record("\(path):\(line): \(wrong)") }
      }
    }
    #expect(count > 3000)
  }

  @Test("no recorded screen and no page has a word that the glossary forbids")
  func pages() throws {
    for path in try Self.files("Screens", "txt") + Self.files("Documentation", "md") + ["README.md"] {
      let lines = try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      let wrong = lines.enumerated().flatMap { line, text in
        Self.wrong(String(text)).map { "\(path):\(line + 1): \($0)" }
      }
      #expect(wrong == [])
    }
  }

  @Test("signs are in Sign alone")
  func signs() throws {
    let signs: Set<Character> = ["✗", "▲", "✓", "≠"]
    for path in try Self.files("Sources", "swift") where !path.hasSuffix("/Sign.swift") && !path.hasSuffix("/Ink.swift")
    {
      for (line, text) in try Self.literals(path) where text.contains(where: signs.contains) {
        Issue.record("\(path):\(line): \(text)")
      }
    }
  }

  /// Whether a file has words that are recognised, but never written.
  private static func holdsOldNames(_ path: String) -> Bool {
    ["/Vocabulary.swift", "/FormerNames.swift", "/FilterWord.swift"].contains { path.hasSuffix($0) }
  }

  private static func wrong(_ text: String) -> [String] {
    let text = allowed.reduce(text) { $0.replacing($1, with: "") }
    return forbidden.filter { words, _ in
      text.range(of: #"\b(\#(words))\b"#, options: [.regularExpression, .caseInsensitive]) != nil
    }
    .map { "“\(text)” has \($0.words); write \($0.instead)" }
  }

  /// The string literals of a source file, each line of one by itself. Comments are not read.
  private static func literals(_ path: String) throws -> [(line: Int, text: String)] {
    var isInside = false
    return try text(path).split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      if line.contains(#"""""#) {
        isInside.toggle()
        return [(line: Int, text: String)]()
      }
      if isInside { return [(index + 1, String(line))] }
      if line.drop(while: { $0 == " " }).hasPrefix("//") { return [] }
      return line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (index + 1, String($0.output.1)) }
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Tool.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The files of a kind in a folder and those in it.
  private static func files(_ folder: String, _ kind: String) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: Tool.root.appendingPathComponent(folder).path)
    return all.filter { $0.hasSuffix("." + kind) }.map { folder + "/" + $0 }.sorted()
  }
}
