import Foundation
import Testing

@Suite("Fields for each key, on the command line")
struct FamilyCommandTests {
  private let folder: TemporaryFolder
  private let file: String
  private static let text = #"""
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
      - key: flag_${each}
        for-each: acme_flag_*
        form: string
        from: [{key: "acme_flag_${each}", steps: [text]}]
      - key: id
        form: string
        from: [{key: acme_id}]
    tests:
      - name: two flags
        given: {Library/Preferences/com.example.app.plist: {acme_flag_a: x, acme_flag_b: 2}}
        expect:
          fields: {flag_a: ready, flag_b: {status: ready, value: "2"}, id: absent}
          findings: []
          written: {flag_a: x, flag_b: "2"}
      - name: a flag that is a list, and no flag
        given: {Library/Preferences/com.example.app.plist: {acme_flag_c: [1], acme_id: u-1}}
        expect: {fields: {flag_c: undecided, id: {status: ready, value: u-1}}, findings: [source.wrong-type]}
    """#

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
    try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  private func options() throws -> [String] {
    let digest = try Tool.digest(of: file)
    return ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
  }

  @Test("the tests plan, apply and roll back the fields")
  func tests() throws {
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.output == "0 errors, 0 warnings in 1 file.\n", "\(linted.output)")
    let tested = try Tool.carryover("recipe", "test", file)
    #expect(tested.status == 0, "\(tested.output)")
  }

  @Test("plan, apply, rollback and cleanup go by the keys; a key that appears later makes a saved plan stale")
  func applied() throws {
    let keys: [String: Any] = ["acme_flag_a": "x", "acme_flag_b": 2, "acme_id": "u"]
    let path = try folder.app(keys)
    let before = try FileState.files(under: path)
    let options = try options()
    let plan = try Tool.carryover("plan", path, "--recipe", file, "--json").json()
    #expect(try SchemaCheck("plan-1").problems(plan) == [])
    let applied = try Tool.carryover(["apply", path, "--set", "flag_a=edited"] + options)
    #expect(applied.status == 0, "\(applied.output)\(applied.error)")
    let target = path + "/Library/Preferences/com.acme.shop.acme.plist"
    let written =
      try PropertyListSerialization.propertyList(
        from: Data(contentsOf: URL(fileURLWithPath: target)), format: nil) as? [String: String]
    #expect(written == ["flag_a": "edited", "flag_b": "2", "id": "u"])
    let again = try Tool.carryover(["apply", path] + options)
    #expect(again.status == 0 && again.output.contains("Nothing"), "\(again.output)\(again.error)")
    let cleanup = try Tool.carryover(
      "cleanup", path, "--recipe", file, "--bundle-id", "com.acme.shop", "--dry-run", "--json")
    #expect(cleanup.status == 0 && cleanup.output.contains("acme_flag_b"), "\(cleanup.output)\(cleanup.error)")
    #expect(try Tool.carryover("rollback", path, "--yes").status == 0)
    #expect(try FileState.files(under: path) == before)

    let saved = folder.path("plan.json")
    _ = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop", "-o", saved)
    _ = try folder.app(keys.merging(["acme_flag_c": "new"]) { $1 })
    let stale = try Tool.carryover("apply", saved, "--recipe", file, "--yes", options[2], options[3])
    #expect(stale.status == 4 && !FileManager.default.fileExists(atPath: target), "\(stale.output)\(stale.error)")
  }

  @Test("explain has the rule without a container, and the fields with one")
  func explained() throws {
    let path = try folder.app(["acme_flag_a": "x", "acme_flag_b": 2])
    let rule = try Tool.carryover("recipe", "explain", file, "flag_${each}")
    #expect(rule.output.contains("For each key that begins with acme_flag_"), "\(rule.output)")
    let planned = try Tool.carryover("recipe", "explain", file, "flag_${each}", "--in", path)
    #expect(planned.output.contains("acme_flag_a") && planned.output.contains("acme_flag_b"), "\(planned.output)")
    let json = try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json()
    #expect(try SchemaCheck("recipes-1").problems(json) == [])
  }

  @Test("the rows of an audit name the rule, have its worst verdict, and no user's key")
  func audited() throws {
    _ = try folder.app(["acme_flag_a": "x", "acme_flag_ada": [1], "acme_id": "u"], named: "A")
    _ = try folder.app(["acme_flag_b": "x"], named: "B")
    _ = try folder.app(["acme_id": "u"], named: "C")
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    let output = folder.path("audit")
    let audit = try Tool.carryover("audit", folder.path("Saved"), "--recipe", file, "-o", output)
    #expect(audit.status == 0, "\(audit.output)\(audit.error)")
    let rows = try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8)
    let fields = rows.split(separator: "\n").filter { $0.contains(#""field":"flag_${each}""#) }
    #expect(fields.count == 3 && !rows.contains("flag_a") && !rows.contains("flag_b"), "\(rows)")
    let verdicts = fields.map { row in
      ["carries-with-decision", "carries", "nothing"].first { row.contains(#""verdict":"\#($0)""#) }
    }
    #expect(verdicts == ["carries-with-decision", "carries", "nothing"], "\(fields)")
    #expect(fields[0].contains(#""source":"acme_flag_${each}""#) && fields[0].contains("source.wrong-type"))
  }
}
