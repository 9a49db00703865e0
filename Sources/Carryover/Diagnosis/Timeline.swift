package import CarryoverSystem
package import PropertyLists

/// A moment that a value, a file or a run in a container records.
package struct TimelineEntry: Hashable, Sendable {
  package let moment: Moment
  package let what: String
  /// The place of the record: a key and its store, a file, or a run.
  package let place: String

  package init(_ moment: Moment, _ what: String, at place: String) {
    self.moment = moment
    self.what = what
    self.place = place
  }
}

extension Recipe {
  package func timeline(of plan: Plan) -> [TimelineEntry] {
    let rules = rulesByTarget
    let fields = plan.fields.flatMap { field -> [TimelineEntry] in
      guard let what = rules[StringByBytes(field.id)]?.moment else { return [] }
      var entries: [TimelineEntry] = []
      let before = field.legacy.flatMap { MomentReading(ofTime: $0) }
      if let reading = before {
        let store = field.origin.map { " in " + FilePath.name(of: $0.store) } ?? ""
        entries.append(TimelineEntry(reading.moment, what + ", legacy SDK", at: field.sourceLabel + store))
      }
      // The same moment was migrated, so the new SDK did nothing then.
      if let current = field.current, let reading = MomentReading(ofTime: current), reading.moment != before?.moment {
        let store = plan.target.map { " in " + FilePath.name(of: $0.file(of: field.key)) } ?? ""
        entries.append(TimelineEntry(reading.moment, what + ", new SDK", at: field.id + store))
      }
      return entries
    }
    let leftBehind = LeftBehindIndex(leftBehind)
    let dropped = plan.dropped.compactMap { key -> TimelineEntry? in
      guard let what = leftBehind.first(for: key.key)?.moment, let value = key.value,
        let reading = InspectedValue(value, name: key.key).moment
      else { return nil }
      return TimelineEntry(reading.moment, what + ", legacy SDK", at: key.key)
    }
    return (fields + dropped).inOrder
  }
}

extension Container {
  /// When the files that a plan reads and writes were last written. Copying may have changed these times.
  package func timeline(of plan: Plan) -> [TimelineEntry] {
    let sources = Set(bytesOf: plan.basis.map(\.store))
    return stores.compactMap { store in
      let isTarget = plan.target?.holds(store.path) == true
      guard isTarget || sources.contains(store.path), let moment = store.modified else { return nil }
      return TimelineEntry(
        moment, isTarget && !plan.definition.sharesTarget ? "new SDK's file last written" : "file last written",
        at: store.name)
    }
  }
}

extension [TimelineEntry] {
  /// Sorted by moment, earliest first. Entries of the same moment keep their order.
  package var inOrder: [TimelineEntry] {
    enumerated().sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
  }
}

/// Describes a value without showing it: its type and its size.
package enum ValueShape {
  /// "a number of 2 digits", "a string of 36 characters".
  /// - Parameter text: the exact text of a number in JSON text. If the value is shown in another way, such as 1000.0 for
  ///   1e3, the digits are those that are written.
  package static func words(_ value: PropertyListValue, text: String? = nil) -> String {
    switch value {
    case .string(""): "an empty string"
    case .string(let text): "a string of \(ValueWording.counted(text.count, "character"))"
    case .integer(let integer): number(text, shown: integer.description)
    case .real(let real): number(text, shown: real.description)
    case .data(let bytes): "data of \(ValueWording.counted(bytes.count, "byte"))"
    case .array(let elements): "an array of \(ValueWording.counted(elements.count, "element"))"
    case .dictionary(let dictionary): "a dictionary of \(ValueWording.counted(dictionary.count, "key"))"
    case .set(let elements): "a set of \(ValueWording.counted(elements.count, "element"))"
    default: ValueWording.name(value.kind)
    }
  }

  private static func number(_ text: String?, shown: String) -> String {
    let written = text ?? shown
    let digits = written.unicodeScalars.count { ("0"..."9").contains($0) }
    return (written.hasPrefix("-") ? "a negative number " : "a number ") + (written == shown ? "of " : "written with ")
      + ValueWording.counted(digits, "digit")
  }
}
