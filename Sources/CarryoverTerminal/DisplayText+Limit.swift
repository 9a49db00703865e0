import CarryoverSystem

extension DisplayText {
  /// The result of ``visible(_:ascii:)``, cut to `limit` columns with an ellipsis if it is longer. Reads only as much
  /// of `text` as it needs.
  package static func visible(_ text: String, limit: Int, ascii: Bool = false) -> String {
    let limit = max(0, min(limit, Grid.maximum))
    if text.utf8.count <= limit, DisplayWidth.isPlain(text), !text.utf8.contains(UInt8(ascii: "\\")) { return text }
    // One column shows at most five scalars: a base and four that combine with it.
    let head = text.unicodeScalars.prefix(5 * (limit + 2))
    let glyphs = ascii ? Glyphs.ascii : .unicode
    let escapedHead = escaped(head, ascii: ascii)
    return DisplayWidth.truncate(escapedHead, columns: limit, glyphs: glyphs).text
  }
}
