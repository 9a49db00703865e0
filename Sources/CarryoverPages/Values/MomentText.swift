import Carryover
package import CarryoverSystem
import PropertyLists

package enum MomentText {
  /// `2025-11-20 12:00:00`; the offset from UTC is in seconds.
  package static func text(_ moment: Moment, offset: Int = 0) -> String {
    let (seconds, milliseconds) = floorDivide(moment.millisecondsSince1970, 1000)
    let (shifted, overflow) = seconds.addingReportingOverflow(Int64(offset))
    guard !overflow else { return "no calendar date" }
    let date = PropertyListDate(secondsSince1970: Double(shifted))
    guard date.isInCalendarRange else { return "no calendar date" }
    let text = date.description.dropLast().map { $0 == "T" ? " " : $0 }
    return String(text) + (milliseconds == 0 ? "" : "." + padded(milliseconds, 3))
  }

  package static func seconds(_ moment: Moment, offset: Int = 0) -> String {
    String(text(moment, offset: offset).prefix { $0 != "." })
  }

  package static func both(_ moment: Moment, offset: Int) -> String {
    let (utc, local) = (seconds(moment), seconds(moment, offset: offset))
    guard offset != 0 else { return utc + " UTC" }
    let date = utc.prefix { $0 != " " } + " "
    return "\(utc) UTC (\(local.hasPrefix(date) ? String(local.dropFirst(date.count)) : local) local, \(zone(offset)))"
  }

  /// `+02:00`, for an offset from UTC in seconds.
  package static func zone(_ offset: Int) -> String {
    let minutes = Int64(offset.magnitude / 60)
    return (offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

package enum TimeDistance {
  /// `3 days before this plan`.
  package static func words(_ moment: Moment, fromPlan now: Moment) -> String {
    let (difference, overflow) = moment.millisecondsSince1970.subtractingReportingOverflow(now.millisecondsSince1970)
    guard !overflow else { return "beyond any calendar" }
    let seconds = difference.magnitude / 1000
    guard seconds > 0 else { return "at the moment of this plan" }
    return "\(amount(seconds)) \(difference < 0 ? "before" : "after") this plan"
  }

  /// In the largest unit of which there are at least two, so that little is lost: 90 seconds, 47 hours.
  private static func amount(_ seconds: UInt64) -> String {
    let units: [(seconds: UInt64, name: String)] = [
      (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"),
    ]
    for unit in units where seconds >= 2 * unit.seconds { return counted(Int(seconds / unit.seconds), unit.name) }
    return counted(Int(seconds), "second")
  }
}
