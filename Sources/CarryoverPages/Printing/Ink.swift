package import Carryover
import CarryoverSystem
package import CarryoverTerminal

/// Turns our words and the container's values into text that is safe to draw, in Unicode or in ASCII, and masked if
/// need be.
package struct Ink {
  package let glyphs: Glyphs
  private let redaction: Redaction?
  private let known: MaskedTexts

  /// Whether nothing is cut and no line is wrapped, as for a pager or a file.
  package let isWhole: Bool
  /// Says where a text is cut how all of it can be seen.
  private let cutWords: String?

  package init(
    glyphs: Glyphs = .unicode, redaction: Redaction?, known: MaskedTexts = MaskedTexts(), isWhole: Bool = false,
    cutWords: String? = nil
  ) {
    (self.glyphs, self.isWhole, self.cutWords, self.known) = (glyphs, isWhole, cutWords, known)
    var redaction = redaction
    redaction?.isASCII = glyphs == .ascii
    self.redaction = redaction
  }

  package func sign(_ sign: Sign) -> String { sign.text(ascii: glyphs == .ascii) }

  /// The value, masked if need be.
  package func shown(_ value: PropertyListValue) -> PropertyListValue {
    guard let redaction else { return value }
    if case .string(let text) = value, text.utf8.count > MaskedTexts.long {
      return .string(known.shown(text, redaction))
    }
    return redaction.value(value)
  }

  package var isMasking: Bool { redaction != nil }

  /// The type of a value in a word; of a masked value, that of the value behind the mask.
  package func typeWord(_ value: InspectedValue) -> String { maskedType(value) ?? value.typeWord }

  /// The type in full, with how it was packed.
  package func typeWords(_ value: InspectedValue) -> String { maskedType(value) ?? value.typeWords }

  /// The type of the value behind a mask; nil for other values.
  func maskedType(_ value: InspectedValue) -> String? { value.string.flatMap { redaction?.maskedType($0) } }

  /// A sentence that quotes the container or names a file in it.
  package func sentence(_ text: String) -> String { words(masked(text)) }

  /// One of our own sentences, which may quote the container, but names no place in it: its counts are not masked.
  package func prose(_ text: String) -> String { words(quoted(text)) }

  /// One of our own sentences, not escaped yet.
  package func quoted(_ text: String) -> String { redaction?.sentence(text) ?? text }

  /// A value on one line, not escaped yet.
  package func text(_ value: PropertyListValue?, of key: String?) -> String? {
    value.map { key.map(Secrets.holds) == true ? Secrets.standIn : FieldSummary.text(shown($0)) }
  }

  /// Not escaped yet.
  package func masked(_ text: String) -> String { redaction?.text(text) ?? text }

  /// Our own words. In ASCII their few typographic signs have stand-ins. A value's signs never do, because what a store
  /// contains must not be shown as something else.
  /// - Parameter isEscaped: whether the names in the text are already escaped, as in a path; a backslash then stays as it
  ///   is.
  package func words(_ text: String, isEscaped: Bool = false) -> String {
    let isASCII = glyphs == .ascii
    var plain = text
    if isASCII, !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      plain = text.unicodeScalars.reduce(into: "") { $0 += Self.standIns[$1] ?? String($1) }
    }
    guard isEscaped else { return DisplayText.visible(plain, ascii: isASCII) }
    return DisplayText.escaped(plain.unicodeScalars, ascii: isASCII, isEscaped: true)
  }

  /// A text that is escaped already, in ASCII.
  package static func ascii(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { plain, scalar in
      plain +=
        standIns[scalar] ?? (DisplayText.isShown(scalar, ascii: true) ? String(scalar) : DisplayText.escape(scalar))
    }
  }

  /// A value on one line of at most `columns`.
  package func value(_ value: PropertyListValue?, columns: Int) -> String {
    guard let value else { return nothing }
    return DisplayText.visible(
      shown(value.readable ?? value).inline(limit: columns), limit: columns, ascii: glyphs == .ascii)
  }

  /// A key's value on one line of at most `columns`; of a secret only that there is one.
  package func value(_ value: PropertyListValue?, of key: String?, columns: Int) -> String {
    value != nil && key.map(Secrets.holds) == true ? Secrets.standIn : self.value(value, columns: columns)
  }

  /// A key's value in full; of a secret only that there is one.
  package func whole(_ value: PropertyListValue, of key: String) -> String {
    Secrets.holds(key) ? Secrets.standIn : whole(value)
  }

  /// A value as ``value(_:columns:)`` shows it, but in full: only a text beyond ``textLimit`` is cut, and says so.
  package func whole(_ value: PropertyListValue) -> String {
    guard case .string(let string) = shown(value), string.utf8.count > 200 else {
      return self.value(value, columns: Grid.maximum)
    }
    return text(string) + (cut(string).map { glyphs.ellipsis + " " + $0 } ?? "")
  }

  /// Says that a text is cut, its length, and how all of it can be seen; nil if it is not cut.
  package func cut(_ text: String) -> String? {
    guard text.utf8.count > textLimit, text.unicodeScalars.count > textLimit else { return nil }
    let all = "cut here: \(text.utf8.count) bytes in all"
    return "(" + words(cutWords.map { all + "; " + $0 } ?? all) + ")"
  }

  /// The text of a path, whose names are escaped already: its backslashes stay as they are.
  package func path(_ path: InspectedPath) -> String { self.path(path.text.firstScalars(isWhole ? .max : textLimit)) }

  func path(_ text: String) -> String {
    DisplayText.escaped(masked(text).unicodeScalars, ascii: glyphs == .ascii, isEscaped: true)
  }

  /// A name from a store on one line of at most `columns`, cut in its middle.
  /// - Parameter isPath: whether it is the text of a path, whose names are escaped already.
  package func name(_ text: String, columns: Int = Grid.maximum, isPath: Bool = false) -> String {
    DisplayText.visibleEnds(masked(text), limit: columns, ascii: glyphs == .ascii, isEscaped: isPath)
  }

  /// A value's text in full, up to a limit in scalars.
  package func text(_ text: String, limit: Int? = nil) -> String {
    DisplayText.visible(masked(text.firstScalars(isWhole ? .max : limit ?? textLimit)), ascii: glyphs == .ascii)
  }

  /// The whole of a text without hidden characters: a backslash needs no second one to be distinguished from an escape.
  package func plain(_ text: String) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).map { self.text(String($0), limit: .max) }
      .joined(separator: "\\")
  }

  /// The longest text that is shown in full, in scalars.
  package var textLimit: Int { isWhole ? .max : ShownText.limit }
  package var nothing: String { "none" }

  /// Marks the row with the cursor, also without colours.
  package var pointer: String { glyphs == .ascii ? ">" : "▸" }

  /// Marks the other rows of a range, in the pointer's column.
  package var rangeMark: String { glyphs == .ascii ? "*" : "•" }

  private static let standIns: [Unicode.Scalar: String] = [
    "→": "->", "←": "<-", "−": "-", "–": "-", "—": "-", "·": "|", "…": "~", "’": "'", "‘": "'", "“": "\"", "”": "\"",
    "×": "x", "✓": "v", "✗": "x", "≠": "#", "≤": "<=", "≥": ">=", "‹": "<", "›": ">", "▸": ">", "▲": "^", "↑": "up",
    "↓": "down",
  ]
}

/// A cache of long masked texts, because masking one reads all of it, and every frame draws it. A text is always masked
/// alike, so the cache makes no difference to what is drawn.
package final class MaskedTexts: Sendable {
  package init() {}

  private struct Entry {
    var text: String
    var isASCII: Bool
    var shown: String
  }

  private let entries = Locked<[Entry]>([])

  /// In bytes. Shorter texts are masked each time.
  package static let long = 512

  package func shown(_ text: String, _ redaction: Redaction) -> String {
    let known = entries.withLock { entries in
      let alike = entries.lazy.filter {
        $0.isASCII == redaction.isASCII && $0.text.utf8.count == text.utf8.count
      }
      // A value that is drawn again is the same memory, so its bytes need not be read.
      return (alike.first { Self.isOne($0.text, text) } ?? alike.first { $0.text.hasSameBytes(as: text) })?.shown
    }
    if let known { return known }
    let shown = redaction.string(text)
    entries.withLock { entries in
      // More than a screen shows.
      if entries.count >= 256 { entries.removeFirst() }
      entries.append(Entry(text: text, isASCII: redaction.isASCII, shown: shown))
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
