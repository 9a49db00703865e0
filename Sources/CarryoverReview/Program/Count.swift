import CarryoverTerminal

/// The number typed in front of a key, as in `5j`.
struct Count: Hashable, Sendable {
  /// The number as far as it is typed; nil without one.
  private(set) var value: Int?

  /// The digit a key is; nil for every other key. No look into the tables of Unicode: this is asked of every key.
  static func digit(_ key: Key) -> Int? {
    guard case .character(let character) = key, let byte = character.asciiValue, (0x30...0x39).contains(byte) else {
      return nil
    }
    return Int(byte) - 0x30
  }

  /// Takes a digit; false for any other key, and for a zero that would begin a number.
  mutating func take(_ key: Key) -> Bool {
    guard let digit = Self.digit(key), value != nil || digit > 0 else { return false }
    value = min(Self.most, (value ?? 0) * 10 + digit)
    return true
  }

  /// Gives the number up.
  mutating func use() -> Int? {
    defer { value = nil }
    return value
  }

  /// What the last line says while the number waits for its key.
  var message: String? { value.map { "\($0) … then a key: repeats it, or goes to that row. esc cancels." } }

  private static let most = 9_999_999
}

extension Program {
  /// Adds a digit to the count, or drops the count on escape; false for any other key. Counts work only on screens that
  /// scroll and bind no digit.
  mutating func takesCount(_ key: Key) -> Bool {
    if stack.count.value != nil, key == .escape {
      _ = stack.count.use()
      return true
    }
    return Count.digit(key) != nil && Self.table.counting.contains(screen)
      && Self.table.binding(for: key, in: screen, options.keymap) == nil && stack.count.take(key)
  }
}
