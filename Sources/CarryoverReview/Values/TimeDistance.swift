import Carryover
import CarryoverSystem

/// How far one moment is from another, in words.
enum TimeDistance {
  /// `3 days before this plan`: the distance of a moment from the one at which a plan was made.
  static func words(_ moment: Moment, fromPlan now: Moment) -> String {
    let (difference, overflow) = moment.millisecondsSince1970.subtractingReportingOverflow(now.millisecondsSince1970)
    guard !overflow else { return "beyond any calendar" }
    let seconds = difference.magnitude / 1000
    guard seconds > 0 else { return "at the moment of this plan" }
    return "\(amount(seconds)) \(difference < 0 ? "before" : "after") this plan"
  }

  /// Cut to the largest unit of which there are at least two, so that little is lost: 90 seconds, 47 hours.
  private static func amount(_ seconds: UInt64) -> String {
    let units: [(seconds: UInt64, name: String)] = [
      (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"),
    ]
    for unit in units where seconds >= 2 * unit.seconds { return counted(Int(seconds / unit.seconds), unit.name) }
    return counted(Int(seconds), "second")
  }
}
