/// Follows a control sequence byte by byte, so that nothing in it acts as a key.
///
/// curses recognizes the keys in the terminfo entry and passes on everything else as single bytes: a report of
/// Control and A in kitty's protocol, `ESC [ 97 ; 5 u`, would be Escape, four characters and an undo. ECMA-48 gives all
/// sequences one form, so one that nobody here knows still has an end. Its length does not matter: no more than four
/// bytes are held.
struct ControlSequence {
  /// What a byte is.
  enum Step: Equatable {
    /// Not part of a sequence.
    case outside
    /// Part of a sequence.
    case inside
    /// The end of the mark before a paste. curses knows the mark, unless it comes in pieces.
    case pasteBegin
    /// The end of the mark after a paste.
    case pasteEnd
  }

  private enum Place: Equatable {
    case outside
    /// After CSI, before the final byte.
    case control
    /// After SS3, before the final byte.
    case shifted
    /// In the text of OSC (which BEL ends, too), DCS, SOS, PM or APC.
    case string(endsWithBell: Bool)
    /// After an ESC in such a text.
    case stringEscape
    /// In bytes that follow, this many, whatever they are.
    case rest(Int)
  }

  private var place = Place.outside
  /// The first bytes between CSI and its final byte.
  private var parameters: [UInt8] = []
  private var previous: UInt8 = 0

  /// Whether a sequence has begun and not ended.
  var isInside: Bool { place != .outside }

  /// Forgets the sequence: the next byte is not part of it.
  mutating func abandon() { place = .outside }

  /// Begins a sequence if ESC and the byte after it do.
  /// - Returns: false if they are two keys. A key with Alt, which many terminals report in this way, is not told from
  ///   Escape and that key, which a slow line brings together.
  mutating func begin(afterEscape byte: UInt8) -> Bool {
    (0x40..<0x60).contains(byte) && begin(control: UInt32(byte) + 0x40)
  }

  /// Begins a sequence if that is what a C1 control character does.
  @discardableResult
  mutating func begin(control: UInt32) -> Bool {
    switch control {
    case 0x8F: place = .shifted
    case 0x9B: place = .control
    case 0x9D: place = .string(endsWithBell: true)
    case 0x90, 0x98, 0x9E, 0x9F: place = .string(endsWithBell: false)
    default: return false
    }
    parameters.removeAll(keepingCapacity: true)
    previous = 0
    return true
  }

  /// Takes the next byte.
  mutating func take(_ byte: UInt8) -> Step {
    switch place {
    case .outside:
      return .outside
    case .control:
      return takeControl(byte)
    case .shifted:
      // Old terminals put a modifier's number before the final byte.
      if !(0x30..<0x3C).contains(byte) { place = .outside }
      return (0x20..<0x80).contains(byte) ? .inside : .outside
    case .string(let endsWithBell):
      return takeText(byte, endsWithBell: endsWithBell)
    case .stringEscape:
      // Without the backslash, ESC breaks the text off and may begin another sequence.
      place = .outside
      return byte == UInt8(ascii: "\\") || begin(afterEscape: byte) ? .inside : .outside
    case .rest(let count):
      place = count > 1 && byte >= 0x20 ? .rest(count - 1) : .outside
      return byte >= 0x20 ? .inside : .outside
    }
  }

  private mutating func takeControl(_ byte: UInt8) -> Step {
    switch byte {
    case 0x20..<0x40:
      if parameters.count < 4 { parameters.append(byte) }
      return .inside
    case 0x7F:
      return .inside
    case 0x40..<0x7F:
      place = .outside
    default:
      place = .outside
      return .outside
    }
    switch (String(decoding: parameters, as: UTF8.self), byte) {
    case ("200", UInt8(ascii: "~")): return .pasteBegin
    case ("201", UInt8(ascii: "~")): return .pasteEnd
    // The mouse in its oldest form, button and place; a function key of the Linux console.
    case ("", UInt8(ascii: "M")): place = .rest(3)
    case ("", UInt8(ascii: "[")): place = .rest(1)
    default: break
    }
    return .inside
  }

  private mutating func takeText(_ byte: UInt8, endsWithBell: Bool) -> Step {
    // ST as one character is two bytes of UTF-8: 9C by itself may be part of another character. CAN breaks off.
    let ends = byte == 0x9C && previous == 0xC2 || byte == 0x07 && endsWithBell || byte == 0x18
    previous = byte
    switch byte {
    case 0x1B:
      place = .stringEscape
    case _ where ends:
      place = .outside
    case 0x07...0x0D, 0x20...:
      break
    default:
      place = .outside
      return .outside
    }
    return .inside
  }
}
