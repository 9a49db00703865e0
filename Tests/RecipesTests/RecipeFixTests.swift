import CarryoverRecipes
import CarryoverVendors
import Testing

@Suite("What lint corrects")
struct RecipeFixTests {
  private func fix(_ text: String) -> (text: String, changes: [RecipeFix.Change]) {
    let fix = RecipeFix(Array(text.utf8), vendors: vendors)
    return (String(decoding: fix.bytes, as: UTF8.self), fix.changes)
  }

  private static let sound = LintTests.sound

  @Test(
    "an issue is corrected in place, and everything else stays",
    arguments: [
      ("title: Acme 1 → 2", "titel: Acme 1 → 2  # é", "title: Acme 1 → 2  # é", "R012"),
      ("title: Acme 1 → 2", "\"titel\": Acme 1 → 2", "\"title\": Acme 1 → 2", "R012"),
      ("title: Acme 1 → 2", "title: yes", "title: \"yes\"", "R014"),
      ("title: Acme 1 → 2", "title: 2025-11-20 # a day", "title: \"2025-11-20\" # a day", "R014"),
      ("steps: [text]", "steps: [text, number-text]", "steps: [text]", "R203"),
      ("steps: [text]", "steps: [text , 'text',  {except: [a]}, text]", "steps: [text , {except: [a]}]", "R203"),
      (
        "[{key: acme_id, steps: [text]}]", "[{key: acme_id, stps: [text, text]}]", "[{key: acme_id, steps: [text]}]",
        "R012"
      ),
      (
        "[{key: acme_id, steps: [text]}]", "\n      - key: acme_id\n        steps:\n        - text\n        - text\n",
        "\n      - key: acme_id\n        steps:\n        - text\n", "R203"
      ),
    ])
  func corrects(_ old: String, _ wrong: String, _ right: String, _ code: String) {
    let text = Self.sound.replacing(old, with: wrong)
    #expect(text != Self.sound)
    let once = fix(text)
    #expect(once.changes.first?.issue.code.rawValue == code)
    // What became known only by a correction is corrected the next time.
    #expect(fix(once.text).text == Self.sound.replacing(old, with: right))
  }

  @Test("a correction says the line before and after, and a line that is gone has none")
  func lines() {
    let wrong = Self.sound.replacing("title:", with: "titel:")
      .replacing(
        "[{key: acme_id, steps: [text]}]", with: "\n    - key: acme_id\n      steps:\n      - text\n      - text")
    let changes = fix(wrong).changes
    #expect(changes.map(\.old) == ["titel: Acme 1 → 2", "      - text"])
    #expect(changes.map(\.new) == ["title: Acme 1 → 2", nil])
  }

  @Test(
    "where the file would not be a recipe afterwards, or nothing is near, nothing changes",
    arguments: [
      ("title: Acme 1 → 2", "titel: Acme 1 → 2\nversio: 2"), ("version: 1", "version: one\ntitel: x"),
      ("title: Acme 1 → 2", "headline: Acme 1 → 2"),
      ("[{key: acme_id, steps: [text]}]", "\n    - key: acme_id\n      steps:\n      - text\n      - text  # why"),
    ])
  func refuses(_ old: String, _ wrong: String) {
    let text = Self.sound.replacing(old, with: wrong)
    #expect(text != Self.sound && fix(text).text == text && fix(text).changes.isEmpty)
  }

  @Test("in JSON and with Windows line ends, a correction is the same")
  func forms() {
    let windows = Self.sound.replacing("title:", with: "titel:").replacing("\n", with: "\r\n")
    #expect(fix(windows).text == Self.sound.replacing("\n", with: "\r\n"))
    let json = """
      {"carryover": "recipe/1", "id": "acme-sdk", "version": 1, "title": "Acme", "read": [{"suite": "Acme"}],
       "write": {"suite": "acme.new"}, "detec": ["a"], "fields": [{"key": "a", "form": "string", "from": [{"key": "a"}]}]}
      """
    #expect(fix(json).text == json.replacing("\"detec\"", with: "\"detect\""))
  }

  @Test("many issues are corrected in a bounded number of steps")
  func bounded() {
    let steps = Array(repeating: "text", count: 100).joined(separator: ", ")
    let sources = ["steps: [\(steps)]", "{key: b, steps: [\(steps)]", "{key: c, steps: [\(steps)]"].joined(
      separator: "}, ")
    let text = Self.sound.replacing("steps: [text]", with: sources, maxReplacements: 1)
    #expect(fix(text).changes.count == 100)
  }
}
