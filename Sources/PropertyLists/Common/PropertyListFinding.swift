/// Something unusual in a file that the reader tolerated.
public struct PropertyListFinding: Sendable, Hashable, CustomStringConvertible, Described {
  /// A sentence without a full stop.
  package let reason: String
  package var position: PropertyListPosition
  /// Whether Apple's readers refuse the whole file because of it, so that an app finds none of its values.
  var isRefusal = false
  /// Whether an edit writes the part of the file again that Apple's readers refuse.
  var isRemovedByEdits = false

  package var words: String { "\(reason) (\(position.words))." }
}

/// Findings up to a limit; further ones are only counted, except the first refusal.
struct FindingCollector {
  private var findings: [PropertyListFinding] = []
  private var uncounted = 0
  private var hasRefusal = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ reason: @autoclosure () -> String, at position: PropertyListPosition) {
    guard findings.count < limit else {
      uncounted += 1
      return
    }
    findings.append(PropertyListFinding(reason: reason(), position: position))
  }

  mutating func refuse(
    _ reason: @autoclosure () -> String, at position: PropertyListPosition, isRemovedByEdits: Bool = false
  ) {
    guard findings.count < limit || !hasRefusal else {
      uncounted += 1
      return
    }
    hasRefusal = true
    findings.append(
      PropertyListFinding(
        reason: reason() + ", so Apple's readers refuse the file", position: position, isRefusal: true,
        isRemovedByEdits: isRemovedByEdits))
  }

  mutating func refuse(deeperThanIOSAt position: PropertyListPosition) {
    refuse("Containers nest deeper than iOS allows (\(PropertyListLimits.depthOnIOS) levels)", at: position)
  }

  /// Every pair is kept. Foundation uses the first in binary files and the last in XML.
  mutating func add(duplicate key: String, at position: PropertyListPosition) {
    add("The key “\(key)” occurs more than once; every pair was kept", at: position)
  }

  mutating func check(_ date: PropertyListDate, at position: PropertyListPosition) {
    if !date.isInCalendarRange { add("A date is outside the calendar: \(date)", at: position) }
  }

  /// The findings; the last one counts those beyond the limit.
  var all: [PropertyListFinding] {
    guard uncounted > 0, limit > 0 else { return findings }
    let position = findings.last?.position ?? PropertyListPosition(offset: 0)
    let reason = "\(uncounted) more \(uncounted == 1 ? "finding is" : "findings are") not listed"
    return findings + [PropertyListFinding(reason: reason, position: position)]
  }
}
