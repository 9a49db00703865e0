import Carryover
import CarryoverSystem

/// Long texts as they may be seen. Masking one reads all of it, which would be felt if every frame did so; a text is
/// always masked alike, so that it makes no difference to what is drawn whether it was met before.
final class MaskedTexts: Hashable, Sendable {
  private struct Entry {
    var text: String
    var isASCII: Bool
    var shown: String
  }

  private let entries = Locked<[Entry]>([])

  /// Shorter texts, in bytes, are masked each time.
  static let long = 4096
  /// As many as the fields of a recipe have long values.
  private static let most = 64

  /// A text as it may be seen.
  func shown(_ text: String, _ redaction: Redaction) -> String {
    let isASCII = redaction.isASCII
    let known = entries.withLock { entries in
      entries.first { $0.isASCII == isASCII && Self.isSame($0.text, text) }?.shown
    }
    if let known { return known }
    let shown = redaction.string(text)
    entries.withLock { entries in
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(Entry(text: text, isASCII: isASCII, shown: shown))
    }
    return shown
  }

  /// Whether both have the same bytes; a value that is drawn again is the same memory, too.
  private static func isSame(_ text: String, _ other: String) -> Bool {
    guard text.utf8.count == other.utf8.count else { return false }
    let isSame = text.utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.baseAddress == right.baseAddress || left.elementsEqual(right)
      }
    }
    return (isSame ?? nil) ?? text.utf8.elementsEqual(other.utf8)
  }

  /// What was met before says nothing of the options it belongs to.
  static func == (left: MaskedTexts, right: MaskedTexts) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
