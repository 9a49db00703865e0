import Foundation
import PropertyLists

/// Which fields have been restored for a write key, kept in the app's own defaults.
struct RestorationMark {
  var fields: Set<PersistedField>
  private let key: String

  init(writeKey: String, in domain: any DefaultsDomain) throws(DefaultsDomainError) {
    key = "carryover.restored." + writeKey
    var found: Set<PersistedField> = []
    if case .dictionary(let mark)? = try domain.values()[key], case .array(let names)? = mark["fields"] {
      for case .string(let name) in names {
        if let field = PersistedField(rawValue: name) { found.insert(field) }
      }
    }
    fields = found
  }

  func write(to domain: any DefaultsDomain, at date: Date) throws(DefaultsDomainError) {
    let names = fields.map(\.rawValue).sorted().map(PropertyListValue.string)
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    try domain.set(["version": 1, "at": .integer(PropertyListInteger(seconds)), "fields": .array(names)], for: key)
    try domain.synchronize()
  }
}
