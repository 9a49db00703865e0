import Carryover
import CarryoverSystem

/// Parameters, and the keys and file names that contain them as `${token}`.
extension RecipeDecoder {
  func parameters(_ node: RecipeNode?) -> [RecipeParameter] {
    guard let node else { return [] }
    guard case .map(let entries) = node.content else {
      log.report(.wrongValue, node.place, "Parameters are a map: names with their descriptions.")
      return []
    }
    guard entries.count <= Self.mostParameters else {
      log.report(.tooLarge, node.place, "A recipe has at most \(Self.mostParameters) parameters.")
      return []
    }
    return entries.compactMap { entry in
      guard var map = RecipeMap(entry.value, of: "A parameter", log) else { return nil }
      let title = map.requireWords("title")
      let form = map.choice("form", of: RecipeParameter.Form.allCases.map { ($0.rawValue, $0) }) ?? .name
      map.end()
      guard Self.isIdentifier(entry.key, 1...32), !Self.given.contains(entry.key), entry.key != Self.each.name else {
        log.report(
          .badID, entry.place, "A parameter's name has 1 to 32 characters: a to z, 0 to 9 and -; it is not a given one."
        )
        return nil
      }
      return title.map { RecipeParameter(entry.key, $0, form: form) }
    }
  }

  /// A key, with declared parameters only.
  func key(_ node: RecipeNode) -> String? {
    guard let text = node.text(log) else { return nil }
    let known = parameters.map(\.name)
    return pieces(of: text, node.place, known) == nil ? nil : text
  }

  func keys(_ node: RecipeNode?) -> [String] { (node?.items(log) ?? []).compactMap(key) }

  /// A name of a file with its parameters: `${bundle-id}.analytics.${write-key}`.
  func template(_ text: String, _ place: TextPlace) -> NameTemplate? {
    pieces(of: text, place, Self.given + parameters.map(\.name)).map(NameTemplate.init)
  }

  private static let mostParameters = 8

  /// The parameters that every container or command gives.
  private static let given = [NameTemplate.bundleID, "write-key"]

  /// A text as literal parts and known parameters; nil, with an issue, for an unknown one.
  private func pieces(of text: String, _ place: TextPlace, _ known: [String]) -> [NameTemplate.Part]? {
    // Most texts have no parameter, and looking for one takes time.
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text.isEmpty ? [] : [.text(text)] }
    var parts: [NameTemplate.Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        log.report(.unknownParameter, place, "A parameter ends with }: ${write-key}.")
        return nil
      }
      if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
      let name = String(rest[start.upperBound..<end])
      guard known.contains(name) else {
        log.report(
          .unknownParameter, place,
          "There is no parameter \(DisplayText.quoted(name)) here. \(log.suggest(name, known))")
        return nil
      }
      parts.append(.parameter(name))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }
}
