public import Terminal

/// What the review has to know of the world around it to draw: given, never looked up.
public struct ReviewOptions: Hashable, Sendable {
  /// The characters to draw with.
  public var glyphs: Glyphs
  /// The local time's offset from UTC, in seconds; moments are shown in both.
  public var zoneOffset: Int

  /// Options; by default Unicode frames and UTC only.
  public init(glyphs: Glyphs = .unicode, zoneOffset: Int = 0) {
    self.glyphs = glyphs
    self.zoneOffset = zoneOffset
  }
}
