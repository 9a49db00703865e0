/// A floating-point number with the width it has in the file.
public struct PropertyListReal: Sendable {
  /// How many bits the file gives the number.
  public enum Width: Sendable, Hashable {
    /// 32 bits; binary files only.
    case single
    /// 64 bits.
    case double
  }

  /// The number; for a 32-bit real its exact value.
  public let value: Double
  /// The width in the file.
  public let width: Width

  /// A number of the given width. With `.single` the value is rounded to the nearest 32-bit number.
  public init(_ value: Double, width: Width = .double) {
    // A NaN is kept as it is, because a conversion to Float and back may change its bits.
    self.value = width == .single && !value.isNaN ? Double(Float(value)) : value
    self.width = width
  }

  /// A 32-bit number.
  package init(single value: Float) {
    self.init(Double(value), width: .single)
  }
}

extension PropertyListReal: Hashable {
  /// True when width and bits are the same: a NaN is equal to itself, and 0.0 differs from −0.0.
  public static func == (left: Self, right: Self) -> Bool {
    left.width == right.width && left.value.bitPattern == right.value.bitPattern
  }

  /// Feeds width and bits.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(value.bitPattern)
  }
}

extension PropertyListReal: CustomStringConvertible {
  /// The shortest text that reads back as the same number of the same width.
  public var description: String {
    width == .single ? Float(value).description : value.description
  }
}
