import Crypto
import Foundation

/// The form of encrypted bytes, version 1:
///
/// | bytes | content |
/// |---|---|
/// | 4 | `COEB` |
/// | 1 | the version of the form: 1 |
/// | 1 | the cipher: 1 is AES-256-GCM |
/// | 2 | 0 |
/// | 8 | which key it was: the first bytes of HMAC-SHA256 of a fixed text with the key |
/// | 8 | how many bytes were encrypted, big-endian |
/// | 12 | the nonce, random for each write |
/// | … | the encrypted bytes |
/// | 16 | the tag |
///
/// The tag also covers the first 24 bytes and the name the bytes stand under, so that bytes cannot be moved to another
/// name. Which key it was tells a wrong key from changed bytes; somebody who changes those eight bytes on purpose makes
/// changed bytes look like a wrong key, and nothing worse.
enum EncryptedBytes {
  static let magic: [UInt8] = Array("COEB".utf8)
  static let version: UInt8 = 1
  static let cipher: UInt8 = 1
  static let headerLength = 24
  static let nonceLength = 12
  static let tagLength = 16
  /// What the form adds to the bytes.
  static let overhead = headerLength + nonceLength + tagLength

  /// Why bytes could not be opened.
  enum Failure: Error, Hashable {
    case unrecognised
    case newerFormat(UInt8)
    case cutOff
    case wrongKey
    case tampered
    case badKey
  }

  static func seal(_ bytes: [UInt8], name: String, key: SymmetricKey) throws -> [UInt8] {
    guard key.bitCount == 256 else { throw Failure.badKey }
    let header = header(length: bytes.count, key)
    let box = try AES.GCM.seal(bytes, using: key, authenticating: header + Array(name.utf8))
    return header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  static func open(_ bytes: [UInt8], name: String, key: SymmetricKey) throws -> [UInt8] {
    guard key.bitCount == 256 else { throw Failure.badKey }
    guard bytes.starts(with: magic.prefix(bytes.count)), !bytes.isEmpty else { throw Failure.unrecognised }
    guard bytes.count >= overhead else { throw Failure.cutOff }
    guard bytes[4] == version else {
      throw bytes[4] > version ? Failure.newerFormat(bytes[4]) : Failure.unrecognised
    }
    guard bytes[5] == cipher else { throw Failure.unrecognised }
    let header = Array(bytes[..<headerLength])
    guard header[8..<16].elementsEqual(check(key)) else { throw Failure.wrongKey }
    let length = header[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length == UInt64(bytes.count - overhead) else { throw Failure.cutOff }
    let tagStart = bytes.count - tagLength
    do {
      let box = try AES.GCM.SealedBox(
        nonce: AES.GCM.Nonce(data: bytes[headerLength..<(headerLength + nonceLength)]),
        ciphertext: bytes[(headerLength + nonceLength)..<tagStart], tag: bytes[tagStart...])
      return Array(try AES.GCM.open(box, using: key, authenticating: header + Array(name.utf8)))
    } catch {
      throw Failure.tampered
    }
  }

  private static func header(length: Int, _ key: SymmetricKey) -> [UInt8] {
    let count = UInt64(length)
    return magic + [version, cipher, 0, 0] + check(key)
      + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
  }

  private static func check(_ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("carryover: which key, version 1".utf8), using: key).prefix(8))
  }
}
