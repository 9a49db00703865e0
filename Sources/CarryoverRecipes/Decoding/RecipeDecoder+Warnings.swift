import Carryover
import CarryoverSystem

/// The warnings and notes of lint. A recipe can allow each one, with a reason.
extension RecipeDecoder {
  /// The warnings that the file allows: `lint: [{code: R106, because: REASON}]`.
  func allowed(_ node: RecipeNode?) -> Set<LintCode> {
    let codes = (node?.items(log) ?? []).compactMap { item -> LintCode? in
      guard var map = RecipeMap(item, of: "An allowed warning", log) else { return nil }
      let code = map.require("code").flatMap { node in
        named(node, "warning", LintCode.allCases.filter { $0.severity != .error }.map { ($0.rawValue, $0) })
      }
      _ = map.requireSentence("because")
      map.end()
      return code
    }
    return Set(codes)
  }

  /// Reports unused parameters.
  func warn(_ recipe: Recipe, parameters: RecipeNode?) {
    guard let parameters else { return }
    let names = (recipe.sources.flatMap(\.templates) + recipe.leftBehind.compactMap(\.file)).flatMap(\.parameters)
    for parameter in recipe.parameters
    where !recipe.requires(parameter) && !names.contains(parameter.name) {
      log.report(.unusedParameter, parameters.place, "No key or file name contains ${\(parameter.name)}.")
    }
  }

  /// Reports sources that an earlier one without conditions hides, and secrets.
  func warn(_ candidates: [(node: RecipeNode, candidate: Candidate)]) {
    var places: [SourceKey: TextPlace] = [:]
    for (node, candidate) in candidates {
      if let first = places[candidate.source] {
        log.report(.unusedSource, node.place, "The source in line \(first.line) reads the same value and comes first.")
      } else if candidate.conditions.isEmpty {
        places[candidate.source] = node.place
      }
      warn(secret: candidate.source.member ?? candidate.source.key, node.place)
    }
  }

  func warn(secret key: String, _ place: TextPlace) {
    guard looksSecret(key, parameters) else { return }
    log.report(
      .unmaskedSecret, place, "The value of \(DisplayText.quoted(key)) looks like a secret, and is not masked.")
  }
}

/// Whether a key's name says that its value is a password, a secret or a token.
func looksSecret(_ key: String, _ parameters: [RecipeParameter]) -> Bool {
  let name = parameters.reduce(key) { $0.replacing($1.place, with: "") }.lowercased()
  return ["password", "secret", "token", "jwt"].contains(where: name.contains)
}
