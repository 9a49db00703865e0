import PropertyLists

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
