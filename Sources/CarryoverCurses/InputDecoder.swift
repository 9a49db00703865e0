internal import CCarryoverCurses
internal import CarryoverTerminal

/// Turns what curses reads into events.
struct InputDecoder {
  /// What one piece of input amounts to.
  enum Result: Equatable {
    case event(Event)
    /// The screen has a new size.
    case resized
    /// The key that suspends.
    case suspend
    /// Something that is not reported.
    case ignored
    /// There is no more input for now.
    case nothing
  }

  /// The bytes of UTF-8 to which a longer paste is cut.
  static let pasteLimit = 64 * 1024

  /// The paste that is arriving.
  private var pasted: String.UnicodeScalarView?
  private var pastedBytes = 0
  private var text = ScalarAssembler()
  private var sequence = ControlSequence()
  /// Read already, to see whether a sequence begins, and not part of one.
  private var held: cc_input?

  /// What the next input is.
  /// - Parameter read: Gives the next input there is, without waiting.
  mutating func next(_ read: () -> cc_input) -> Result {
    let input = held ?? read()
    held = nil
    guard pasted == nil else { return decode(input) }
    switch input.kind {
    case CC_BYTE:
      return typed(UInt8(truncatingIfNeeded: input.code), read)
    case CC_KEY where sequence.isInside && input.code == CC_BACKSPACE.rawValue:
      // curses' name for a byte, whatever it is part of.
      return typed(0x7F, read)
    case CC_KEY, CC_FUNCTION, CC_MOUSE:
      // It begins with ESC, which breaks off what was there.
      sequence.abandon()
      return decode(input)
    default:
      return decode(input)
    }
  }

  /// Whether a control sequence has begun and not ended.
  var isInSequence: Bool { sequence.isInside }

  /// Gives up the control sequence that has not ended: what comes is keys again.
  mutating func abandonSequence() { sequence.abandon() }

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

  /// Whether a paste has begun and not ended.
  var isPasting: Bool { pasted != nil }

  /// Takes bytes of the paste that is arriving.
  mutating func paste(_ bytes: some Sequence<UInt8>, ended: Bool) -> Result {
    if pastedBytes < InputDecoder.pasteLimit {
      for byte in bytes { _ = self.byte(byte) }
    }
    return ended ? key(CC_PASTE_END) : .ignored
  }

  private func unlessPasting(_ event: Event) -> Result {
    pasted == nil ? .event(event) : .ignored
  }

  private mutating func typed(_ byte: UInt8, _ read: () -> cc_input) -> Result {
    switch sequence.take(byte) {
    case .inside: .ignored
    case .pasteBegin: key(CC_PASTE_BEGIN)
    case .pasteEnd: key(CC_PASTE_END)
    case .outside: byte == 0x1B ? escape(read()) : self.byte(byte)
    }
  }

  /// Escape is a key where no sequence begins with it. A terminal sends those at once.
  private mutating func escape(_ next: cc_input) -> Result {
    if next.kind == CC_BYTE, sequence.begin(afterEscape: UInt8(truncatingIfNeeded: next.code)) { return .ignored }
    held = next.kind == CC_NOTHING ? nil : next
    return .event(.key(.escape))
  }

  private mutating func byte(_ byte: UInt8) -> Result {
    text.append(byte).map { scalar($0) } ?? .ignored
  }

  private mutating func scalar(_ scalar: Unicode.Scalar) -> Result {
    let code = scalar.value
    if pasted != nil {
      // Terminals send a pasted line feed as the key that makes one.
      let scalar: Unicode.Scalar = scalar == "\r" ? "\n" : scalar
      pastedBytes += UTF8.width(scalar)
      if pastedBytes <= InputDecoder.pasteLimit {
        pasted?.append(scalar)
      }
      return .ignored
    }
    switch code {
    case 0x03: return .event(.signal(Platform.interrupt))
    case 0x1C: return .event(.signal(Platform.quit))
    case 0x1A: return .suspend
    case 0x08, 0x7F: return .event(.key(.backspace))
    case 0x09: return .event(.key(.tab))
    case 0x0A, 0x0D: return .event(.key(.enter))
    case 0x1B: return .event(.key(.escape))
    case 0x00: return .event(.key(.control(" ")))
    case 0x01..<0x20:
      // Control takes the bit of 64 from a key's code; letters are named in lower case.
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
    default:
      return InputDecoder.keys[key.rawValue].map { unlessPasting(.key($0)) } ?? .ignored
    }
  }

  private func mouse(_ input: cc_input) -> Result {
    let position = Position(column: Int(input.column), row: Int(input.row))
    switch cc_mouse(rawValue: input.code) {
    case CC_WHEEL_UP: return unlessPasting(.mouse(Mouse(.wheelUp, at: position)))
    case CC_WHEEL_DOWN: return unlessPasting(.mouse(Mouse(.wheelDown, at: position)))
    default: return unlessPasting(.mouse(Mouse(.select, at: position)))
    }
  }

  private static let keys: [UInt32: Key] = [
    CC_UP.rawValue: .up,
    CC_DOWN.rawValue: .down,
    CC_LEFT.rawValue: .left,
    CC_RIGHT.rawValue: .right,
    CC_PAGE_UP.rawValue: .pageUp,
    CC_PAGE_DOWN.rawValue: .pageDown,
    CC_HOME.rawValue: .home,
    CC_END.rawValue: .end,
    CC_INSERT.rawValue: .insert,
    CC_DELETE.rawValue: .delete,
    CC_BACKSPACE.rawValue: .backspace,
    CC_ENTER.rawValue: .enter,
    CC_BACK_TAB.rawValue: .backTab,
  ]
}
