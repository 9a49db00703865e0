package import CarryoverSystem
package import PropertyLists

extension Transform {
  var editsMembers: Bool {
    switch self {
    case .jsonWithoutMembers, .jsonOnlyMembers, .jsonRenamedMembers: true
    default: false
    }
  }

  /// The name that the step leaves to each top-level member of a JSON object; nil for a member that it removes.
  var memberNames: (String) -> String? {
    switch self {
    case .jsonWithoutMembers(let names):
      let names = Set(names.map { StringByBytes($0) })
      return { names.contains(StringByBytes($0)) ? nil : $0 }
    case .jsonOnlyMembers(let names):
      let names = Set(names.map { StringByBytes($0) })
      return { names.contains(StringByBytes($0)) ? $0 : nil }
    case .jsonRenamedMembers(let entries):
      let names = Dictionary(entries.map { (StringByBytes($0.from), $0.to) }, uniquingKeysWith: { first, _ in first })
      return { names[StringByBytes($0)] ?? $0 }
    default: return { $0 }
    }
  }

  func edited(_ traits: TraitsText) throws(TransformFailure) -> PropertyListValue {
    let newName = memberNames
    guard case .jsonRenamedMembers = self else {
      guard let rest = traits.removing(traits.memberNames.filter { newName($0) == nil }) else { throw .empty }
      return .string(rest)
    }
    // Of members with one name, readers see the last: a renamed member must not hide another.
    var oldNames: [StringByBytes: String] = [:]
    for name in traits.memberNames {
      let new = newName(name) ?? name
      guard oldNames.updateValue(name, forKey: StringByBytes(new))?.hasSameBytes(as: name) ?? true else {
        throw .nameTaken(new)
      }
    }
    guard let renamed = traits.renaming({ newName($0) ?? $0 }) else { throw .empty }
    return .string(renamed)
  }

  static func traits(_ value: PropertyListValue) throws(TransformFailure) -> TraitsText {
    try converting(try TraitsText(value), TransformFailure.json)
  }

  static func archivedJSON(
    _ value: PropertyListValue, _ kind: PropertyListValue.Kind
  ) throws(TransformFailure) -> PropertyListValue {
    if case .string = value { return value }
    guard value.kind == kind else { throw .json(.notText(value.kind)) }
    return .string(try converting(try ArchivedTraits(value).text, TransformFailure.json))
  }

  static func propertyListData(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard [.dictionary, .array].contains(value.kind) else { throw .kind(value.kind) }
    // The format has these types, but only keyed archives use them, and readers of values refuse them.
    var pending = [value]
    while let next = pending.popLast() {
      guard ![.uid, .set, .null].contains(next.kind) else { throw .contains(next.kind) }
      pending += next.children
    }
    guard let bytes = try? PropertyListDocument.encode(value, as: .binary) else { throw .kind(value.kind) }
    return .data(bytes)
  }

  static func keyedArchive(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    guard [.dictionary, .array, .set].contains(value.kind), let bytes = try? KeyedArchive.encode(value) else {
      throw .kind(value.kind)
    }
    return .data(bytes)
  }

  static func unwrapped(_ value: PropertyListValue, _ name: String) throws(TransformFailure) -> PropertyListValue {
    guard case .dictionary(let dictionary) = value else { throw .kind(value.kind) }
    guard let entry = dictionary.entries.first, dictionary.count == 1, entry.key.hasSameBytes(as: name) else {
      throw .notWrapped(name)
    }
    return entry.value
  }

  /// The legacy SDK's seconds as milliseconds, truncated to an integer.
  package static func pastMilliseconds(_ value: PropertyListValue, now: Moment) throws(TransformFailure) -> Int64 {
    let milliseconds: Int64
    switch value {
    case .integer(let integer):
      guard let seconds = integer.int64 else { throw .time(integer.isNegative ? .notPositive : .future) }
      guard seconds > 0 else { throw .time(.notPositive) }
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
      guard !overflow else { throw .time(.future) }
      milliseconds = product
    case .real(let real):
      guard !real.value.isNaN else { throw .time(.notANumber) }
      guard real.value > 0 else { throw .time(.notPositive) }
      guard let whole = Int64(exactly: (real.value * 1000).rounded(.towardZero)) else { throw .time(.future) }
      guard whole > 0 else { throw .time(.notPositive) }
      milliseconds = whole
    default: throw .kind(value.kind)
    }
    guard milliseconds <= now.millisecondsSince1970 else { throw .time(.future) }
    return milliseconds
  }

  static func seconds(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    let milliseconds: Double
    switch value {
    case .integer(let integer):
      guard let whole = integer.int64 else { throw .notInCalendar }
      milliseconds = Double(whole)
    case .real(let real): milliseconds = real.value
    default: throw .kind(value.kind)
    }
    // Within these bounds, every integer gives other seconds.
    guard PropertyListDate(secondsSince1970: milliseconds / 1000).isInCalendarRange else { throw .notInCalendar }
    return .real(PropertyListReal(milliseconds / 1000))
  }

  static func calendarDate(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListDate {
    guard case .date(let date) = value else { throw .kind(value.kind) }
    guard date.isInCalendarRange else { throw .notInCalendar }
    return date
  }

  static func milliseconds(_ value: PropertyListValue) throws(TransformFailure) -> Int64 {
    // A date cannot express most milliseconds exactly: truncated, 0.123 seconds would be 122 milliseconds.
    guard let whole = Int64(exactly: (try calendarDate(value).secondsSince1970 * 1000).rounded()) else {
      throw .notInCalendar
    }
    return whole
  }
}

/// The property list that Swift's `PropertyListEncoder` makes of a JSON object whose numbers are `Decimal`, as some SDKs
/// store it. A reader of `Decimal` refuses a plain integer or real.
///
/// A number is a dictionary: `mantissa`, eight 16-bit limbs with the least significant first, of which `length` are
/// used; `exponent`, of ten; `isNegative`; `isCompact`, true because the mantissa never ends in a zero. Null is the text
/// `$null`.
enum DecimalPropertyList {
  /// The data for an object in text.
  /// - Throws: no object in text, or a number beyond a `Decimal`: its mantissa has 128 bits, its exponent 8.
  static func data(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    let traits = try Transform.traits(value)
    guard traits.value.numbers <= mostNumbers else { throw .tooMuch }
    do throws(TraitsDefect) {
      let root = try propertyList(traits.value)
      guard let bytes = try? PropertyListDocument.encode(root, as: .binary) else { throw .notObject }
      return .data(bytes)
    } catch {
      throw .json(error)
    }
  }

  /// What fits into a ``StepBudget``: a number takes about 600 bytes.
  private static let mostNumbers = 400_000

  private static func propertyList(_ value: JSONValue) throws(TraitsDefect) -> PropertyListValue {
    switch value {
    case .string(let text): return .string(text)
    case .boolean(let flag): return .boolean(flag)
    case .null: return .string("$null")
    case .number(let number): return try decimal(number.lexeme)
    case .array(let elements):
      var values: [PropertyListValue] = []
      for element in elements { values.append(try propertyList(element)) }
      return .array(values)
    case .object(let members):
      // Of several members with the same name, readers use the last.
      var entries: [PropertyListDictionary.Entry] = []
      var seen: Set<[UInt8]> = []
      for member in members.reversed() where seen.insert(Array(member.name.utf8)).inserted {
        entries.append(.init(key: member.name, value: try propertyList(member.value)))
      }
      return .dictionary(PropertyListDictionary(entries: entries.reversed()))
    }
  }

  /// A number of JSON text: digits with an optional fraction and an optional exponent.
  private static func decimal(_ lexeme: String) throws(TraitsDefect) -> PropertyListValue {
    let parts = lexeme.lowercased().split(separator: "e", maxSplits: 1)
    let isNegative = lexeme.hasPrefix("-")
    let pieces = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    // The bounds are far beyond a Decimal's exponent and far from an overflow.
    guard var exponent = parts.count == 1 ? 0 : Int(parts[1]), (-1_000_000_000...1_000_000_000).contains(exponent)
    else { throw .numberOutOfRange(lexeme) }
    let fraction = pieces.count > 1 ? pieces[1] : ""
    var digits = Array((pieces[0] + fraction).utf8.drop { $0 == UInt8(ascii: "0") })
    exponent -= fraction.utf8.count
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
    var limbs = [UInt16](repeating: 0, count: 8)
    for digit in digits {
      var carry = UInt32(digit - UInt8(ascii: "0"))
      for index in limbs.indices {
        let sum = UInt32(limbs[index]) * 10 + carry
        limbs[index] = UInt16(truncatingIfNeeded: sum)
        carry = sum >> 16
      }
      guard carry == 0 else { throw .numberOutOfRange(lexeme) }
    }
    guard let exponent = Int8(exactly: exponent) else { throw .numberOutOfRange(lexeme) }
    let length = 8 - limbs.reversed().prefix { $0 == 0 }.count
    func entry(_ key: String, _ value: PropertyListValue) -> PropertyListDictionary.Entry {
      .init(key: key, value: value)
    }
    return .dictionary(
      PropertyListDictionary(entries: [
        entry("exponent", .integer(PropertyListInteger(Int64(exponent)))),
        entry("length", .integer(PropertyListInteger(Int64(length)))),
        entry("isNegative", .boolean(isNegative && length > 0)), entry("isCompact", true),
        entry("mantissa", .array(limbs.map { .integer(PropertyListInteger(Int64($0))) })),
      ]))
  }
}

extension JSONValue {
  /// As deep as the reader of JSON allows.
  fileprivate var numbers: Int {
    switch self {
    case .number: 1
    case .array(let elements): elements.reduce(0) { $0 + $1.numbers }
    case .object(let members): members.reduce(0) { $0 + $1.value.numbers }
    case .string, .boolean, .null: 0
    }
  }
}
