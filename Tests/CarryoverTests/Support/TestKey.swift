import PropertyLists

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

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

extension MemoryFileSystem {
  /// Puts a document of a state folder there as the user's own Carryover would have sealed it.
  func putSealed(_ path: String, _ text: String, in root: String = "/box", with key: StateKey = TestKey.own) throws {
    put(path, try resealed(text, in: root, with: key), mode: 0o600)
  }

  func resealed(_ text: String, in root: String = "/box", with key: StateKey = TestKey.own) throws -> [UInt8] {
    let members = try JSONText(text).value.members ?? []
    let seal = try StateSeal(key, of: root, self)
    return Array((seal.sealed(.object(members.filter { $0.name != "seal" })).text(pretty: true) + "\n").utf8)
  }
}
