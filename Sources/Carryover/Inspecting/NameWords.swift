/// The words in a key's name: `rl_lastEventTime` contains `rl`, `last`, `event` and `time`.
struct NameWords {
  let words: [String]

  /// The words of a name, in lower case. Of a long name, only the first words.
  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    let bytes = Array(name.utf8.prefix(200))
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x41...0x5A:
        // The last of several capitals starts the next word: `URLDate` contains `url` and `date`.
        if wasSmall || bytes.dropFirst(place + 1).first.map(Self.isSmall) == true { end() }
        word.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      case 0x61...0x7A: word.unicodeScalars.append(Unicode.Scalar(byte))
      default: end()
      }
      wasSmall = Self.isSmall(byte)
    }
    end()
    self.words = words
  }

  /// Whether the name is about a moment.
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
