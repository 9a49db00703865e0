import Foundation
import Testing

@Suite("What a recipe says in its own words, on the command line")
struct OwnRulesCommandTests {
  private let folder: TemporaryFolder
  private let file: String
  private static let text = """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 → 2
    sources-read: ["Acme's sources."]
    read:
      - suite: group.com.acme
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    findings:
      id-lost:
        title: the id is missing
        message: "No file has the id, so the new SDK counts a new user."
        remedy: "Edit the field, or skip it."
    fields:
      - key: id
        group: identity
        form: string
        from: [{key: acme_id, steps: [text]}]
        otherwise: {finding: id-lost, weight: error}
      - key: name
        form: string
        from: [{key: acme_name}]
    not-migrated:
      - key: acme_queue_*
        because: Events are not migrated.
      - file: Library/acme_queue.db
        because: Both SDKs use the same file.
    tests:
      - name: a user whose id the app and its extension share
        given:
          AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist: {acme_id: 42}
          Library/Preferences/com.example.app.plist: {acme_id: u-2, acme_name: Ada, acme_queue_1: 1}
          Library/acme_queue.db: events
        expect:
          fields: {id: undecided, name: {status: ready, value: Ada}}
          findings: [source.disagree]
          not-migrated: [acme_queue_1, Library/acme_queue.db]
      - name: a number for an id
        given: {Library/Preferences/com.example.app.plist: {acme_id: 42}}
        expect: {fields: {id: {status: ready, value: "42"}}, findings: [], written: {id: "42"}}
      - name: no id
        given: {Library/Preferences/com.example.app.plist: {acme_name: Ada}}
        decisions: {id: skip}
        expect:
          fields: {id: undecided, name: ready}
          findings: [acme-sdk.id-lost]
          not-migrated: []
          written: {name: Ada}
      - name: a name that is a number
        given: {Library/Preferences/com.example.app.plist: {acme_id: u-1, acme_name: 1}}
        expect: {fields: {id: ready, name: undecided}}
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
    #expect(tested.status == 0, "\(tested.output)\(tested.error)")
  }

  @Test("plan, report and JSON have the finding with its words, and explain knows it with the recipe")
  func shown() throws {
    let path = try folder.app(["acme_name": "Ada", "acme_queue_1": 1])
    try "x".write(toFile: path + "/Library/acme_queue.db", atomically: true, encoding: .utf8)
    let plan = try Tool.carryover("plan", path, "--recipe", file)
    #expect(plan.output.contains("acme-sdk.id-lost") && plan.output.contains("the new SDK counts a new user"))
    #expect(plan.output.contains("acme_queue_1") && plan.output.contains("Library/acme_queue.db"), "\(plan.output)")
    let json = try Tool.carryover("plan", path, "--recipe", file, "--json").json()
    #expect(try SchemaCheck("plan-1").problems(json) == [])
    let report = try Tool.carryover("report", path, "--recipe", file)
    #expect(report.output.contains("acme-sdk.id-lost"))
    let explained = try Tool.carryover("explain", "acme-sdk.id-lost", "--recipe", file)
    #expect(explained.output.contains("counts a new user") && explained.output.contains("Error"), "\(explained.output)")
    #expect(try Tool.carryover("explain", "--recipe", file).output == explained.output)
    let catalogue = try Tool.carryover("explain", "--recipe", file, "--json").json()
    #expect(try SchemaCheck("findings-1").problems(catalogue) == [])
    #expect(try Tool.carryover("explain", "acme-sdk.id-lost").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", "person").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", file, "source.disagree").status == 0)
    let rules = try Tool.carryover("recipe", "explain", file)
    #expect(rules.output.contains("Without a value: error acme-sdk.id-lost") && rules.output.contains("acme_queue_*"))
  }

  @Test("the field is decided as any other, by its name or by the finding's code")
  func decided() throws {
    let path = try folder.app(["acme_name": "Ada"])
    let digest = try Tool.digest(of: file)
    let options = ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
    #expect(try Tool.carryover(["apply", path] + options).status == 2)
    let unknown = try Tool.carryover(["apply", path, "--accept", "acme-sdk.id-last"] + options)
    #expect(unknown.status == 64 && unknown.error.contains("acme-sdk.id-lost"), "\(unknown.error)")
    #expect(try Tool.carryover(["apply", path, "--accept", "acme-sdk.id-lost"] + options).status == 2)
    let skipped = try Tool.carryover(["apply", path, "--set", "id=u-1"] + options)
    #expect(skipped.status == 0, "\(skipped.output)\(skipped.error)")
    let after = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop")
    #expect(!after.output.contains("acme-sdk.id-lost"))
  }
}
