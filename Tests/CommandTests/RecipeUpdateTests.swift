import Foundation
import Testing

@Suite("carryover recipe test --update")
struct RecipeUpdateTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
  }

  /// A recipe with one field, and with these tests.
  private func write(_ tests: String, key: String = "user", ending: String = "\n") throws {
    let text = """
      carryover: recipe/1
      id: acme-sdk
      version: 1
      title: Acme 1 → 2   # a comment
      read: [{suite: "${bundle-id}"}]
      write: {suite: "${bundle-id}.acme"}
      detect: [a]
      opt-out-keys: []
      lint: [{code: R305, because: It is a test.}]
      fields:
        - {key: \(key), form: string, from: [{key: a}, {key: b, steps: [archived-json]}]}
      not-migrated: [{key: c, because: It is not.}]
      tests:
      \(tests)
      """
    try Data(text.replacing("\n", with: ending).utf8).write(to: URL(fileURLWithPath: file))
  }

  private var text: String {
    get throws { try String(decoding: Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self) }
  }

  private static let given = "given: {Library/Preferences/com.example.app.plist: {a: u-1001, c: 1}}"

  /// Updates the file.
  /// - Returns: what was printed, and the file's text.
  private func update(_ options: String...) throws -> (result: Tool.Result, text: String) {
    let result = try Tool.carryover(["recipe", "test", file, "--update"] + options)
    return (result, try text)
  }

  @Test("a test with only its files gets everything that happens, and all other text stays", arguments: ["\n", "\r\n"])
  func fills(_ ending: String) throws {
    try write(
      """
        # above
        - name: one   # beside
          \(Self.given)

        # between
        - name: two
          given: {Library/Preferences/com.example.app.plist: {a: u-2002}}
        # below
      """, ending: ending)
    let before = try text
    #expect(try Tool.carryover("recipe", "test", file).status == 1, "what expects nothing cannot pass")
    let (result, after) = try update()
    #expect(result.status == 0 && result.output.contains("one: updated"), "\(result.output)\(result.error)")
    let one = """
          expect:
            fields: {user: {status: ready, value: u-1001}}
            findings: []
            not-migrated: [c]
            written: {user: u-1001}

      """
    let two = """
          expect:
            fields: {user: {status: ready, value: u-2002}}
            findings: []
            written: {user: u-2002}

      """
    let lines = before.replacing(Self.given + ending, with: Self.given + ending + one.replacing("\n", with: ending))
      .replacing("{a: u-2002}}" + ending, with: "{a: u-2002}}" + ending + two.replacing("\n", with: ending))
    #expect(after == lines)
    #expect(try Tool.carryover("recipe", "test", file).status == 0)
    #expect(try update().text == after)
  }

  @Test("a wrong expectation is replaced with the same parts, of the named tests only")
  func replaces() throws {
    try write(
      """
        - expect: {fields: {user: absent}}
          name: one
          \(Self.given)
        - name: two
          expect:
            findings: [source.stale]
            written: {}
          \(Self.given)
        - name: three
          \(Self.given)
          expect: {findings: [source.stale]}
      """)
    let before = try text
    let (result, after) = try update("--case", "one", "--case", "two")
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(
      after
        == before.replacing("{user: absent}", with: "{user: ready}")
        .replacing(
          "    expect:\n      findings: [source.stale]\n      written: {}\n",
          with: "    expect: {findings: [], written: {user: u-1001}}\n"))
  }

  @Test("a failure is not recorded as expected, unless the test says so")
  func failures() throws {
    let given = "given: {Library/Preferences/com.example.app.plist: {a: 42}}"
    for expect in ["", "\n    expect: {findings: []}", "\n    expect: {fields: {user: ready}}"] {
      try write("  - name: one\n    \(given)\(expect)")
      let before = try text
      let (result, after) = try update()
      #expect(result.status == 1 && result.output.contains("Not changed."), "\(result.output)")
      #expect(result.output.contains("source.wrong-type") && result.output.contains("fields: {user: undecided}"))
      #expect(after == before)
    }
    try write("  - name: one\n    \(given)\n    expect: {fields: {user: undecided}, findings: []}")
    #expect(try update().text.contains("expect: {fields: {user: undecided}, findings: [source.wrong-type]}"))
  }

  @Test(
    "a test whose text cannot be kept is named and not changed",
    arguments: [
      ("  - {name: one, \(given)}", "over several lines"),
      ("  - name: one\n    \(given)\n    expect:\n      findings: [x.y]   # why", "has a comment"),
      ("  - name: one\n    \(given)\n    expect:\n      findings: [x.y]\n      # why", "has a comment"),
      ("  - name: one\n    \(given)\n    expect: {findings: [x.y], x-other: 1}", "over several lines"),
    ])
  func refuses(_ tests: String, _ words: String) throws {
    try write(tests)
    let before = try text
    let (result, after) = try update()
    #expect(
      result.status == 1 && result.output.contains("Not changed.") && result.output.contains(words), "\(result.output)")
    #expect(after == before)
  }

  @Test("a file with several hard links is not replaced, because the others would keep the old tests")
  func hardLinks() throws {
    try write("  - name: one\n    \(Self.given)")
    let before = try text
    try FileManager.default.linkItem(atPath: file, toPath: file + ".link")
    let (result, after) = try update()
    #expect(result.status == 1 && result.error.contains("hard links"), "\(result.output)\(result.error)")
    #expect(after == before)
  }

  @Test("a value that looks like a secret is written only if the file has it already")
  func secrets() throws {
    try write("  - name: one\n    \(Self.given)", key: "authToken")
    #expect(try update().text.contains("written: {authToken: u-1001}"))
    let archive = "given: {Library/Preferences/com.example.app.plist: {b: {archive: {user: u-1001}}}}"
    try write("  - name: one\n    \(archive)", key: "authToken")
    let before = try text
    let (result, after) = try update()
    #expect(result.status == 1 && result.output.contains("looks like a secret"), "\(result.output)")
    #expect(after == before)
  }

  @Test("the file's permissions stay, and a link is not replaced")
  func place() throws {
    try write("  - name: one\n    \(Self.given)")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let link = folder.path("link.recipe.yaml")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let before = try text
    #expect(try Tool.carryover("recipe", "test", link, "--update").status == 1)
    #expect(try text == before)
    #expect(try update().result.status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() == [
        "acme.recipe.yaml", "link.recipe.yaml",
      ])
  }

  @Test("options that contradict each other are refused")
  func contradictions() throws {
    try write("  - name: one\n    \(Self.given)")
    for option in [["--mutate"], ["--json"], ["--format", "tap"], ["--coverage", "1"]] {
      #expect(try Tool.carryover(["recipe", "test", file, "--update"] + option).status == 64)
    }
    #expect(try Tool.carryover("recipe", "test", file, "--interactive").status == 64, "nobody can be asked")
  }

  @Test("--interactive shows each change and asks", .needsTools)
  func asks() throws {
    try write("  - name: one\n    \(Self.given)\n    expect: {findings: [x.y]}\n  - name: two\n    \(Self.given)")
    let before = try text
    let session = try TmuxSession(columns: 200, rows: 40)
    try session.enter("\(Tool.carryover.path) recipe test \(file) --interactive; echo status $?")
    let asked = try session.waitFor("[y/N]")
    #expect(
      asked.contains("-     expect: {findings: [x.y]}") && asked.contains("+     expect: {findings: []}"), "\(asked)")
    #expect(try text == before)
    try session.enter("n")
    try session.waitFor("+     expect:")
    try session.enter("y")
    try session.waitFor("status 0")
    let after = try text
    #expect(after.hasPrefix(before) && after.contains("written: {user: u-1001}"))
  }
}
