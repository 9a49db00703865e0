import Foundation
import PropertyLists

/// Which fields have been restored, kept in the new SDK's suite among the values themselves.
///
/// A suite is one file: what reaches the disk is values with mark, or neither. In another domain the mark could outlive a
/// loss of power that the values did not.
struct RestorationMark {
  static let key = "carryover.restored"
  /// Whose rules were followed where nobody had said whose.
  static let anybody = "any"
  /// The fields that are settled, whatever rules are followed.
  private(set) var fields: Set<PersistedField>
  /// The fields that one SDK's rules had no value for and another's have: settled for the first one only.
  private(set) var passedOver: [String: Set<PersistedField>]

  init(in target: any DefaultsDomain) throws(DefaultsDomainError) {
    var fields: Set<PersistedField> = []
    var passedOver: [String: Set<PersistedField>] = [:]
    if case .dictionary(let mark)? = try target.value(for: Self.key) {
      fields = Self.fields(mark["fields"])
      if case .dictionary(let recipes)? = mark["passedOver"] {
        for entry in recipes.entries { passedOver[entry.key] = Self.fields(entry.value) }
      }
    }
    self.fields = fields
    self.passedOver = passedOver
  }

  /// What is left to settle by a recipe's rules.
  func open(_ asked: Set<PersistedField>, for recipe: String) -> Set<PersistedField> {
    asked.subtracting(fields).subtracting(passedOver[recipe] ?? [])
  }

  /// Puts the mark over more fields; nothing is written where they are marked already.
  mutating func add(
    _ more: Set<PersistedField>, passingOver: Set<PersistedField>, for recipes: Set<String>,
    to target: any DefaultsDomain, at date: Date
  ) throws(DefaultsDomainError) {
    let before = self
    fields.formUnion(more)
    if !passingOver.isEmpty {
      for recipe in recipes { passedOver[recipe, default: []].formUnion(passingOver) }
    }
    guard fields != before.fields || passedOver != before.passedOver else { return }
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    var mark: [PropertyListDictionary.Entry] = [
      .init(key: "version", value: 1), .init(key: "at", value: .integer(PropertyListInteger(seconds))),
      .init(key: "fields", value: Self.value(fields)),
    ]
    if !passedOver.isEmpty {
      let entries = passedOver.sorted { $0.key < $1.key }.map {
        PropertyListDictionary.Entry(key: $0.key, value: Self.value($0.value))
      }
      mark.append(.init(key: "passedOver", value: .dictionary(PropertyListDictionary(entries: entries))))
    }
    try target.set(.dictionary(PropertyListDictionary(entries: mark)), for: Self.key)
  }

  private static func value(_ fields: Set<PersistedField>) -> PropertyListValue {
    .array(fields.map(\.rawValue).sorted().map(PropertyListValue.string))
  }

  private static func fields(_ value: PropertyListValue?) -> Set<PersistedField> {
    guard case .array(let names)? = value else { return [] }
    return Set(
      names.compactMap { name in
        if case .string(let name) = name { PersistedField(rawValue: name) } else { nil }
      })
  }
}
