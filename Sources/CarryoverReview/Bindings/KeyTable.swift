import CarryoverTerminal

/// Something for each of some keys. The characters that most keys are stand in a row: for those no hash is worked out.
struct KeyTable<Value: Sendable>: Sendable {
  private var plain: [Value?] = Array(repeating: nil, count: 0x80)
  private var others: [Key: Value] = [:]

  subscript(key: Key) -> Value? {
    get { Self.place(of: key).map { plain[$0] } ?? others[key] }
    set {
      if let place = Self.place(of: key) { plain[place] = newValue } else { others[key] = newValue }
    }
  }

  private static func place(of key: Key) -> Int? {
    // A carriage return and a line feed together are one character too, and have a value of ASCII.
    guard case .character(let character) = key, character.utf8.count == 1, let byte = character.asciiValue else {
      return nil
    }
    return Int(byte)
  }
}
