enum ByteCount {
  /// `512 bytes`, `12 KB`, `3.4 MB`: in thousands, rounded down, with one digit behind the point below ten.
  static func text(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (whole, rest) = bytes.quotientAndRemainder(dividingBy: 1000)
    var unit = 0
    while whole >= 1000, unit < units.count - 1 {
      (whole, rest) = whole.quotientAndRemainder(dividingBy: 1000)
      unit += 1
    }
    return (whole < 10 ? "\(whole).\(rest / 100)" : "\(whole)") + " " + units[unit]
  }

  private static let units = ["KB", "MB", "GB", "TB"]
}
