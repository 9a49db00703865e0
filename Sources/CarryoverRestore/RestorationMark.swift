import Carryover
import CarryoverUserDefaults
import Foundation

/// The mark that lists the restored fields, in the new SDK's suite beside the values.
///
/// A suite is one file, so the values and the mark reach the disk together. In another domain, the mark could survive a
/// power cut that the values did not.
struct RestorationMark {
  static let key = PlanningContext.restorationMark
  static let version: Int64 = 1
  /// The name for calls without a recipe.
  static let anybody = "any"
  /// The fields that are settled for every recipe.
  private(set) var fields: Set<PersistedField> = []
  /// The fields that were written. The others had no value, or already had the right one.
  private(set) var restored: Set<PersistedField> = []
  /// The fields for which one recipe found no value but another SDK has one. They are settled for the first only.
  private(set) var passedOver: [String: Set<PersistedField>] = [:]
  /// The open conflicts, each with the value that the new SDK's suite had. Settled except for a call that chooses a
  /// value.
  private(set) var conflicts: [PersistedField: PropertyListValue] = [:]
  /// Why the existing mark is not understood.
  private(set) var defect: RestorationMarkDefect?

  init(in target: any DefaultsDomain) throws(DefaultsDomainError) {
    guard let value = try target.value(for: Self.key) else { return }
    do throws(RestorationMarkDefect) {
      try read(value)
    } catch {
      defect = error
    }
  }

  /// The fields that are open for a recipe. None if the mark is not understood: a user who is not restored can log in
  /// again, but one who logged out must not come back.
  func open(_ asked: Set<PersistedField>, for recipe: String) -> Set<PersistedField> {
    defect == nil ? asked.subtracting(fields).subtracting(passedOver[recipe] ?? []).subtracting(conflicts.keys) : []
  }

  /// The open conflicts among some fields, each with the value that the new SDK's suite had.
  func conflicts(_ asked: Set<PersistedField>) -> [PersistedField: PropertyListValue] {
    conflicts.filter { asked.contains($0.key) }
  }

  /// Adds fields to the mark. Nothing is written if they are marked already.
  mutating func add(
    _ more: Set<PersistedField>, restored written: Set<PersistedField>, passingOver: Set<PersistedField>,
    for recipes: Set<String>, conflicts left: [PersistedField: PropertyListValue], to target: any DefaultsDomain,
    at date: Date
  ) throws(DefaultsDomainError) {
    let before = self
    fields.formUnion(more)
    restored.formUnion(written)
    for field in more { conflicts[field] = nil }
    // The value of the first conflict stays: the new SDK created any later one.
    conflicts.merge(left) { first, _ in first }
    if !passingOver.isEmpty {
      for recipe in recipes { passedOver[recipe, default: []].formUnion(passingOver) }
    }
    guard fields != before.fields || passedOver != before.passedOver || conflicts != before.conflicts else { return }
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    var mark: [(String, PropertyListValue)] = [
      ("version", .integer(PropertyListInteger(Self.version))), ("at", .integer(PropertyListInteger(seconds))),
      ("fields", Self.value(fields)),
    ]
    if !restored.isEmpty { mark.append(("restored", Self.value(restored))) }
    if !passedOver.isEmpty {
      let entries = passedOver.sorted { $0.key < $1.key }.map { ($0.key, Self.value($0.value)) }
      mark.append(("passedOver", Self.dictionary(entries)))
    }
    if !conflicts.isEmpty {
      let entries = conflicts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value) }
      mark.append(("conflicts", Self.dictionary(entries)))
    }
    try target.set(Self.dictionary(mark), for: Self.key)
  }

  private static func dictionary(_ entries: [(String, PropertyListValue)]) -> PropertyListValue {
    .dictionary(PropertyListDictionary(entries: entries.map { .init(key: $0.0, value: $0.1) }))
  }

  private static func value(_ fields: Set<PersistedField>) -> PropertyListValue {
    .array(fields.map(\.rawValue).sorted().map(PropertyListValue.string))
  }

  private mutating func read(_ value: PropertyListValue) throws(RestorationMarkDefect) {
    guard case .dictionary(let mark) = value, case .integer(let number)? = mark["version"], let found = number.int64
    else { throw .damaged }
    guard found <= Self.version else { throw .newer(found: found) }
    guard found == Self.version, let fields = Self.fields(mark["fields"]) else { throw .damaged }
    self.fields = fields
    if let names = mark["restored"] {
      guard let restored = Self.fields(names) else { throw .damaged }
      self.restored = restored
    }
    for entry in try Self.entries(mark["passedOver"]) {
      guard let fields = Self.fields(entry.value) else { throw .damaged }
      passedOver[entry.key] = fields
    }
    for entry in try Self.entries(mark["conflicts"]) {
      if let field = PersistedField(rawValue: entry.key) { conflicts[field] = entry.value }
    }
  }

  private static func entries(
    _ value: PropertyListValue?
  ) throws(RestorationMarkDefect) -> [PropertyListDictionary.Entry] {
    guard let value else { return [] }
    guard case .dictionary(let dictionary) = value else { throw .damaged }
    return dictionary.entries
  }

  /// The listed fields. Unknown names belong to fields of other versions.
  private static func fields(_ value: PropertyListValue?) -> Set<PersistedField>? {
    guard case .array(let names)? = value else { return nil }
    return Set(
      names.compactMap { name in
        if case .string(let name) = name { PersistedField(rawValue: name) } else { nil }
      })
  }
}

/// Why the mark of an earlier restoration is not understood. Nothing is written then.
package enum RestorationMarkDefect: Error, Hashable, Sendable, CustomStringConvertible {
  case newer(found: Int64)
  case damaged

  package var description: String {
    switch self {
    case .newer(let found):
      "the mark \(RestorationMark.key) has form \(found), and this version knows form \(RestorationMark.version); update the"
        + " app. Nothing was written."
    case .damaged:
      "the mark \(RestorationMark.key) is not understood; remove it from the new SDK's suite to restore again. Nothing was"
        + " written."
    }
  }
}
