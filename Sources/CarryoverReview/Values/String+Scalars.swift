extension String {
  /// Its first scalars; all of it where it has no more. Cut out of its bytes: from single scalars it would be made many
  /// times slower.
  func firstScalars(_ count: Int) -> String { utf8.count <= count ? self : String(unicodeScalars.prefix(count)) }

  /// Its last scalars, in the same way.
  func lastScalars(_ count: Int) -> String { utf8.count <= count ? self : String(unicodeScalars.suffix(count)) }
}
