import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation
import Testing

@testable import CarryoverEncryption

@Suite("The form of encrypted bytes")
struct EncryptedFormTests {
  private static let key = SymmetricKey(data: Array(0..<32 as Range<UInt8>))
  private static let other = SymmetricKey(data: Array(1..<33 as Range<UInt8>))
  private static let plain = Array("a token, say".utf8)

  private func sealed() throws -> [UInt8] {
    try EncryptedBytes.seal(Self.plain, name: "token", key: Self.key)
  }

  private func failure(_ bytes: [UInt8], name: String = "token", key: SymmetricKey = Self.key) -> EncryptionError? {
    do {
      _ = try EncryptedBytes.open(bytes, name: name, key: key)
      return nil
    } catch {
      return error as? EncryptionError
    }
  }

  @Test("the form of version 1 is what it was when it was shipped (E6)")
  func knownAnswer() throws {
    let nonce = try AES.GCM.Nonce(data: Array(0xA0..<0xAC as Range<UInt8>))
    let bytes = try EncryptedBytes.seal(Self.plain, name: "token", key: Self.key, nonce: nonce)
    // Made by another implementation of HMAC-SHA256 and AES-GCM.
    let known =
      "434f454201010000e13c9fef0aebee28000000000000000ca0a1a2a3a4a5a6a7a8a9aaab"
      + "873808422eae6c934216e6aad209db2ae440b3237c159438c8d8d194"
    #expect(bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined() == known)
    #expect(try EncryptedBytes.open(bytes, name: "token", key: Self.key) == Self.plain)
  }

  @Test("text that only begins as encrypted bytes do is not taken for some, and what is left of some is (E6)")
  func looks() throws {
    let values = EncryptedValues(keys: Self.key)
    for text in ["COEB", "COEB is a name", "COEBRA", "COEB\n\n\n\n", "COE", ""] {
      #expect(!values.isProtected(Array(text.utf8)), "\(text)")
    }
    let sealed = try sealed()
    for count in 5...sealed.count { #expect(values.isProtected(Array(sealed.prefix(count)))) }
    var later = sealed
    later[4] = 2
    #expect(values.isProtected(later))
  }

  @Test("no two writes share a nonce, and lengths from none up come back (E6)")
  func roundTrip() throws {
    for length in [0, 1, 15, 16, 17, 4096] {
      let plain = Array(repeating: UInt8(7), count: length)
      let (one, two) = (
        try EncryptedBytes.seal(plain, name: "", key: Self.key), try EncryptedBytes.seal(plain, name: "", key: Self.key)
      )
      #expect(one != two && one.count == length + EncryptedBytes.overhead)
      #expect(try EncryptedBytes.open(one, name: "", key: Self.key) == plain)
    }
  }

  @Test("a change of any bit of any byte is noticed and called by its name (E6)")
  func tampered() throws {
    let bytes = try sealed()
    for position in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[position] ^= 1 << UInt8(bit)
        let expected: EncryptionError =
          switch position {
          case 0..<4, 5: .unrecognised
          case 4: changed[4] > 1 ? .newerFormat : .unrecognised
          default: .tampered
          }
        #expect(failure(changed) == expected, "byte \(position), bit \(bit)")
      }
    }
  }

  @Test("bytes that end early or go on are cut off, at every length (E6)")
  func truncated() throws {
    let bytes = try sealed()
    #expect(failure([]) == .unrecognised)
    for length in 1..<bytes.count {
      #expect(failure(Array(bytes[..<length])) == .cutOff, "\(length) bytes")
    }
    #expect(failure(bytes + [0]) == .cutOff)
  }

  @Test("another key, another name, another form and a key of another size are told apart (E6)")
  func others() throws {
    let bytes = try sealed()
    #expect(failure(bytes, key: Self.other) == .wrongKey)
    #expect(failure(bytes, name: "other") == .tampered)
    #expect(failure(Array("{\"a\":1}".utf8)) == .unrecognised)
    #expect(failure(Array(repeating: 0, count: 100)) == .unrecognised)
    #expect(failure(Array("COEB".utf8) + [2]) == .newerFormat)
    #expect(failure(bytes, key: SymmetricKey(size: .bits128)) == .badKey)
    #expect(throws: EncryptionError.badKey) {
      try EncryptedBytes.seal([], name: "", key: SymmetricKey(size: .bits192))
    }
  }
}
