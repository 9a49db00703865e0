import PropertyLists

/// What the SDK itself (2.0.0) decodes: `PersistedStore` in DecisionStore.swift, `StoreData` and `Segments`. A value of
/// another type fails the whole file. A member that is null counts as missing.
extension ConvertDecisions {
  /// The reason that the SDK throws the decisions in a file away, as a sentence; nil if it reads them.
  static func refusal(of value: JSONValue) -> String? {
    guard value["store"]?.members != nil else { return "It has no object “store”." }
    guard let order = value["order"]?.elements else { return "It has no list “order”." }
    guard order.allSatisfy({ $0.stringValue != nil }) else { return "Its list “order” has something other than text." }
    let entries = value["store"]?.members ?? []
    return entries.allSatisfy { Self.isRead($0.value) } ? nil : "It has a value of a type that the SDK does not write."
  }

  private static func isRead(_ entry: JSONValue) -> Bool {
    guard entry.members != nil else { return false }
    return isMap(entry["bucketing"]) { $0.stringValue != nil }
      && isMap(entry["goalTriggered"]) { $0.booleanValue != nil }
      && isMap(entry["locations"]) { $0.stringValue != nil } && areSegments(entry["segments"])
  }

  private static func isMap(_ value: JSONValue?, _ isValue: (JSONValue) -> Bool) -> Bool {
    isMissing(value) || value?.members?.allSatisfy { isValue($0.value) } ?? false
  }

  private static func areSegments(_ value: JSONValue?) -> Bool {
    guard !isMissing(value) else { return true }
    guard let value, value.members != nil else { return false }
    let texts = ["country", "browser", "devices", "source", "campaign", "visitorType"]
    guard texts.allSatisfy({ isMissing(value[$0]) || value[$0]?.stringValue != nil }) else { return false }
    let custom = value["customSegments"]
    return isMissing(custom) || custom?.elements?.allSatisfy { $0.stringValue != nil } ?? false
  }

  private static func isMissing(_ value: JSONValue?) -> Bool { value == nil || value == .null }
}
