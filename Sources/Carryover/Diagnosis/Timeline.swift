package import CarryoverSystem
import PropertyLists

/// A moment that a value, a file or a run in a container records.
package struct TimelineEntry: Hashable, Sendable {
  package let moment: Moment
  /// The event, in a few words.
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
  /// The moments in a plan's values, earliest first.
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

extension [TimelineEntry] {
  /// Sorted by moment, earliest first. Entries of the same moment keep their order.
  package var inOrder: [TimelineEntry] {
    enumerated().sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
  }
}
