internal import CCarryoverCurses
internal import CarryoverTerminal

struct InputDecoder {
  enum Result: Equatable {
    case event(Event)
    case resized, suspend, ignored
    /// There is no more input for now.
    case nothing
  }

  /// In bytes of UTF-8; a longer paste is cut.
  static let pasteLimit = 64 * 1024

  /// SIGINT and SIGQUIT, whose numbers POSIX gives.
  static let (interrupt, quit): (Int32, Int32) = (2, 3)

  private var pasted: String.UnicodeScalarView?
  private var pastedBytes = 0
  private var text = ScalarAssembler()
  var sequence = ControlSequence()
  /// Already read, to see whether a sequence begins.
  private var held: cc_input?

  /// - Parameter read: Returns the next input without waiting.
  mutating func next(_ read: () -> cc_input) -> Result {
    let input = held ?? read()
    held = nil
    guard pasted == nil else { return decode(input) }
    switch input.kind {
    case CC_BYTE: return typed(UInt8(truncatingIfNeeded: input.code), read)
    case CC_KEY where sequence.isInside && input.code == CC_BACKSPACE.rawValue:
      // curses names this byte, whatever it is part of.
      return typed(0x7F, read)
    case CC_KEY, CC_FUNCTION, CC_MOUSE:
      // It began with ESC, which ends the sequence before it.
      sequence.abandon()
      return decode(input)
    default: return decode(input)
    }
  }

  mutating func decode(_ input: cc_input) -> Result {
    switch input.kind {
    case CC_BYTE: byte(UInt8(truncatingIfNeeded: input.code))
    case CC_KEY: key(cc_key(rawValue: input.code))
    case CC_FUNCTION: unlessPasting(.key(.function(Int(input.code))))
    case CC_RESIZE: .resized
    case CC_MOUSE: mouse(input)
    case CC_IGNORED: .ignored
    default: .nothing
    }
  }

  var isPasting: Bool { pasted != nil }

  mutating func paste(_ bytes: some Sequence<UInt8>, ended: Bool) -> Result {
    if pastedBytes < InputDecoder.pasteLimit { for byte in bytes { _ = self.byte(byte) } }
    return ended ? key(CC_PASTE_END) : .ignored
  }

  private func unlessPasting(_ event: Event) -> Result { pasted == nil ? .event(event) : .ignored }

  private mutating func typed(_ byte: UInt8, _ read: () -> cc_input) -> Result {
    switch sequence.take(byte) {
    case .inside: .ignored
    case .pasteBegin: key(CC_PASTE_BEGIN)
    case .pasteEnd: key(CC_PASTE_END)
    case .outside: byte == 0x1B ? escape(read()) : self.byte(byte)
    }
  }

  /// Escape is a key if no sequence begins with it; terminals send sequences at once.
  private mutating func escape(_ next: cc_input) -> Result {
    if next.kind == CC_BYTE, sequence.begin(afterEscape: UInt8(truncatingIfNeeded: next.code)) { return .ignored }
    held = next.kind == CC_NOTHING ? nil : next
    return .event(.key(.escape))
  }

  private mutating func byte(_ byte: UInt8) -> Result { text.append(byte).map { scalar($0) } ?? .ignored }

  private mutating func scalar(_ scalar: Unicode.Scalar) -> Result {
    let code = scalar.value
    if pasted != nil {
      // Terminals send a pasted line feed as the key that makes one.
      let scalar: Unicode.Scalar = scalar == "\r" ? "\n" : scalar
      pastedBytes += UTF8.width(scalar)
      if pastedBytes <= InputDecoder.pasteLimit { pasted?.append(scalar) }
      return .ignored
    }
    switch code {
    case 0x03: return .event(.signal(InputDecoder.interrupt))
    case 0x1C: return .event(.signal(InputDecoder.quit))
    case 0x1A: return .suspend
    case 0x08, 0x7F: return .event(.key(.backspace))
    case 0x09: return .event(.key(.tab))
    case 0x0A, 0x0D: return .event(.key(.enter))
    case 0x1B: return .event(.key(.escape))
    case 0x00: return .event(.key(.control(" ")))
    case 0x01..<0x20:
      // Control clears the bit of 64 in a key's code; letters are named in lower case.
      let base = code <= 0x1A ? code + 0x60 : code + 0x40
      return Unicode.Scalar(base).map { .event(.key(.control(Character($0)))) } ?? .ignored
    case 0x80..<0xA0:
      sequence.begin(control: code)
      return .ignored
    default: return .event(.key(.character(Character(scalar))))
    }
  }

  private mutating func key(_ key: cc_key) -> Result {
    switch key {
    case CC_PASTE_BEGIN:
      if pasted == nil {
        pasted = String.UnicodeScalarView()
        pastedBytes = 0
      }
      return .ignored
    case CC_PASTE_END:
      guard let text = pasted else { return .ignored }
      pasted = nil
      return .event(.paste(String(text)))
    default: return InputDecoder.keys[key.rawValue].map { unlessPasting(.key($0)) } ?? .ignored
    }
  }

  private func mouse(_ input: cc_input) -> Result {
    let action: Mouse.Action =
      switch cc_mouse(rawValue: input.code) {
      case CC_WHEEL_UP: .wheelUp
      case CC_WHEEL_DOWN: .wheelDown
      default: .select
      }
    return unlessPasting(.mouse(Mouse(action, at: Position(column: Int(input.column), row: Int(input.row)))))
  }

  private static let keys: [UInt32: Key] = [
    CC_UP.rawValue: .up, CC_DOWN.rawValue: .down, CC_LEFT.rawValue: .left, CC_RIGHT.rawValue: .right,
    CC_PAGE_UP.rawValue: .pageUp, CC_PAGE_DOWN.rawValue: .pageDown, CC_HOME.rawValue: .home, CC_END.rawValue: .end,
    CC_INSERT.rawValue: .insert, CC_DELETE.rawValue: .delete, CC_BACKSPACE.rawValue: .backspace,
    CC_ENTER.rawValue: .enter, CC_BACK_TAB.rawValue: .backTab,
  ]
}

/// Follows a control sequence byte by byte, so that nothing in it acts as a key.
///
/// curses recognizes only the keys in the terminfo entry and passes on everything else as single bytes: a report of
/// Control and A in kitty's protocol, `ESC [ 97 ; 5 u`, would be Escape, four characters and an undo. ECMA-48 gives all
/// sequences one form, so even an unknown one has an end.
struct ControlSequence {
  enum Step: Equatable {
    case outside, inside
    /// The end of the mark before a paste, which curses does not recognize if it comes in pieces.
    case pasteBegin
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
    /// In so many bytes that follow, whatever they are.
    case rest(Int)
  }

  private var place = Place.outside
  /// The first bytes between CSI and its final byte.
  private var parameters: [UInt8] = []
  private var previous: UInt8 = 0

  var isInside: Bool { place != .outside }
  mutating func abandon() { place = .outside }

  /// False for two keys. A key with Alt, which many terminals report in this way, cannot be told from Escape and that
  /// key on a slow line.
  mutating func begin(afterEscape byte: UInt8) -> Bool {
    (0x40..<0x60).contains(byte) && begin(control: UInt32(byte) + 0x40)
  }

  /// Begins a sequence for a C1 control character.
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

  mutating func take(_ byte: UInt8) -> Step {
    switch place {
    case .outside: return .outside
    case .control: return takeControl(byte)
    case .shifted:
      // Old terminals put a modifier's number before the final byte.
      if !(0x30..<0x3C).contains(byte) { place = .outside }
      return (0x20..<0x80).contains(byte) ? .inside : .outside
    case .string(let endsWithBell): return takeText(byte, endsWithBell: endsWithBell)
    case .stringEscape:
      // Without the backslash, ESC ends the text and may begin another sequence.
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
    case 0x7F: return .inside
    case 0x40..<0x7F: place = .outside
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
    case 0x1B: place = .stringEscape
    case _ where ends: place = .outside
    case 0x07...0x0D, 0x20...: break
    default:
      place = .outside
      return .outside
    }
    return .inside
  }
}

/// Assembles scalars from the bytes of UTF-8, however far apart they arrive. Invalid bytes are dropped, but not the
/// scalar after them. In a locale that is not UTF-8 only ASCII arrives, which is all that can be shown there.
struct ScalarAssembler {
  private var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 != 0x80 { bytes = [] } else if bytes.isEmpty || bytes.count > 3 { return nil }
    bytes.append(byte)
    var (decoder, iterator) = (UTF8(), bytes.makeIterator())
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    bytes = []
    return scalar
  }
}
