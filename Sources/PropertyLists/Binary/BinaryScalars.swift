/// The contents of objects that contain no other objects.
extension BinaryObjects {
  /// An integer: 1, 2 and 4 bytes are unsigned, 8 and 16 bytes signed.
  @inline(__always)
  func integer(_ head: Head) -> PropertyListInteger {
    let start = base + head.content
    switch head.size {
    case 16: return PropertyListInteger(high: Int64(bitPattern: bigEndian(start, 8)), low: bigEndian(start + 8, 8))
    case 8: return PropertyListInteger(Int64(bitPattern: bigEndian(start, 8)))
    default: return PropertyListInteger(bigEndian(start, head.size))
    }
  }

  func real(_ head: Head) -> PropertyListReal {
    let bits = bigEndian(base + head.content, head.size)
    guard head.size == 4 else { return PropertyListReal(Double(bitPattern: bits)) }
    return PropertyListReal(singleBits: UInt32(truncatingIfNeeded: bits))
  }

  func date(_ head: Head) -> PropertyListDate {
    PropertyListDate(secondsSince2001: Double(bitPattern: bigEndian(base + head.content, 8)))
  }

  func data(_ head: Head) -> [UInt8] {
    Array(UnsafeBufferPointer(start: base + head.content, count: head.size))
  }

  /// A string, and its finding, if any.
  @inline(__always)
  func string(_ head: Head) -> (text: String, oddity: PropertyListFinding.Kind?) {
    let bytes = UnsafeBufferPointer(start: base + head.content, count: head.size)
    if head.type == 0x5 {
      if isASCII(bytes) { return (String(decoding: bytes, as: UTF8.self), nil) }
      return (Self.latin1(bytes), .highBytesInASCIIString)
    }
    let (text, isWhole) = Self.utf16(bytes)
    return (text, isWhole ? nil : .loneSurrogate)
  }

  /// Bytes as the first 256 characters of Unicode. Foundation reads non-ASCII bytes in an ASCII string this way.
  private static func latin1(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { target in
      var written = 0
      for byte in bytes {
        if byte < 0x80 {
          target[written] = byte
          written += 1
        } else {
          target[written] = 0xC0 | byte >> 6
          target[written + 1] = 0x80 | byte & 0x3F
          written += 2
        }
      }
      return written
    }
  }

  private static func utf16(_ bytes: UnsafeBufferPointer<UInt8>) -> (String, isWhole: Bool) {
    var isWhole = true
    let units = bytes.count / 2
    // Three bytes a unit are enough: a pair of units makes four.
    let text = String(unsafeUninitializedCapacity: units * 3) { target in
      var written = 0
      var unit = 0
      while unit < units {
        var scalar = UInt32(bytes[2 * unit]) << 8 | UInt32(bytes[2 * unit + 1])
        unit += 1
        if scalar & 0xF800 == 0xD800 {
          let next = unit < units ? UInt32(bytes[2 * unit]) << 8 | UInt32(bytes[2 * unit + 1]) : 0
          if scalar < 0xDC00, next & 0xFC00 == 0xDC00 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + next & 0x3FF
            unit += 1
          } else {
            scalar = 0xFFFD
            isWhole = false
          }
        }
        written += writeUTF8(scalar, to: target, at: written)
      }
      return written
    }
    return (text, isWhole)
  }
}

extension PropertyListReal {
  /// A 32-bit real from its bits; a NaN keeps its bits.
  ///
  /// A conversion would turn a signalling NaN into a quiet one, so the bits are moved by hand.
  init(singleBits bits: UInt32) {
    let single = Float(bitPattern: bits)
    guard single.isNaN else {
      self.init(single: single)
      return
    }
    let sign = UInt64(bits >> 31) << 63
    self.init(Double(bitPattern: sign | 0x7FF0 << 48 | UInt64(bits & 0x7F_FFFF) << 29), width: .single)
  }

  /// The 32 bits of a `.single` real.
  var singleBits: UInt32 {
    guard value.isNaN else { return Float(value).bitPattern }
    let bits = value.bitPattern
    let payload = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
    return UInt32(truncatingIfNeeded: bits >> 63) << 31 | 0x7F80_0000 | (payload == 0 ? 0x40_0000 : payload)
  }
}

/// Whether every byte is below 128; checks eight at a time.
@inline(__always)
func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  let raw = UnsafeRawBufferPointer(bytes)
  var position = 0
  var high: UInt64 = 0
  while raw.count - position >= 8 {
    high |= raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    position += 8
  }
  while position < raw.count {
    high |= UInt64(raw[position])
    position += 1
  }
  return high & 0x8080_8080_8080_8080 == 0
}

/// Writes a scalar value as UTF-8 and returns the number of bytes. The caller has made room for four.
@inline(__always)
func writeUTF8(_ scalar: UInt32, to target: UnsafeMutableBufferPointer<UInt8>, at position: Int) -> Int {
  func byte(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value) }
  switch scalar {
  case ..<0x80:
    target[position] = byte(scalar)
    return 1
  case ..<0x800:
    target[position] = byte(0xC0 | scalar >> 6)
    target[position + 1] = byte(0x80 | scalar & 0x3F)
    return 2
  case ..<0x10000:
    target[position] = byte(0xE0 | scalar >> 12)
    target[position + 1] = byte(0x80 | scalar >> 6 & 0x3F)
    target[position + 2] = byte(0x80 | scalar & 0x3F)
    return 3
  default:
    target[position] = byte(0xF0 | scalar >> 18)
    target[position + 1] = byte(0x80 | scalar >> 12 & 0x3F)
    target[position + 2] = byte(0x80 | scalar >> 6 & 0x3F)
    target[position + 3] = byte(0x80 | scalar & 0x3F)
    return 4
  }
}
