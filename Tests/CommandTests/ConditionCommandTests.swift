import Foundation
import Testing

@Suite("Conditions of a recipe, on the command line")
struct ConditionCommandTests {
  private let folder: TemporaryFolder
  private let file: String
  private static let text = """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 → 2
    sources-read: ["Acme's sources."]
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    fields:
      - key: user_id
        group: other
        form: string
        from:
          - {key: acme_login, when: [non-empty, {key: acme_mode, is: live}]}
          - {key: acme_id, steps: [number-text]}
        require: [{max-bytes: 8}, {glob: "u-*"}]
      - key: level
        form: integer
        from: [{key: acme_level, when: [{kind: integer}]}]
        require: [{range: [1, 9]}]
    tests:
      - name: a login of the live mode
        given: {Library/Preferences/com.example.app.plist: {acme_login: u-1, acme_mode: live, acme_id: u-2, acme_level: 9}}
        expect: {findings: [], written: {user_id: u-1, level: 9}}
      - name: a login of the test mode
        given: {Library/Preferences/com.example.app.plist: {acme_login: u-1, acme_mode: test, acme_id: u-2, acme_level: 1}}
        expect: {findings: [], written: {user_id: u-2, level: 1}}
      - name: an empty login
        given: {Library/Preferences/com.example.app.plist: {acme_login: "", acme_mode: live, acme_id: u-2}}
        expect: {findings: [], written: {user_id: u-2}}
      - name: an id of another form, and a level that is too low
        given: {Library/Preferences/com.example.app.plist: {acme_id: 42, acme_level: 0}}
        expect: {fields: {user_id: undecided, level: undecided}, findings: [source.not-as-required]}
      - name: an id that is too long, and a level that is too high
        given: {Library/Preferences/com.example.app.plist: {acme_id: u-3456789, acme_level: 10}}
        expect: {fields: {user_id: undecided, level: undecided}, findings: [source.not-as-required]}
      - name: a level that is text
        given: {Library/Preferences/com.example.app.plist: {acme_level: many}}
        expect: {fields: {level: absent}, findings: []}
    """

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
    try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  @Test("the recipe has no issue, and its tests pass")
  func tests() throws {
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.output == "0 errors, 0 warnings in 1 file.\n", "\(linted.output)")
    let tested = try Tool.carryover("recipe", "test", file)
    #expect(tested.status == 0, "\(tested.output)")
    let json = try Tool.carryover("recipe", "test", file, "--json").json()
    #expect(try SchemaCheck("test-1").problems(json) == [])
  }

  @Test("the schema for editors accepts the conditions, and no misspelled one")
  func schema() throws {
    #expect(try problems(Self.conditions) == [])
    for (old, new) in [("non-empty", "non-emty"), (#""max-bytes": 8"#, #""max-byte": 8"#), (#""live""#, "1.5")] {
      #expect(try problems(Self.conditions.replacingOccurrences(of: old, with: new)) != [], "\(new)")
    }
  }

  private static let conditions = """
    {"carryover": "recipe/1", "id": "acme-sdk", "version": 1, "title": "Acme", "read": [{"suite": "a"}],
     "write": {"suite": "b"}, "detect": ["k"], "fields": [{"key": "a", "form": "string", "from":
     [{"key": "k", "when": ["non-empty", {"key": "m", "is": "live"}, {"range": [0, 1]}, {"kind": "real"}]}],
     "require": ["non-empty", {"max-bytes": 8}, {"form": "uuid"}, {"one-of": ["a", 1, true]}, {"glob": "*"}]}]}
    """

  private func problems(_ text: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try SchemaCheck("recipe-1").problems(try #require(value as? [String: Any]))
  }

  @Test("explain says which condition a container does not meet, and the plan which requirement")
  func explained() throws {
    let path = try folder.app(["acme_login": "u-1", "acme_mode": "test", "acme_id": "ada@example.org"])
    let rules = try Tool.carryover("recipe", "explain", file)
    #expect(rules.output.contains("← acme_login, if it is not empty and acme_mode is “live”"), "\(rules.output)")
    #expect(rules.output.contains("Required of the value: from 1 to 9. Otherwise, you decide."))
    let planned = try Tool.carryover("recipe", "explain", file, "--in", path)
    #expect(planned.output.contains("a condition is not met (acme_mode is “live”)"), "\(planned.output)")
    let json = try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json()
    #expect(try SchemaCheck("recipes-1").problems(json) == [])
    #expect("\(json)".contains("acme_mode is “live”"))
    let plan = try Tool.carryover("plan", path, "--recipe", file, "--redact")
    #expect(plan.output.contains("source.not-as-required") && !plan.output.contains("ada@"), "\(plan.output)")
  }

  @Test("an apply never writes a value that is not as required, and rolls back what it wrote")
  func applied() throws {
    let path = try folder.app(["acme_id": "x-1", "acme_level": 3])
    let before = try FileState.files(under: path)
    let digest = try Tool.digest(of: file)
    let options = ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
    #expect(try Tool.carryover(["apply", path] + options).status == 2)
    #expect(try Tool.carryover(["apply", path, "--accept", "user_id"] + options).status != 0)
    #expect(try FileState.files(under: path) == before)
    let applied = try Tool.carryover(["apply", path, "--set", "user_id=u-1"] + options)
    #expect(applied.status == 0, "\(applied.output)\(applied.error)")
    let again = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop", "--json")
    #expect(!again.output.contains("source.not-as-required"), "\(again.output)")
    let rolledBack = try Tool.carryover("rollback", path, "--yes")
    #expect(rolledBack.status == 0)
    #expect(try FileState.files(under: path) == before)
  }
}
