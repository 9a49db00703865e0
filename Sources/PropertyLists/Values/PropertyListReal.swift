/// A floating-point number with its width in the file.
///
/// Two numbers are equal if their width and their bits are: a NaN is equal to itself, and 0.0 differs from −0.0.
public struct PropertyListReal: Sendable, Hashable {
  /// The width of a number in the file.
  package enum Width: Sendable, Hashable {
    /// 32 bits; binary files only.
    case single
    /// 64 bits.
    case double
  }

  private let bits: UInt64
  /// The width in the file.
  package let width: Width

  /// The number; for a 32-bit real, its exact value.
  public var value: Double { Double(bitPattern: bits) }

  /// Creates a 64-bit number.
  public init(_ value: Double) { self.init(value, width: .double) }

  /// Creates a number of the given width. With `.single`, the value is rounded to the nearest 32-bit number.
  package init(_ value: Double, width: Width) {
    // A NaN is kept as it is, because a conversion to Float and back may change its bits.
    bits = (width == .single && !value.isNaN ? Double(Float(value)) : value).bitPattern
    self.width = width
  }

  /// Creates a 32-bit number.
  package init(single value: Float) {
    self.init(Double(value), width: .single)
  }
}

extension PropertyListReal: CustomStringConvertible, Described {
  /// The shortest text that reads back as the same number of the same width.
  package var words: String {
    width == .single ? Float(value).description : value.description
  }
}
