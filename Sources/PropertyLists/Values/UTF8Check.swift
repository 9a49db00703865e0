extension String {
  /// Text from bytes; nil if they are not UTF-8. The package supports systems without `String(validating:as:)`.
  package init?(utf8 bytes: some Collection<UInt8>) {
    let text: String?? = bytes.withContiguousStorageIfAvailable { bytes in
      firstInvalidUTF8(bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }
    guard let text = text ?? String(utf8: Array(bytes)) else { return nil }
    self = text
  }
}

/// The offset of the first byte that is not part of valid UTF-8, or nil.
func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  let raw = UnsafeRawBufferPointer(bytes)
  var position = 0
  while position < raw.count {
    if raw.count - position >= 8,
      raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
      continue
    }
    let length = lengthOfUTF8Scalar(raw, at: position)
    guard length > 0 else { return position }
    position += length
  }
  return nil
}

/// The length of the scalar at a position, in bytes; 0 if it is not valid, including overlong forms, surrogates and
/// values above U+10FFFF.
private func lengthOfUTF8Scalar(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
  func following(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    position + index < bytes.count && range.contains(bytes[position + index])
  }
  switch bytes[position] {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return following(1) ? 2 : 0
  case 0xE0: return following(1, 0xA0...0xBF) && following(2) ? 3 : 0
  case 0xED: return following(1, 0x80...0x9F) && following(2) ? 3 : 0
  case 0xE1...0xEF: return following(1) && following(2) ? 3 : 0
  case 0xF0: return following(1, 0x90...0xBF) && following(2) && following(3) ? 4 : 0
  case 0xF4: return following(1, 0x80...0x8F) && following(2) && following(3) ? 4 : 0
  case 0xF1...0xF3: return following(1) && following(2) && following(3) ? 4 : 0
  default: return 0
  }
}
