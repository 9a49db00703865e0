extension String {
  /// Its first scalars; all of it where it has no more. Cut out of its bytes: from single scalars it would be made many
  /// times slower.
  func firstScalars(_ count: Int) -> String { utf8.count <= count ? self : String(unicodeScalars.prefix(count)) }

  /// As much of its beginning as so many columns need.
  func head(columns: Int) -> String { firstScalars(Self.scalars(columns)) }

  /// As much of its end as so many columns need.
  func tail(columns: Int) -> String {
    let count = Self.scalars(columns)
    return utf8.count <= count ? self : String(unicodeScalars.suffix(count))
  }

  /// A column shows up to five scalars, and what is cut has to be seen to be longer.
  private static func scalars(_ columns: Int) -> Int { 5 * (columns + 2) }
}
