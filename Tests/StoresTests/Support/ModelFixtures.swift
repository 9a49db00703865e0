import Foundation

/// The data of a model in every version that was ever shipped, as files: `Examples/Models/<model>/v<version>.json`.
enum ModelFixtures {
  static func of(_ model: String) -> [Int: String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Examples/Models/\(model)")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    var fixtures: [Int: String] = [:]
    for file in files {
      guard let match = file.lastPathComponent.wholeMatch(of: /v([0-9]+)\.json/), let version = Int(match.output.1),
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      fixtures[version] = text.trimmingCharacters(in: .newlines)
    }
    return fixtures
  }
}
