import Carryover
import CarryoverSystem

extension RecipeDecoder {
  /// The places that the recipe does not read: `{file: PATH}` or `{suite: NAME, keys: [KEY]}`, with the reason. A `*`
  /// stands for any text, in a path without a slash.
  func elsewhere(_ node: RecipeNode?, beside sources: [SourceStore]) -> [Elsewhere] {
    (node?.items(log) ?? []).compactMap { item in
      guard var map = RecipeMap(item, of: "A place that the recipe does not read", log) else { return nil }
      defer { map.end() }
      if let file = map.take("file") {
        let path = unreadPath(file)
        let reason = map.requireSentence("because")
        guard let path, let reason else { return nil }
        if sources.contains(where: { $0.places.contains(path.words) }) {
          log.report(.sameFile, file.place, "The recipe reads \(DisplayText.quoted(path.words)).")
        }
        return Elsewhere(.files(path), because: reason)
      }
      let suite = map.require("suite").flatMap(suite)
      let listed = map.require("keys")
      let keys = listed?.texts(log) ?? []
      let reason = map.requireSentence("because")
      guard let suite, let reason else { return nil }
      if listed != nil, keys.isEmpty { log.report(.missingKey, item.place, "Name the keys.") }
      return Elsewhere(.keys(keys.map { Glob($0) }, suite: suite), because: reason)
    }
  }

  /// A path of a file in the app's data container or in the folder of an app group.
  private func unreadPath(_ node: RecipeNode) -> NameTemplate? {
    guard let text = node.text(log) else { return nil }
    let group = "AppGroups/*/"
    let isInGroup = text.hasPrefix(group)
    let inside = isInGroup ? String(text.dropFirst(group.count)) : text
    guard let path = sourcePath(RecipeNode(content: .text(inside), place: node.place)) else { return nil }
    let parts = path.parts.flatMap { part -> [NameTemplate.Part] in
      guard case .text(let text) = part else { return [part] }
      let pieces = text.split(separator: "*", omittingEmptySubsequences: false)
      return pieces.enumerated().flatMap { index, piece in
        (index == 0 ? [] : [.any]) + (piece.isEmpty ? [] : [.text(String(piece))])
      }
    }
    return NameTemplate(isInGroup ? ["AppGroups/", .any] + Self.joined("/", parts) : parts)
  }

  private static func joined(_ text: String, _ parts: [NameTemplate.Part]) -> [NameTemplate.Part] {
    guard case .text(let first)? = parts.first else { return [.text(text)] + parts }
    return [.text(text + first)] + parts.dropFirst()
  }
}
