package import Carryover
package import CarryoverSystem
import CarryoverVendors

extension PropertyListValue.Kind {
  package var word: String { rawValue }

  /// Without the difference between integers and reals.
  package var plainWord: String { self == .integer || self == .real ? "number" : rawValue }
}

enum ShownText {
  /// The longest text shown in full, in scalars.
  package static let limit = 65_536
}

/// Keys whose values no screen shows unasked, and values that are secrets under any key.
package enum Secrets {
  package static func holds(_ key: String) -> Bool { Recipe.secretNames.contains(key) }

  package static func holds(_ child: InspectedChild) -> Bool {
    child.label.name.map(holds) == true || child.raw.string.map(SecretNames.isToken) == true
  }

  package static let standIn = "(secret)"
}

/// `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension String {
  /// Cut from its bytes: a string made of single scalars is many times slower.
  package func firstScalars(_ count: Int) -> String {
    utf8.count <= count ? self : String(unicodeScalars.prefix(count))
  }

  /// Enough of its beginning for so many columns.
  package func head(columns: Int) -> String { firstScalars(Self.scalars(columns)) }

  package func tail(columns: Int) -> String {
    let count = Self.scalars(columns)
    return utf8.count <= count ? self : String(unicodeScalars.suffix(count))
  }

  /// A column shows up to five scalars, and a cut has to be noticed.
  private static func scalars(_ columns: Int) -> Int { 5 * (columns + 2) }
}

extension Array {
  package func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

package enum FirstSentence {
  /// With its full stop. A sentence that ends inside quotation marks belongs to the quotation.
  package static func of(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var depth = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      switch scalars[index] {
      case "“": depth += 1
      case "”": depth = max(0, depth - 1)
      case ".", "!", "?":
        if depth == 0, next < scalars.endIndex, scalars[next] == " " { return String(scalars[..<next]) }
      default: break
      }
      index = next
    }
    return text
  }
}

package struct TextDifference: Hashable {
  /// Characters in common at the beginning.
  package let common: Int
  package let here: String
  package let there: String

  package init?(_ text: String, _ other: String) {
    guard text != other else { return nil }
    var common = 0
    for (left, right) in zip(text, other) {
      guard left == right else { break }
      common += 1
    }
    self.common = common
    here = Self.excerpt(text, at: text.index(text.startIndex, offsetBy: common))
    there = Self.excerpt(other, at: other.index(other.startIndex, offsetBy: common))
  }

  private static func excerpt(_ text: String, at index: String.Index) -> String {
    let start = text.index(index, offsetBy: -4, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(index, offsetBy: 12, limitedBy: text.endIndex) ?? text.endIndex
    return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
  }
}

extension ContainerSummary {
  /// For titles: the app, and the container's name where it differs.
  package var names: [String] {
    guard let bundleID, bundleID != name else { return [name] }
    return [bundleID, name]
  }
}

package enum ByteCount {
  /// `512 bytes`, `12 KB`, `3.4 MB`: in thousands, rounded down, with one digit behind the point below ten.
  package static func text(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return counted(bytes, "byte") }
    var (whole, rest) = bytes.quotientAndRemainder(dividingBy: 1000)
    var unit = 0
    while whole >= 1000, unit < units.count - 1 {
      (whole, rest) = whole.quotientAndRemainder(dividingBy: 1000)
      unit += 1
    }
    return (whole < 10 ? "\(whole).\(rest / 100)" : "\(whole)") + " " + units[unit]
  }

  private static let units = ["KB", "MB", "GB", "TB"]
}

package enum MomentText {
  /// `2025-11-20 12:00:00`; the offset from UTC is in seconds.
  package static func text(_ moment: Moment, offset: Int = 0) -> String {
    let (seconds, milliseconds) = moment.millisecondsSince1970.floorDivided(by: 1000)
    let (shifted, overflow) = seconds.addingReportingOverflow(Int64(offset))
    guard !overflow else { return "not a calendar date" }
    let date = PropertyListDate(secondsSince1970: Double(shifted))
    guard date.isInCalendarRange else { return "not a calendar date" }
    let text = date.description.dropLast().map { $0 == "T" ? " " : $0 }
    return String(text) + (milliseconds == 0 ? "" : "." + String(milliseconds).zeroPadded(to: 3))
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
    let minutes = offset.magnitude / 60
    return (offset < 0 ? "-" : "+") + String(minutes / 60).zeroPadded(to: 2) + ":"
      + String(minutes % 60).zeroPadded(to: 2)
  }
}

package enum TimeDistance {
  /// `3 days before this plan`.
  package static func words(_ moment: Moment, fromPlan now: Moment) -> String {
    let (difference, overflow) = moment.millisecondsSince1970.subtractingReportingOverflow(now.millisecondsSince1970)
    guard !overflow else { return "outside the calendar" }
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
