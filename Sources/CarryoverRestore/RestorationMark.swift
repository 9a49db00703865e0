import CarryoverUserDefaults
import Foundation
import PropertyLists

/// Which fields have been restored, kept in the new SDK's suite among the values themselves.
///
/// A suite is one file: what reaches the disk is values with mark, or neither. In another domain the mark could outlive a
/// loss of power that the values did not.
struct RestorationMark {
  static let key = "carryover.restored"
  /// The version of its form.
  static let version: Int64 = 1
  /// Whose rules were followed where nobody had said whose.
  static let anybody = "any"
  /// The fields that are settled, whatever rules are followed.
  private(set) var fields: Set<PersistedField>
  /// The fields that one SDK's rules had no value for and another's have: settled for the first one only.
  private(set) var passedOver: [String: Set<PersistedField>]
  /// The fields that were left in a conflict, each with the value that the new SDK's suite had. Settled but for a call that
  /// says which value wins.
  private(set) var conflicts: [PersistedField: PropertyListValue]
  /// Why a mark that is there is not understood.
  private(set) var defect: RestorationMarkDefect?

  init(in target: any DefaultsDomain) throws(DefaultsDomainError) {
    fields = []
    passedOver = [:]
    conflicts = [:]
    guard let value = try target.value(for: Self.key) else { return }
    do throws(RestorationMarkDefect) {
      try read(value)
    } catch {
      defect = error
    }
  }

  /// What is left to settle by a recipe's rules. Where there is a mark that is not understood that is nothing: a user who
  /// is not restored can log in, and one who has logged out must not come back.
  func open(_ asked: Set<PersistedField>, for recipe: String) -> Set<PersistedField> {
    defect == nil ? asked.subtracting(fields).subtracting(passedOver[recipe] ?? []).subtracting(conflicts.keys) : []
  }

  /// The conflicts among some fields that were left open, each with the value that the new SDK's suite had.
  func conflicts(_ asked: Set<PersistedField>) -> [PersistedField: PropertyListValue] {
    conflicts.filter { asked.contains($0.key) }
  }

  /// Puts the mark over more fields; nothing is written where they are marked already.
  mutating func add(
    _ more: Set<PersistedField>, passingOver: Set<PersistedField>, for recipes: Set<String>,
    conflicts left: [PersistedField: PropertyListValue], to target: any DefaultsDomain, at date: Date
  ) throws(DefaultsDomainError) {
    let before = self
    fields.formUnion(more)
    for field in more { conflicts[field] = nil }
    // What the suite had when the conflict was met first stays: a value of later is the new SDK's own doing.
    conflicts.merge(left) { first, _ in first }
    if !passingOver.isEmpty {
      for recipe in recipes { passedOver[recipe, default: []].formUnion(passingOver) }
    }
    guard fields != before.fields || passedOver != before.passedOver || conflicts != before.conflicts else { return }
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    var mark: [PropertyListDictionary.Entry] = [
      .init(key: "version", value: .integer(PropertyListInteger(Self.version))),
      .init(key: "at", value: .integer(PropertyListInteger(seconds))),
      .init(key: "fields", value: Self.value(fields)),
    ]
    if !passedOver.isEmpty {
      let entries = passedOver.sorted { $0.key < $1.key }.map {
        PropertyListDictionary.Entry(key: $0.key, value: Self.value($0.value))
      }
      mark.append(.init(key: "passedOver", value: .dictionary(PropertyListDictionary(entries: entries))))
    }
    if !conflicts.isEmpty {
      let entries = conflicts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        PropertyListDictionary.Entry(key: $0.key.rawValue, value: $0.value)
      }
      mark.append(.init(key: "conflicts", value: .dictionary(PropertyListDictionary(entries: entries))))
    }
    try target.set(.dictionary(PropertyListDictionary(entries: mark)), for: Self.key)
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

  /// The fields that are named; other names are those of fields this version does not have.
  private static func fields(_ value: PropertyListValue?) -> Set<PersistedField>? {
    guard case .array(let names)? = value else { return nil }
    return Set(
      names.compactMap { name in
        if case .string(let name) = name { PersistedField(rawValue: name) } else { nil }
      })
  }
}
