import Carryover

/// Keys for tests: the user's own, and one of somebody else.
enum TestKey {
  static let own = key(7)
  static let other = key(8)

  private static func key(_ byte: UInt8) -> StateKey {
    guard let key = StateKey([UInt8](repeating: byte, count: StateKey.length)) else {
      preconditionFailure("A key has \(StateKey.length) bytes.")
    }
    return key
  }
}
