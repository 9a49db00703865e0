import CarryoverSystem

/// Other forms of a text in a sentence, a path or a name.
enum OtherForms {
  /// The text as escaped for display; for personal text also in lower case and as in a URL.
  static func of(_ canonical: [UInt8], _ known: Redaction.Known) -> [[UInt8]] {
    let isPersonal = known.isStrong || known.mask.isStrong
    // Nothing in it is escaped.
    if !isPersonal, canonical.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) { return [] }
    let text = String(decoding: canonical, as: UTF8.self)
    var forms = [DisplayText.harmless(text), DisplayText.named(text)].map { Array($0.utf8) }
    if isPersonal, (4...320).contains(canonical.count) {
      // A single word may also be a common one.
      if isID(known.mask.kind) || !canonical.allSatisfy(Characters.isLetter) {
        forms += [Array(text.lowercased().utf8), Array(text.uppercased().utf8)]
      }
      forms.append(percentEncoded(canonical))
      if isID(known.mask.kind) {
        forms += [text.lowercased(), text.uppercased()].map { percentEncoded(Array($0.utf8)) }
      }
    }
    return forms.filter { $0 != canonical }
  }

  private static func isID(_ kind: Mask.Kind) -> Bool {
    switch kind {
    case .user, .id, .email: true
    default: false
    }
  }

  private static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(3 * bytes.count)
    for byte in bytes {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
      }
    }
    return encoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    Characters.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + (number - 10)
  }
}
