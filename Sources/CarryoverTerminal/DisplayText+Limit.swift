import CarryoverSystem

extension DisplayText {
  /// The result of ``visible(_:ascii:)``, cut to `limit` columns with an ellipsis if it is longer. Reads only as much
  /// of `text` as it needs.
  package static func visible(_ text: String, limit: Int, ascii: Bool = false) -> String {
    let limit = max(0, min(limit, Grid.maximum))
    if fits(text, limit) { return text }
    let glyphs = ascii ? Glyphs.ascii : .unicode
    let escapedHead = escaped(text.unicodeScalars.prefix(scalars(limit)), ascii: ascii)
    return DisplayWidth.truncate(escapedHead, columns: limit, glyphs: glyphs).text
  }

  /// The result of ``visible(_:ascii:)``, cut in its middle if it is longer than `limit` columns: names that are alike
  /// differ at either end. Reads only as much of `text` as it needs.
  package static func visibleEnds(_ text: String, limit: Int, ascii: Bool = false) -> String {
    let limit = max(0, min(limit, Grid.maximum))
    if fits(text, limit) { return text }
    let scalars = text.unicodeScalars
    let isLong = text.utf8.count > 2 * self.scalars(limit)
    let head = escaped(isLong ? scalars.prefix(self.scalars(limit)) : scalars[...], ascii: ascii)
    guard isLong || DisplayWidth.columns(of: head) > limit else { return head }
    guard limit > 2 else { return visible(text, limit: limit, ascii: ascii) }
    let glyphs = ascii ? Glyphs.ascii : .unicode
    let tail = isLong ? escaped(scalars.suffix(self.scalars(limit)), ascii: ascii) : head
    let room = (limit - 1) / 2
    var (end, used) = ([String](), 0)
    for cluster in DisplayWidth.clusters(of: tail).reversed() {
      guard used + cluster.columns <= room else { break }
      end.append(cluster.text)
      used += cluster.columns
    }
    return DisplayWidth.truncate(head, columns: limit - used, glyphs: glyphs).text + end.reversed().joined()
  }

  private static func fits(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count <= limit && DisplayWidth.isPlain(text) && !text.utf8.contains(UInt8(ascii: "\\"))
  }

  /// The most scalars that so many columns show: a base and four that combine with it in each.
  private static func scalars(_ limit: Int) -> Int { 5 * (limit + 2) }
}
