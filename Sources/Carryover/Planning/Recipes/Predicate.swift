import CarryoverSystem
package import PropertyLists

/// A test of a value: a few fixed ones without side effects, each in time linear in the value. There are no regular
/// expressions, because a stranger's value must not stop a plan.
package enum Predicate: Hashable, Sendable {
  case present(Bool)
  /// Any value but null and empty text, data or collections.
  case nonEmpty
  /// One of these values, with the same type.
  case oneOf([PropertyListValue])
  /// Text or data of at most so many bytes.
  case atMostBytes(Int)
  /// An integer or a real between two integers, both included.
  case range(ClosedRange<Int64>)
  case kind(PropertyListValue.Kind)
  case form(TextForm)
  case glob(Glob)
  /// Data that is a keyed archive of a dictionary, with property-list values, null and URLs in it, but none of these types.
  case archive(without: [KeyedValue.Kind])

  /// Whether a value meets it. Nil stands for no value, which meets only `present(false)`.
  package func isMet(by value: PropertyListValue?) -> Bool {
    if case .present(let isPresent) = self { return (value != nil) == isPresent }
    guard let value else { return false }
    return switch (self, value) {
    case (.nonEmpty, _): !value.isEmpty
    case (.oneOf(let values), _): values.contains(value)
    case (.atMostBytes(let most), .string(let text)): text.utf8.count <= most
    case (.atMostBytes(let most), .data(let bytes)): bytes.count <= most
    case (.range(let range), .integer(let integer)): integer.int64.map(range.contains) ?? false
    case (.range(let range), .real(let real)): real.value.isBetween(range)
    case (.kind(let kind), _): value.kind == kind
    case (.form(let form), .string(let text)): form.matches(text)
    case (.glob(let glob), .string(let text)): glob.matches(text)
    case (.archive(let excluded), .data): Self.isArchive(value, without: excluded)
    default: false
    }
  }

  private static func isArchive(_ value: PropertyListValue, without excluded: [KeyedValue.Kind]) -> Bool {
    guard let archive = try? ArchivedTraits(value), archive.isKeyedArchive else { return false }
    let words = Set(excluded.map(\.word))
    return archive.leftOut.isEmpty && !archive.reshaped.contains { words.contains($0.what) }
  }

  package var kinds: Set<PropertyListValue.Kind> {
    switch self {
    case .present, .nonEmpty: Set(PropertyListValue.Kind.allCases)
    case .oneOf(let values): Set(values.map(\.kind))
    case .atMostBytes: [.string, .data]
    case .range: [.integer, .real]
    case .kind(let kind): [kind]
    case .form, .glob: [.string]
    case .archive: [.data]
    }
  }

  package func isAlwaysMet(by kinds: Set<PropertyListValue.Kind>) -> Bool {
    switch self {
    case .nonEmpty: kinds.isDisjoint(with: [.string, .data, .array, .dictionary, .set, .null])
    case .kind(let kind): kinds == [kind]
    default: false
    }
  }

  /// What a value that meets it is, in a few words: "at most 64 bytes".
  package var words: String {
    switch self {
    case .present(let isPresent): isPresent ? "present" : "absent"
    case .nonEmpty: "not empty"
    case .oneOf(let values): Transform.words(values)
    case .atMostBytes(let most): "at most \(ValueWording.counted(most, "byte"))"
    case .range(let range): "from \(range.lowerBound) to \(range.upperBound)"
    case .kind(let kind): ValueWording.name(kind)
    case .form(let form): form.words
    case .glob(let glob): "text like \(DisplayText.quoted(glob.pattern))"
    case .archive(let excluded):
      "a keyed archive without " + (excluded.map(\.word) + ["objects of other classes"]).joined(separator: ", ")
    }
  }
}

extension PropertyListValue {
  fileprivate var isEmpty: Bool {
    switch self {
    case .string(let text): text.isEmpty
    case .data(let bytes): bytes.isEmpty
    case .array(let elements): elements.isEmpty
    case .set(let elements): elements.isEmpty
    case .dictionary(let dictionary): dictionary.count == 0
    case .null: true
    default: false
    }
  }
}

extension Double {
  /// Whether the number is in a range of integers, without rounding the integers.
  fileprivate func isBetween(_ range: ClosedRange<Int64>) -> Bool {
    // The whole numbers around it are exact, or beyond every integer of the range.
    guard let below = Int64(exactly: rounded(.down)), let above = Int64(exactly: rounded(.up)) else { return false }
    return below >= range.lowerBound && above <= range.upperBound
  }
}

package struct Condition: Hashable, Sendable {
  /// The legacy key whose value is tested; nil for the source's own value, as found.
  package var key: String?
  package var test: Predicate

  package init(_ test: Predicate, key: String? = nil) {
    self.key = key
    self.test = test
  }

  package var words: String { "\(key ?? "it") is \(test.words)" }
}

extension Candidate {
  /// The keys whose values decide what the source gives: its own, then those of its conditions.
  var keys: [String] { [source.key] + conditions.compactMap(\.key) }
}

extension Recipe {
  package var conditionKeys: Set<StringByBytes> {
    Set(bytesOf: rules.flatMap(\.candidates).flatMap(\.conditions).compactMap(\.key))
  }
}

/// A form of text that a recipe can ask for. The raw value is its name in recipe files.
package enum TextForm: String, CaseIterable, Hashable, Sendable {
  /// 32 hexadecimal digits in five groups.
  case uuid
  /// Digits, with an optional minus sign and an optional fraction.
  case decimal
  case hex
  /// One `@`, with a name before and a domain behind it.
  case email
  /// JSON of any type.
  case json

  package func matches(_ text: String) -> Bool {
    switch self {
    case .uuid: text.isUUID
    case .decimal: Self.isDecimal(text.utf8)
    case .hex: !text.isEmpty && text.utf8.allSatisfy(\.isHexadecimal)
    case .email: Self.isEmail(text.utf8)
    case .json: (try? JSONText(text)) != nil
    }
  }

  package var words: String {
    switch self {
    case .uuid: "a UUID"
    case .decimal: "the text of a decimal number"
    case .hex: "hexadecimal digits"
    case .email: "an email address"
    case .json: "JSON text"
    }
  }

  private static func isDecimal(_ text: String.UTF8View) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
  }

  private static func isEmail(_ text: String.UTF8View) -> Bool {
    // Servers refuse longer addresses.
    guard text.count <= 254, text.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, let domain = parts.last, !name.isEmpty else { return false }
    let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}

/// A pattern of texts, in which `*` stands for any text. The time to compare it with a text grows with the sum of both
/// lengths, not with their product: patterns and texts come from strangers.
package struct Glob: Hashable, Sendable {
  package let pattern: String
  /// The text before the first `*`, or all of it.
  @StringByBytes private var start: String
  /// The texts after each `*`.
  private let others: [Needle]

  package init(_ pattern: String) {
    self.pattern = pattern
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    start = parts.first.map { String(Substring($0)) } ?? ""
    others = parts.dropFirst().map { Needle(Array($0)) }
  }

  package func matches(_ text: String) -> Bool {
    guard let last = others.last?.bytes else { return text.hasSameBytes(as: pattern) }
    // Most texts begin otherwise, and need no copy.
    guard text.beginsWithBytes(of: start), text.utf8.count >= start.utf8.count + last.count else { return false }
    var rest = Array(text.utf8.dropFirst(start.utf8.count))[...]
    guard rest.suffix(last.count).elementsEqual(last) else { return false }
    rest = rest.dropLast(last.count)
    for part in others.dropLast() {
      guard let end = part.end(in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }
}

/// Bytes to look for, by Knuth, Morris and Pratt.
private struct Needle: Hashable, Sendable {
  let bytes: [UInt8]
  /// For each length of a match, the length of the longest shorter one that ends at the same place.
  private var shorter: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    shorter = []
    var length = 0
    for (index, byte) in bytes.enumerated() {
      if index > 0 { length = grown(length, by: byte) }
      shorter.append(length)
    }
  }

  func end(in text: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return text.startIndex }
    var length = 0
    for index in text.indices {
      length = grown(length, by: text[index])
      if length == bytes.count { return index + 1 }
    }
    return nil
  }

  /// The length of the match after another byte. The match before is shorter than the needle.
  private func grown(_ length: Int, by byte: UInt8) -> Int {
    var length = length
    while length > 0, bytes[length] != byte { length = shorter[length - 1] }
    return bytes[length] == byte ? length + 1 : 0
  }
}
