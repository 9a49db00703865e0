import CarryoverSystem
import PropertyLists

/// Seals the documents of one container's state folder with a user's key.
///
/// The seal is an HMAC-SHA-256 of the rest of the document and the inode number of the container's root folder. A moved
/// container keeps that number, but a copy gets another one, so copied state does not verify.
package struct StateSeal {
  let key: StateKey
  let container: UInt64

  func sealed(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = document else { return document }
    return .object(members + [JSONMember(Self.member, seal(of: document))])
  }

  /// The reason that a document is not this user's own in this container; nil if it is.
  static func foreignReason(
    of document: JSONValue, ownedBy owner: UInt32, _ user: UInt32, _ seal: StateSeal?
  ) -> ForeignReason? {
    guard owner == user else { return .otherOwner(owner) }
    guard case .object(let members) = document, members.last?.name == member, let found = members.last?.value else {
      return .unsealed
    }
    let rest = JSONValue.object(Array(members.dropLast()))
    guard let seal, found["key"] == .string(seal.key.id) else { return .otherKey }
    return found == seal.seal(of: rest) ? nil : .notGenuine
  }

  private func seal(of document: JSONValue) -> JSONValue {
    let text = "carryover.seal/1\n\(container)\n" + document.text()
    return .object(["key": key.id, "hmacSHA256": SHA256.hmac(Array(text.utf8), key: key.bytes).hexadecimal])
  }

  private static let member = "seal"
}

extension StateSeal {
  init(_ key: StateKey, of root: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
    self.init(key: key, container: try fileSystem.status(root)?.number ?? 0)
  }
}

/// The reason that state does not count as the user's own. It came with the container, and has no effect.
package enum ForeignReason: Hashable, Sendable {
  case unsealed
  case otherKey
  case notGenuine
  case otherOwner(UInt32)

  /// Follows the words that something came with the container.
  package var phrase: String {
    if case .otherOwner(let user) = self { "from user \(user)" } else { "perhaps from someone else" }
  }

  package var word: String {
    switch self {
    case .unsealed: "unsealed"
    case .otherKey: "other-key"
    case .notGenuine: "not-genuine"
    case .otherOwner: "other-owner"
    }
  }
}

/// The folder for discarded state that came with a container: `discarded/1`, `discarded/2`, ….
enum Discarded {
  /// Moves files and folders of a state folder into a new folder, in this order. Missing ones are skipped. Nothing is
  /// deleted.
  static func move(_ paths: [String], in state: String, _ files: inout DurableFiles) throws(FileSystemError) -> String {
    let fileSystem = files.fileSystem
    var discarded = state + "/discarded"
    // There may be a link or a file in its place that came with the container.
    while let kind = try fileSystem.status(discarded)?.kind, kind != .directory { discarded += "-" }
    if try fileSystem.status(discarded) == nil { try fileSystem.makeDirectory(discarded, mode: 0o700) }
    var number = 1
    while try fileSystem.status("\(discarded)/\(number)") != nil { number += 1 }
    let place = "\(discarded)/\(number)"
    try fileSystem.makeDirectory(place, mode: 0o700)
    for path in paths where try fileSystem.status(path) != nil {
      try fileSystem.rename(path, to: place + "/" + FilePath.name(of: path), .replacing)
      try files.synchronizeFolder(FilePath.folder(of: path))
    }
    for folder in [place, discarded, state] { try files.synchronizeFolder(folder) }
    return place
  }
}
