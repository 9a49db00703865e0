import Carryover
import PropertyLists

/// What a draft makes of a value, by its type.
enum DraftRule {
  /// A field with this form and these steps. The hint is for the author.
  case field(TargetForm, steps: [String], hint: String?)
  /// A value that is not migrated, and why.
  case notMigrated(String, hint: String?)

  init(_ value: PropertyListValue) {
    switch value {
    case .string: self = Self.holds(value, .jsonObjectString) ? Self.plain(.jsonObjectString) : Self.plain(.string)
    case .integer(let integer):
      self = integer.int64 == nil ? .field(.string, steps: ["text"], hint: nil) : Self.plain(.integer)
    case .boolean: self = Self.plain(.boolean)
    case .data(let bytes):
      let isPropertyList = bytes.starts(with: "bplist".utf8)
      self =
        Self.holds(value, .jsonObjectData)
        ? Self.plain(.jsonObjectData)
        : .field(
          .data, steps: [],
          hint: isPropertyList ? "To write its dictionary as JSON: json-object-string, steps: [archived-json]." : nil)
    case .dictionary:
      self = .field(
        .jsonObjectString, steps: ["json-text"], hint: "The dictionary as JSON, in which dates and data are text.")
    case .real:
      self = .notMigrated(
        "A field cannot be a real number.",
        hint: "To migrate it as another type: a field with whole, number-text or past-seconds-to-milliseconds.")
    case .date: self = .notMigrated("A field cannot be a date.", hint: nil)
    case .array, .set: self = .notMigrated("A field cannot be a list.", hint: nil)
    case .uid, .null: self = .notMigrated("A field cannot have a value of this type.", hint: nil)
    }
  }

  private static func plain(_ form: TargetForm) -> DraftRule { .field(form, steps: [], hint: nil) }

  private static func holds(_ value: PropertyListValue, _ form: TargetForm) -> Bool { form.mismatch(value) == nil }
}

extension DraftSource.Item {
  /// What a draft makes of it.
  var rule: DraftRule {
    if isSecret {
      return .notMigrated("Its name says that it is a secret.", hint: "If the new SDK reads it, make it a field.")
    }
    let rule = DraftRule(value)
    // JSON has no dates and no data.
    if json != nil, case .field(let form, let steps, _) = rule { return .field(form, steps: steps, hint: nil) }
    return rule
  }

  /// Whether a draft has no place for it: only a whole key can be not migrated, not a member of the JSON under it.
  var hasNoPlace: Bool {
    guard source.member != nil, case .notMigrated = rule else { return false }
    return true
  }
}
