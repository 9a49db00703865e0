import CarryoverSystem
package import PropertyLists

/// A test of a value: a few fixed ones without side effects, each in time linear in the value. There are no regular
/// expressions, because a stranger's value must not stop a plan.
package enum Predicate: Hashable, Sendable {
  /// There is a value, or there is none.
  case present(Bool)
  /// Any value but null and empty text, data or collections.
  case nonEmpty
  /// One of these values, with the same type.
  case oneOf([PropertyListValue])
  /// Text or data of at most so many bytes.
  case atMostBytes(Int)
  /// An integer or a real between two integers, both included.
  case range(ClosedRange<Int64>)
  /// A value of this type.
  case kind(PropertyListValue.Kind)
  /// Text of a form.
  case form(TextForm)
  /// Text that matches a pattern.
  case glob(Glob)
  /// Data that is a keyed archive of a dictionary, with property-list values, null and URLs in it, but none of these types.
  case archive(without: [KeyedValue.Kind])
}

extension Predicate {
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

  /// The types of the values that can meet it.
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

  /// Whether all values of these types meet it.
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
