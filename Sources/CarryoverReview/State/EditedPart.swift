import Carryover

/// A field's value, or a member of it.
struct EditedPart: Hashable, Sendable {
  var field: Field.ID
  /// The names that lead to the member; empty for the whole value.
  var path: [String] = []

  /// Its name, as it stands in titles and questions.
  var name: String { ([field] + path).joined(separator: ".") }
}
