import Carryover
import CarryoverSystem
import PropertyLists

/// Conditions of sources, in `when`, and requirements of fields, in `require`.
extension RecipeDecoder {
  /// The tests that an item of a list can name, besides `key`.
  private static let tests = [
    "present", "non-empty", "is", "one-of", "max-bytes", "range", "kind", "form", "glob",
    "archive-without",
  ]

  /// The types that a condition can name. A recipe file has no values of the others.
  private static let kinds: [PropertyListValue.Kind] = [
    .string, .integer, .real, .boolean, .date, .data, .array, .dictionary,
  ]

  /// The conditions of a source, and the types of the values that can meet all those on the source's own value.
  func conditions(_ node: RecipeNode?) -> (all: [Condition], kinds: Set<PropertyListValue.Kind>) {
    var kinds = Set(PropertyListValue.Kind.allCases)
    checkCount(node?.items(log) ?? [], atMost: 32, "conditions")
    let all = (node?.items(log) ?? []).compactMap { item -> Condition? in
      guard let condition = condition(item, ofSource: true) else { return nil }
      if condition.key == nil { narrow(&kinds, by: condition.test, item.place, "the value") }
      return condition
    }
    return (all, kinds)
  }

  /// What the proposal of a field must be.
  /// - Parameter form: the form of the field; nil if it is not known. A model keeps the type of its data.
  func requirements(_ node: RecipeNode?, of form: TargetForm?, isModel: Bool) -> [Predicate] {
    var kinds = isModel ? [.string, .data] : form.map { [$0.kind] } ?? Set(PropertyListValue.Kind.allCases)
    checkCount(node?.items(log) ?? [], atMost: 32, "requirements")
    return (node?.items(log) ?? []).compactMap { item in
      guard let test = condition(item, ofSource: false)?.test else { return nil }
      narrow(&kinds, by: test, item.place, "the field's value")
      return test
    }
  }

  /// Leaves the types that can meet a test too. Reports a test that no value meets, or every one.
  private func narrow(
    _ kinds: inout Set<PropertyListValue.Kind>, by test: Predicate, _ place: TextPlace, _ what: String
  ) {
    let left = kinds.intersection(test.kinds)
    guard !left.isEmpty else {
      return log.report(
        .neverMet, place, "Only \(Self.words(test.kinds)) can meet this, but \(what) is \(Self.words(kinds)).")
    }
    if test.isAlwaysMet(by: kinds) {
      log.report(.alwaysMet, place, "Every value meets this: \(what) is \(Self.words(kinds)).")
    }
    kinds = left
  }

  /// One test, `non-empty` or `{NAME: …}`; for a source also `{key: KEY, NAME: …}`.
  private func condition(_ node: RecipeNode, ofSource isSource: Bool) -> Condition? {
    if case .text = node.content { return named(node, "condition", [("non-empty", Condition(.nonEmpty))]) }
    guard var map = RecipeMap(node, of: "A condition", log), case .map(let entries) = node.content else { return nil }
    let key = isSource ? map.take("key") : nil
    let named = key.flatMap(self.key)
    if let key, let named { warn(secret: named, key.place) }
    let found = Self.tests.compactMap { name in map.take(name).map { (name: name, node: $0) } }
    map.end()
    guard found.count == 1, let only = found.first else {
      // Unknown keys have been reported.
      if entries.allSatisfy({ Self.tests.contains($0.key) || isSource && $0.key == "key" }) {
        log.report(.wrongValue, node.place, "A condition has one test: \(Self.tests.joined(separator: ", ")).")
      }
      return nil
    }
    if only.name == "present", key == nil {
      log.report(
        .wrongValue, node.place,
        isSource ? "Name the key: {key: KEY, present: true}." : "A requirement tests a value that is present.")
    }
    guard let test = test(only.name, only.node), key == nil || named != nil else { return nil }
    return Condition(test, key: named)
  }

  private func test(_ name: String, _ node: RecipeNode) -> Predicate? {
    switch name {
    case "present": return node.flag(log).map(Predicate.present)
    case "non-empty":
      if node.flag(log) == false { log.report(.wrongValue, node.place, "Only true is possible here.") }
      return .nonEmpty
    case "is": return scalar(node).map { .oneOf([$0]) }
    case "one-of": return .oneOf(scalars(node))
    case "max-bytes": return node.number(log, from: 1).map(Predicate.atMostBytes)
    case "range": return range(node)
    case "kind": return self.named(node, "type", Self.kinds.map { ($0.rawValue, Predicate.kind($0)) })
    case "form": return self.named(node, "form", TextForm.allCases.map { ($0.rawValue, Predicate.form($0)) })
    case "glob": return node.text(log).map { .glob(Glob($0)) }
    default:
      let kinds: [KeyedValue.Kind] = [.data, .date, .set, .orderedSet, .url, .uuid]
      return node.items(log).map { items in
        .archive(without: items.compactMap { self.named($0, "type", kinds.map { ($0.rawValue, $0) }) })
      }
    }
  }

  private func scalar(_ node: RecipeNode) -> PropertyListValue? {
    switch node.content {
    case .list, .map:
      log.report(.wrongValue, node.place, "Text, an integer, true or false is needed here.")
      return nil
    default: return scalars(RecipeNode(content: .list([node]), place: node.place)).first
    }
  }

  /// Two integers, the smaller one first.
  private func range(_ node: RecipeNode) -> Predicate? {
    guard let items = node.items(log) else { return nil }
    let bounds = items.compactMap { $0.number(log, from: Int.min) }
    guard bounds.count == 2, items.count == 2, bounds[0] <= bounds[1] else {
      if bounds.count == items.count {
        log.report(.wrongValue, node.place, "Name two integers, the smaller one first: [0, 100].")
      }
      return nil
    }
    return .range(Int64(bounds[0])...Int64(bounds[1]))
  }

  private static func words(_ kinds: Set<PropertyListValue.Kind>) -> String {
    kinds.count == PropertyListValue.Kind.allCases.count
      ? "any type" : kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }
}
