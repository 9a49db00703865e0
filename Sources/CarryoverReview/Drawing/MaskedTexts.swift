import Carryover
import CarryoverSystem

/// Long texts as they may be seen. Masking one reads all of it, which would be felt if every frame did so; a text is
/// always masked alike, so that it makes no difference to what is drawn whether it was met before.
final class MaskedTexts: Sendable {
  private struct Entry {
    var text: String
    var isASCII: Bool
    var shown: String
  }

  private let entries = Locked<[Entry]>([])

  /// Shorter texts, in bytes, are masked each time.
  static let long = 512
  /// More than a screen shows.
  private static let most = 256

  /// A text as it may be seen.
  func shown(_ text: String, _ redaction: Redaction) -> String {
    let isASCII = redaction.isASCII
    let known = entries.withLock { entries in
      let alike = entries.lazy.filter { $0.isASCII == isASCII && $0.text.utf8.count == text.utf8.count }
      // A value that is drawn again is the same memory, so that its bytes need not be read.
      return (alike.first { Self.isOne($0.text, text) } ?? alike.first { $0.text.utf8.elementsEqual(text.utf8) })?.shown
    }
    if let known { return known }
    let shown = redaction.string(text)
    entries.withLock { entries in
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(Entry(text: text, isASCII: isASCII, shown: shown))
    }
    return shown
  }

  private static func isOne(_ text: String, _ other: String) -> Bool {
    let isOne = text.utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { left.baseAddress == $0.baseAddress }
    }
    return (isOne ?? nil) ?? false
  }
}
