import Carryover
import CarryoverSystem

/// A finding that a recipe declares, before a field gives it a weight.
struct DeclaredFinding {
  var place: TextPlace
  var finding: OwnFinding
}

extension RecipeDecoder {
  /// The recipe's own findings by name: `NAME: {title: …, message: …, remedy: …}`.
  func findings(_ node: RecipeNode?, of id: String?) -> [String: DeclaredFinding] {
    guard let node else { return [:] }
    guard case .map(let entries) = node.content else {
      log.report(.wrongValue, node.place, "Findings are a map: names with their words.")
      return [:]
    }
    let groups = FindingGroup.general + vendors.flatMap(\.groups)
    if let id, groups.contains(where: { $0.name == id }) {
      log.report(
        .badID, node.place, "A recipe with findings cannot have the id \(id), which other findings begin with.")
    }
    return entries.reduce(into: [:]) { found, entry in
      guard var map = RecipeMap(entry.value, of: "A finding", log) else { return }
      let title = map.require("title").flatMap(plainWords)
      let message = map.require("message").flatMap(plainSentence)
      let remedy = map.require("remedy").flatMap(plainSentence)
      map.end()
      guard Self.isIdentifier(entry.key, 3...64) else {
        return log.report(.badID, entry.place, "A finding's name has 3 to 64 characters: a to z, 0 to 9 and -.")
      }
      guard let title, let message, let remedy else { return }
      found[entry.key] = DeclaredFinding(
        place: entry.place,
        finding: OwnFinding(
          "\(id ?? "").\(entry.key)", .warning, title: title, message: message, remedy: remedy))
    }
  }

  /// What a field says if no source has a value: `{finding: NAME, weight: error}`.
  func otherwise(_ node: RecipeNode, _ findings: [String: DeclaredFinding]) -> (name: String, finding: OwnFinding)? {
    guard var map = RecipeMap(node, of: "What a field says without a value", log) else { return nil }
    let name = map.require("finding")
    let weight = map.require("weight").flatMap {
      named($0, "weight", Severity.allCases.map { ($0.rawValue, $0) })
    }
    map.end()
    guard let name, let slug = name.text(log) else { return nil }
    guard var finding = findings[slug]?.finding else {
      log.report(
        .unknownName, name.place,
        "The recipe has no finding \(DisplayText.quoted(slug)). \(log.suggest(slug, findings.keys.sorted()))")
      return nil
    }
    guard let weight else { return nil }
    finding.severity = weight
    return (slug, finding)
  }

  /// Words of a finding. It is shown for every container, so it cannot contain a value.
  private func plainWords(_ node: RecipeNode) -> String? {
    guard let words = node.words(log) else { return nil }
    guard !words.contains("${") else {
      log.report(.valueInFinding, node.place, "The words of a finding contain no ${…}. Name the field or the key.")
      return nil
    }
    guard !words.contains("\n") else {
      log.report(.wrongValue, node.place, "The words of a finding are on one line.")
      return nil
    }
    return words
  }

  private func plainSentence(_ node: RecipeNode) -> String? {
    let words = plainWords(node)
    if words != nil { node.checkSentence(log) }
    return words
  }
}
