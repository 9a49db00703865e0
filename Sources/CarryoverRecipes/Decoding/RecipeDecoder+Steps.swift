import Carryover
import CarryoverSystem
import PropertyLists

/// The types that a step accepts, and those that it can give.
private struct Signature {
  var accepts: Set<PropertyListValue.Kind>
  /// Nil if the type does not change.
  var gives: PropertyListValue.Kind?
}

extension Transform {
  fileprivate var signature: Signature {
    switch self {
    case .exactText, .numberText: Signature(accepts: [.string, .integer, .real], gives: .string)
    case .wholeNumber: Signature(accepts: [.integer, .real], gives: .integer)
    case .integerFromText: Signature(accepts: [.string, .integer], gives: .integer)
    case .boolean: Signature(accepts: [.boolean, .integer, .real], gives: .boolean)
    case .invert: Signature(accepts: [.boolean], gives: .boolean)
    case .isPresent: Signature(accepts: Set(PropertyListValue.Kind.allCases), gives: .boolean)
    case .only(let values): Signature(accepts: Set(values.map(\.kind)), gives: nil)
    case .except: Signature(accepts: Set(PropertyListValue.Kind.allCases), gives: nil)
    case .pastSecondsToMilliseconds: Signature(accepts: [.integer, .real], gives: .integer)
    case .jsonWithoutMembers: Signature(accepts: [.string], gives: .string)
    case .archivedJSON: Signature(accepts: [.string, .data], gives: .string)
    case .jsonText: Signature(accepts: [.string, .dictionary], gives: .string)
    case .decimalPropertyList: Signature(accepts: [.string], gives: .data)
    case .keyedArchive: Signature(accepts: [.dictionary, .array, .set], gives: .data)
    case .model: Signature(accepts: [.string, .data], gives: nil)
    }
  }
}

extension RecipeDecoder {
  /// The steps with a plain name.
  private static let plain: [(String, Transform)] = [
    ("text", .exactText), ("number-text", .numberText), ("whole", .wholeNumber),
    ("integer-from-text", .integerFromText), ("boolean", .boolean), ("not", .invert), ("is-present", .isPresent),
    ("past-seconds-to-milliseconds", .pastSecondsToMilliseconds), ("archived-json", .archivedJSON),
    ("json-text", .jsonText),
    ("decimal-property-list", .decimalPropertyList), ("keyed-archive", .keyedArchive),
  ]

  private static func name(of step: Transform) -> String? { plain.first { $0.1 == step }?.0 }

  /// The steps of a source, and whether they fit each other and the field's form, whatever the value is.
  func steps(_ nodes: [RecipeNode], in place: TextPlace, to form: TargetForm?) -> [Transform] {
    var kinds = Set(PropertyListValue.Kind.allCases)
    var transforms: [Transform] = []
    for node in nodes {
      guard let transform = step(node) else { return transforms }
      let signature = transform.signature
      guard !kinds.isDisjoint(with: signature.accepts) else {
        log.report(
          .wrongStep, node.place,
          "This step accepts \(Self.words(signature.accepts)), but the step before gives \(Self.words(kinds)).")
        return transforms
      }
      if transform.isIdle(after: kinds), let name = Self.name(of: transform) {
        log.report(
          .idleStep, node.place, "The step before gives \(Self.words(kinds)), which \(name) does not change.",
          fix: .removeItem(name))
      }
      kinds = signature.gives.map { [$0] } ?? kinds.intersection(signature.accepts)
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
    case "only": return .only(scalars(entry.value))
    case "except": return .except(scalars(entry.value))
    case "model": return model(entry.value).map(Transform.model)
    default:
      let names = Self.plain.map(\.0) + ["json-without", "only", "except", "model"]
      log.report(
        .unknownName, entry.place, "There is no step \(DisplayText.quoted(entry.key)). \(suggest(entry.key, names))")
      return nil
    }
  }

  /// Texts, booleans and integers to compare a value with.
  private func scalars(_ node: RecipeNode) -> [PropertyListValue] {
    let values = (node.items(log) ?? []).compactMap(propertyList)
    for value in values where ![.string, .boolean, .integer].contains(value.kind) {
      log.report(.wrongValue, node.place, "Each value must be text, an integer, true or false.")
    }
    if values.isEmpty { log.report(.wrongValue, node.place, "Name at least one value.") }
    return values
  }

  private static func words(_ kinds: Set<PropertyListValue.Kind>) -> String {
    kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }
}
