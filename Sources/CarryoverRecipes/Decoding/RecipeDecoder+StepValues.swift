import Carryover
import CarryoverSystem
import PropertyLists

/// The values of steps that have some.
extension RecipeDecoder {
  /// Texts, booleans and integers to compare a value with.
  func scalars(_ node: RecipeNode) -> [PropertyListValue] {
    filled((node.items(log) ?? []).compactMap(scalar), node)
  }

  /// The values of a map: a list of `{from: VALUE, to: VALUE}`. A YAML key would be text, whatever it looks like.
  func replacements(_ node: RecipeNode) -> [Transform.Replacement<PropertyListValue>] {
    var entries: [Transform.Replacement<PropertyListValue>] = []
    var seen: Set<PropertyListValue> = []
    for item in node.items(log) ?? [] {
      guard var map = RecipeMap(item, of: "An entry of a map", log) else { continue }
      let (from, to) = (map.require("from").flatMap(scalar), map.require("to").flatMap(scalar))
      map.end()
      guard let from, let to else { continue }
      if !seen.insert(from).inserted {
        log.report(.wrongValue, item.place, "The map has an entry for this value already.")
      }
      if let first = entries.first, first.to.kind != to.kind {
        log.report(.wrongValue, item.place, "All results of a map have one type: text, an integer, or true and false.")
      }
      entries.append(Transform.Replacement(from, to: to))
    }
    return filled(entries, node)
  }

  /// The new names of members: `{OLD: NEW}`.
  func names(_ node: RecipeNode) -> [Transform.Replacement<String>] {
    guard case .map(let entries) = node.content else {
      log.report(.wrongValue, node.place, "A map is needed here: each member with its new name.")
      return []
    }
    let names = entries.compactMap { entry in
      entry.value.text(log).map { Transform.Replacement(entry.key, to: $0) }
    }
    var seen: Set<StringByBytes> = []
    for (entry, name) in zip(entries, names) where !seen.insert(StringByBytes(name.to)).inserted {
      log.report(.wrongValue, entry.place, "Two members have this new name.")
    }
    return filled(names, node)
  }

  /// A list, which is an issue if it is empty.
  func filled<Value>(_ values: [Value], _ node: RecipeNode) -> [Value] {
    if values.isEmpty { log.report(.wrongValue, node.place, "Name at least one value.") }
    return values
  }

  private func scalar(_ node: RecipeNode) -> PropertyListValue? {
    guard let value = propertyList(node) else { return nil }
    if ![.string, .boolean, .integer].contains(value.kind) {
      log.report(.wrongValue, node.place, "Each value must be text, an integer, true or false.")
    }
    return value
  }
}
