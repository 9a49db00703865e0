import Carryover
import Foundation
import Testing

/// A recipe file for the bundled samples in a folder of its own: a field that can be migrated, one whose step has no
/// result, and one with a secret among its sources.
struct AcmeRecipe {
  let folder: TemporaryFolder
  let file: String
  static let text = """
    carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 → 2
    about: What it is for.
    parameters: {token: {title: token}}
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [rl_anonymous_id]
    opt-out-keys: []
    fields:
      - {key: "who-${token}", group: identity, form: string, from: [{key: none}, {key: rl_anonymous_id, steps: [text]}]}
      - {key: n, form: integer, from: [{key: rl_anonymous_id, steps: [integer-from-text]}]}
      - {key: plan, form: string, from: [{key: rl_traits, member: plan}, {key: rl_auth_token}]}

    """

  static let options = ["--now", SampleCopy.now, "-P", "token=x"]
  static let sample = SampleCopy.original("AcmeShop").path

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
    try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  func changed(_ old: String, _ new: String) throws -> String {
    let text = Self.text.replacingOccurrences(of: old, with: new)
    #expect(text != Self.text)
    let path = folder.path("changed.recipe.yaml")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Another file, with 2000 keys and a source whose names would steer a terminal.
  func hostile() throws -> String {
    let keys = (0..<2000).map { "  - \"k\($0)\\u001b[31m\\u202e\"\n" }.joined()
    return try changed("detect: [rl_anonymous_id]\n", "detect:\n" + keys)
  }

  static func expectHarmless(_ result: Tool.Result, _ location: SourceLocation = #_sourceLocation) {
    #expect(result.error.isEmpty && result.output.count > 2000, "\(result.error)", sourceLocation: location)
    #expect(
      !result.output.unicodeScalars.contains {
        $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
      }, sourceLocation: location)
  }
}
