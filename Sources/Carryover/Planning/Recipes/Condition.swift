package import PropertyLists

/// A condition under which a source of a field counts.
package struct Condition: Hashable, Sendable {
  /// The legacy key whose value is tested; nil for the source's own value, as found.
  package var key: String?
  package var test: Predicate

  package init(_ test: Predicate, key: String? = nil) {
    self.key = key
    self.test = test
  }

  /// The condition in a few words: "it is not empty", "acme_mode is “live”".
  package var words: String { "\(key ?? "it") is \(test.words)" }
}

/// The outcome of a condition or a requirement in a plan.
package struct ConditionResult: Hashable, Sendable {
  /// The place of the source in its field; nil for a requirement of the field.
  package var source: Int?
  /// The place among the conditions of the source, or among the requirements.
  package var index: Int
  package var isMet: Bool

  package init(source: Int?, index: Int, isMet: Bool) {
    self.source = source
    self.index = index
    self.isMet = isMet
  }
}

extension Candidate {
  /// The keys whose values decide what the source gives: its own, then those of its conditions.
  var keys: [String] { [source.key] + conditions.compactMap(\.key) }
}

extension Recipe {
  /// The legacy keys that conditions test.
  package var conditionKeys: Set<StringByBytes> {
    Set(bytesOf: rules.flatMap(\.candidates).flatMap(\.conditions).compactMap(\.key))
  }
}
