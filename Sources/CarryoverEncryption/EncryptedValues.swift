public import CarryoverStorage
import Crypto
import Foundation

/// Encrypts single values of a router, in any store: AES-256-GCM, in the format of ``EncryptedFileStore``.
public struct EncryptedValues: DataProtection {
  private let keys: any KeyProvider

  /// A protection with the provider's key.
  public init(keys: any KeyProvider) { self.keys = keys }

  /// Encrypts bytes. Only the same name can open them.
  /// - Throws: ``EncryptionError/badKey``, or the provider's error.
  public func protect(_ data: [UInt8], name: String) throws -> [UInt8] {
    try EncryptedBytes.seal(data, name: name, key: keys.key())
  }

  /// Whether bytes begin like encrypted bytes.
  public func isProtected(_ data: [UInt8]) -> Bool { EncryptedBytes.isSealed(data) }

  /// Decrypts bytes that were encrypted for the same name.
  /// - Throws: ``EncryptionError`` if the bytes cannot be opened, or the provider's error.
  public func unprotect(_ data: [UInt8], name: String) throws -> [UInt8] {
    try EncryptedBytes.open(data, name: name, key: keys.key())
  }
}

/// An error in encrypting or opening a value.
public enum EncryptionError: Error, Hashable, Sendable, CustomStringConvertible, Described {
  /// The value was encrypted with another key.
  case wrongKey
  /// The value was changed after it was encrypted, or belongs to another name.
  case tampered
  /// The value does not have the length that its header states.
  case cutOff
  /// The value is not in a known format of encrypted values.
  case unrecognised
  /// A later version of the app encrypted the value.
  case newerFormat
  /// The key does not have 256 bits.
  case badKey

  package var words: String {
    switch self {
    case .wrongKey: "it was encrypted with another key"
    case .tampered: "it was changed after it was encrypted, or has another name"
    case .cutOff: "it is not as long as its header says"
    case .unrecognised: "it is not an encrypted value of a known form"
    case .newerFormat: "a later version of the app has encrypted it"
    case .badKey: "the key does not have 256 bits"
    }
  }
}

/// The format of encrypted bytes, version 1:
///
/// | bytes | content |
/// |---|---|
/// | 4 | `COEB` |
/// | 1 | the version of the format: 1 |
/// | 1 | the cipher: 1 is AES-256-GCM |
/// | 2 | 0 |
/// | 8 | the key's id: the first bytes of HMAC-SHA256 of a fixed text with the key |
/// | 8 | the number of encrypted bytes, big-endian |
/// | 12 | the nonce, random for each write |
/// | … | the encrypted bytes |
/// | 16 | the tag |
///
/// The tag also authenticates the first 24 bytes and the name, so bytes under another name do not open. The key's id
/// distinguishes a wrong key from changed bytes. To distinguish a changed header from a wrong key or missing bytes,
/// ``open(_:name:key:)`` also tries the header that the bytes should have.
enum EncryptedBytes {
  static let magic: [UInt8] = Array("COEB".utf8)
  static let version: UInt8 = 1
  static let cipher: UInt8 = 1
  static let headerLength = 24
  static let nonceLength = 12
  static let tagLength = 16
  /// The number of bytes that the format adds.
  static let overhead = headerLength + nonceLength + tagLength

  /// - Parameter nonce: random unless a test passes one. No two writes with the same key may share a nonce.
  static func seal(
    _ bytes: [UInt8], name: String, key: SymmetricKey, nonce: AES.GCM.Nonce = AES.GCM.Nonce()
  ) throws -> [UInt8] {
    guard key.bitCount == 256 else { throw EncryptionError.badKey }
    let header = header(length: bytes.count, key)
    let box = try AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: header + Array(name.utf8))
    return header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  /// Whether bytes begin like this format, in this version or a later one. Text may begin with the same four letters,
  /// but control characters and zeros do not follow in text.
  static func isSealed(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: magic) && bytes.count > versionIndex
      && bytes.prefix(cipherIndex + 1).dropFirst(versionIndex).allSatisfy { plausible.contains($0) }
      && bytes.prefix(checkRange.lowerBound).dropFirst(cipherIndex + 1).allSatisfy { $0 == 0 }
  }

  static func open(_ bytes: [UInt8], name: String, key: SymmetricKey) throws -> [UInt8] {
    guard key.bitCount == 256 else { throw EncryptionError.badKey }
    guard bytes.starts(with: magic.prefix(bytes.count)), !bytes.isEmpty else { throw EncryptionError.unrecognised }
    // A later version may be shorter, so check the version first.
    guard bytes.count > versionIndex else { throw EncryptionError.cutOff }
    guard bytes[versionIndex] <= version else { throw EncryptionError.newerFormat }
    guard bytes[versionIndex] == version else { throw EncryptionError.unrecognised }
    guard bytes.count >= overhead else { throw EncryptionError.cutOff }
    guard bytes[cipherIndex] == cipher else { throw EncryptionError.unrecognised }
    let found = Array(bytes[..<headerLength])
    if let opened = opened(bytes, found, name, key) { return opened }
    // The key's id distinguishes these; whether the header itself was changed, only the tag can tell.
    let sound = header(length: bytes.count - overhead, key)
    guard found != sound, opened(bytes, sound, name, key) == nil else { throw EncryptionError.tampered }
    throw found[checkRange] != sound[checkRange] ? EncryptionError.wrongKey : EncryptionError.cutOff
  }

  /// The decrypted bytes, if they authenticate with the header; nil otherwise.
  private static func opened(_ bytes: [UInt8], _ header: [UInt8], _ name: String, _ key: SymmetricKey) -> [UInt8]? {
    let tagStart = bytes.count - tagLength
    guard header[lengthRange].reduce(UInt64(0), { $0 << 8 | UInt64($1) }) == UInt64(bytes.count - overhead),
      let nonce = try? AES.GCM.Nonce(data: bytes[headerLength..<(headerLength + nonceLength)]),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: bytes[(headerLength + nonceLength)..<tagStart], tag: bytes[tagStart...])
    else { return nil }
    return (try? AES.GCM.open(box, using: key, authenticating: header + Array(name.utf8))).map { Array($0) }
  }

  private static func header(length: Int, _ key: SymmetricKey) -> [UInt8] {
    let count = UInt64(length)
    return magic + [version, cipher, 0, 0] + check(key)
      + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
  }

  private static func check(_ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("carryover: which key, version 1".utf8), using: key).prefix(8))
  }

  /// Version and cipher numbers that this or a later version may use.
  private static let plausible: ClosedRange<UInt8> = 1...8
  static let versionIndex = 4
  private static let cipherIndex = 5
  private static let checkRange = 8..<16
  private static let lengthRange = 16..<24
}
