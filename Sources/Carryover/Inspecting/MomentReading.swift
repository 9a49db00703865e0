package import CarryoverSystem
package import PropertyLists

package struct MomentReading: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable, CaseIterable, JSONConvertible {
    case date
    case secondsSince1970 = "seconds-since-1970"
    case millisecondsSince1970 = "milliseconds-since-1970"
    case microsecondsSince1970 = "microseconds-since-1970"
    /// A number of seconds since 2001-01-01T00:00:00Z, Apple's reference date.
    case secondsSince2001 = "seconds-since-2001"

    package var words: String { self == .date ? "a date" : String(rawValue.map { $0 == "-" ? " " : $0 }) }
  }

  package let moment: Moment
  package let unit: Unit

  package init(_ moment: Moment, _ unit: Unit) {
    self.moment = moment
    self.unit = unit
  }

  /// The moment of any value: a date, or a number or decimal text, in the years 2000 to 2099.
  ///
  /// A number of seconds since 2001 is small and may mean anything. It only counts if the name is about time, and only
  /// from 2004 on, because smaller numbers are more often intervals or counts. A name about an uptime or a duration has
  /// no moment.
  /// - Parameter name: the value's name.
  package init?(_ value: InspectedValue.Content, name: String?) {
    if case .propertyList(.date(let date)) = value {
      self.init(date)
      return
    }
    guard let number = value.decimal, number.magnitude < Self.greatest else { return nil }
    let words = NameWords(name ?? "")
    guard !words.nameDurations else { return nil }
    let scales: [(Unit, Double)] = [
      (.secondsSince1970, 1000), (.millisecondsSince1970, 1), (.microsecondsSince1970, 0.001),
    ]
    for (unit, milliseconds) in scales {
      let moment = (number * milliseconds).rounded(.down)
      if Self.plausible.contains(moment) {
        self.init(Moment(millisecondsSince1970: Int64(moment)), unit)
        return
      }
    }
    guard words.nameMoments, number >= Self.leastSince2001 else { return nil }
    let moment = ((number + Self.epochs) * 1000).rounded(.down)
    guard Self.plausible.contains(moment) else { return nil }
    self.init(Moment(millisecondsSince1970: Int64(moment)), .secondsSince2001)
  }

  /// The moment of a field that contains a time: a date, or a number of seconds or milliseconds since 1970, by its
  /// size. Any distance from today is allowed.
  package init?(ofTime value: PropertyListValue) {
    if case .date(let date) = value {
      self.init(date)
      return
    }
    switch value.wholeNumber {
    case .some(let number) where (100_000_000..<100_000_000_000).contains(number):
      self.init(Moment(secondsSince1970: number), .secondsSince1970)
    case .some(let number) where (100_000_000_000..<100_000_000_000_000).contains(number):
      self.init(Moment(millisecondsSince1970: number), .millisecondsSince1970)
    default: return nil
    }
  }

  private init?(_ date: PropertyListDate) {
    guard date.isInCalendarRange, let milliseconds = Int64(exactly: (date.secondsSince1970 * 1000).rounded(.down))
    else { return nil }
    self.init(Moment(millisecondsSince1970: milliseconds), .date)
  }

  /// The years 2000 to 2099, in milliseconds since 1970.
  private static let plausible: Range<Double> = 946_684_800_000..<4_102_444_800_000
  /// Above every unit's plausible range.
  private static let greatest = 1e16
  /// A moment in spring 2004.
  private static let leastSince2001: Double = 100_000_000
  /// The seconds from 1970 to 2001.
  private static let epochs: Double = 978_307_200
}

extension InspectedValue {
  package var moment: MomentReading? { MomentReading(content, name: name) }
}

extension InspectedValue.Content {
  /// The value as a number, also from decimal digits.
  fileprivate var decimal: Double? {
    switch self {
    case .propertyList(.integer(let integer)): integer.int64.map(Double.init)
    case .propertyList(.real(let real)): real.value.isFinite ? real.value : nil
    case .json(.number(let number)): number.lexeme.utf8.count <= 40 ? number.double : nil
    case .propertyList(.string(let text)), .json(.string(let text)): Self.isDecimal(text) ? Double(text) : nil
    default: nil
    }
  }

  private static func isDecimal(_ text: String) -> Bool {
    guard (9...24).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."), text.utf8.last != UInt8(ascii: ".")
    else { return false }
    var points = 0
    return text.utf8.allSatisfy { byte in
      if byte == UInt8(ascii: ".") { points += 1 }
      return points <= 1 && (byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte))
    }
  }
}

extension PropertyListValue {
  /// The number of a value, also from decimal digits, truncated to an integer; nil for other values.
  package var wholeNumber: Int64? {
    switch self {
    case .integer(let integer): return integer.int64
    case .real(let real): return Int64(exactly: real.value.rounded(.towardZero))
    case .string(let text): return text.utf8.count <= 20 ? Int64(text) : nil
    default: return nil
    }
  }
}

/// The words in a key's name: `rl_lastEventTime` contains `rl`, `last`, `event` and `time`.
struct NameWords {
  let words: [String]

  /// The words of a name, in lower case. Of a long name, only the first words.
  /// - Parameter splitsCapitals: whether the last of several capitals starts the next word, so that `URLDate` contains
  ///   `url` and `date`.
  init(_ name: String, splitsCapitals: Bool = true) {
    var bytes = Array(name.utf8.prefix(256))
    var words: [String] = []
    words.reserveCapacity(4)
    var start = 0
    var wasSmall = false
    func end(_ place: Int) {
      if start < place { words.append(String(decoding: bytes[start..<place], as: UTF8.self)) }
      start = place
    }
    for place in bytes.indices {
      let byte = bytes[place]
      switch byte {
      case 0x41...0x5A:
        if wasSmall || splitsCapitals && place + 1 < bytes.count && Self.isSmall(bytes[place + 1]) { end(place) }
        bytes[place] = byte | 0x20
      case 0x61...0x7A: break
      default:
        end(place)
        start = place + 1
      }
      wasSmall = Self.isSmall(byte)
    }
    end(bytes.count)
    self.words = words
  }

  var nameMoments: Bool {
    words.contains { Self.moments.contains($0) || $0.hasPrefix("expir") || $0.hasSuffix("timestamp") }
  }

  /// Whether the name is about a duration or an uptime, not about a moment.
  var nameDurations: Bool {
    words.contains { Self.durations.contains($0) } || zip(words, words.dropFirst()).contains { $0 == ("up", "time") }
  }

  private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  private static let moments: Set = [
    "date", "time", "stamp", "timestamp", "at", "since", "last", "first", "until", "created", "updated", "modified",
    "moment",
  ]
  private static let durations: Set = ["uptime", "duration", "elapsed", "interval", "timeout", "ttl"]
}
