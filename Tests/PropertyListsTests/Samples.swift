import PropertyLists

enum Samples {
  static let integers: [PropertyListInteger] = [
    0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -128, -65_536,
    PropertyListInteger(Int64.max), PropertyListInteger(Int64.min), PropertyListInteger(UInt64.max),
    PropertyListInteger(UInt64(1) << 63),
  ]

  static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 1.0 / 3.0, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
    -.infinity, 763_640_123.456,
  ]

  static let strings = [
    "", "a", "hello", "a string of more than fifteen characters", "é", "e\u{301}", "日本語", "😀 emoji", "a & b < c > d",
    "tab\tand\nnewline\rreturn", "\"quotes\" 'apostrophes'", "]]>", " leading and trailing ", "\u{FFFD}",
    String(repeating: "x", count: 300), String(repeating: "é", count: 70_000),
  ]

  static let dates: [Double] = [0, -1, 1, 763_640_123, -63_113_904_000, 252_423_993_599, -978_307_200]

  static let both: [PropertyListValue] =
    integers.map { .integer($0) } + reals.map { .real(PropertyListReal($0)) } + strings.map { .string($0) }
    + dates.map { .date(PropertyListDate(secondsSince2001: $0)) }
    + [
      true, false, .data([]), .data([0]), .data(Array(0...255)), .data(Array(repeating: 7, count: 70_000)), .array([]),
      .dictionary([:]), .uid(0), .uid(255), .uid(256), .uid(UInt64(UInt32.max)),
      ["nested": ["deep": [1, [2, [3.5]]]]],
      .real(PropertyListReal(.nan)),
    ]

  /// What only the binary format can hold.
  static let binaryOnly: [PropertyListValue] = [
    .real(PropertyListReal(single: 0.1)), .real(PropertyListReal(single: .nan)), .null, .set([]),
    .set([1, "two", [3]]),
    .integer(PropertyListInteger("170141183460469231731687303715884105727") ?? 0),
    .integer(PropertyListInteger("-170141183460469231731687303715884105728") ?? 0),
    .date(PropertyListDate(secondsSince2001: .nan)), .date(PropertyListDate(secondsSince2001: 1e300)),
    .date(PropertyListDate(secondsSince2001: 0.25)), "control \u{1} character",
  ]

  static func nested(_ depth: Int) -> PropertyListValue {
    var value: PropertyListValue = depth % 2 == 0 ? .array([]) : .dictionary([:])
    for level in 1..<depth { value = level % 3 == 0 ? ["key": value] : [value] }
    return value
  }
}
