import Carryover
import CarryoverSystem
import PropertyLists

extension RecipeDecoder {
  /// The steps with a plain name.
  private static let plain: [(String, Transform)] = [
    ("text", .exactText), ("number-text", .numberText), ("whole", .wholeNumber),
    ("integer-from-text", .integerFromText), ("boolean", .boolean), ("not", .invert), ("is-present", .isPresent),
    ("past-seconds-to-milliseconds", .pastSecondsToMilliseconds), ("archived-json", .archivedJSON),
    ("json-text", .jsonText), ("decimal-property-list", .decimalPropertyList),
    ("property-list-data", .propertyListData), ("keyed-archive", .keyedArchive), ("lowercase", .lowercase),
    ("uppercase", .uppercase), ("milliseconds-to-seconds", .millisecondsToSeconds),
    ("date-to-milliseconds", .dateToMilliseconds), ("iso8601", .iso8601),
  ]

  /// The steps with a value.
  private static let others = [
    "json-without", "json-only", "json-rename", "only", "except", "map", "prefix", "drop-prefix", "wrap", "unwrap",
    "model",
  ]

  private static func name(of step: Transform) -> String? { plain.first { $0.1 == step }?.0 }

  /// The steps of a source, and whether they fit each other and the field's form, whatever the value is.
  /// - Parameter kinds: the types that the value can have.
  func steps(
    _ nodes: [RecipeNode], from kinds: Set<PropertyListValue.Kind>, in place: TextPlace, to form: TargetForm?
  ) -> [Transform] {
    var kinds = kinds
    var transforms: [Transform] = []
    checkCount(nodes, atMost: 128, "steps")
    for node in nodes {
      guard let transform = step(node) else { return transforms }
      let types = transform.types
      // Without a step before, only conditions narrow the types.
      let before = transforms.isEmpty ? "the conditions leave" : "the step before gives"
      guard !kinds.isDisjoint(with: types.accepts) else {
        log.report(
          .wrongStep, node.place,
          "This step accepts \(Self.words(types.accepts)), but \(before) \(Self.words(kinds)).")
        return transforms
      }
      if transform.isIdle(after: kinds), let name = Self.name(of: transform) {
        log.report(
          .idleStep, node.place,
          "\(before.prefix(1).uppercased() + before.dropFirst()) \(Self.words(kinds)), which \(name) does not change.")
      }
      warn(transform, after: transforms.last, node.place)
      kinds = types.gives ?? kinds.intersection(types.accepts)
      transforms.append(transform)
    }
    if let form, !kinds.contains(form.kind) {
      log.report(
        .wrongForm, nodes.last?.place ?? place,
        "The steps give \(Self.words(kinds)), but the field needs \(form.words).")
    }
    return transforms
  }

  private func step(_ node: RecipeNode) -> Transform? {
    guard case .map(let entries) = node.content else { return named(node, "step", Self.plain) }
    guard let entry = entries.first, entries.count == 1 else {
      log.report(.wrongValue, node.place, "A step has one name.")
      return nil
    }
    switch entry.key {
    case "json-without": return .jsonWithoutMembers(entry.value.texts(log))
    case "json-only": return .jsonOnlyMembers(filled(entry.value.texts(log), entry.value))
    case "json-rename": return .jsonRenamedMembers(names(entry.value))
    case "only": return .only(scalars(entry.value))
    case "except": return .except(scalars(entry.value))
    case "map": return .map(replacements(entry.value))
    case "prefix": return entry.value.text(log).map(Transform.prefix)
    case "drop-prefix": return entry.value.text(log).map(Transform.dropPrefix)
    case "wrap": return entry.value.text(log).map(Transform.wrap)
    case "unwrap": return entry.value.text(log).map(Transform.unwrap)
    case "model": return model(entry.value).map(Transform.model)
    default:
      log.report(
        .unknownName, entry.place,
        "There is no step \(DisplayText.quoted(entry.key)). \(log.suggest(entry.key, Self.plain.map(\.0) + Self.others))"
      )
      return nil
    }
  }

  /// Reports a map that can never say that the user opted out, in a field that migrates opt-outs.
  func warn(consent transforms: [Transform], _ place: TextPlace) {
    for case .map(let entries) in transforms where !entries.contains(where: { PlanningContext.isTrue($0.to) }) {
      log.report(
        .noOptOut, place, "No result of this map is true, so Carryover cannot see that the user opted out.")
    }
  }

  /// Reports a map of booleans without one of the two, unless the step before excludes values.
  private func warn(_ step: Transform, after before: Transform?, _ place: TextPlace) {
    guard case .map(let entries) = step, Set(entries.map(\.from)).intersection([true, false]).count == 1 else { return }
    switch before {
    case .only, .except: return
    default: log.report(.partialMap, place, "The map has an entry for true or for false, but not for both.")
    }
  }

  private static func words(_ kinds: Set<PropertyListValue.Kind>) -> String {
    kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }
}
