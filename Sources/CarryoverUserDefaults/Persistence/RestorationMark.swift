import Foundation
import PropertyLists

/// Which fields have been restored, kept in the new SDK's suite among the values themselves.
///
/// A suite is one file: what reaches the disk is values with mark, or neither. In another domain the mark could outlive a
/// loss of power that the values did not.
struct RestorationMark {
  static let key = "carryover.restored"
  private(set) var fields: Set<PersistedField>

  init(in target: any DefaultsDomain) throws(DefaultsDomainError) {
    var found: Set<PersistedField> = []
    if case .dictionary(let mark)? = try target.value(for: Self.key), case .array(let names)? = mark["fields"] {
      for case .string(let name) in names {
        if let field = PersistedField(rawValue: name) { found.insert(field) }
      }
    }
    fields = found
  }

  /// Puts the mark over more fields; nothing is written where they are marked already.
  mutating func add(_ more: Set<PersistedField>, to target: any DefaultsDomain, at date: Date)
    throws(DefaultsDomainError)
  {
    guard !fields.isSuperset(of: more) else { return }
    fields.formUnion(more)
    let names = fields.map(\.rawValue).sorted().map(PropertyListValue.string)
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    try target.set(
      ["version": 1, "at": .integer(PropertyListInteger(seconds)), "fields": .array(names)], for: Self.key)
  }
}
