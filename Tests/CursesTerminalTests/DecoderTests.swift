@testable import CarryoverCurses

@Suite("Bytes that curses does not know") struct DecoderTests {
  private static func events(
    _ pieces: [[UInt8]], by decoder: inout InputDecoder
  ) -> [Event] {
    var events: [Event] = []
    for piece in pieces {
      var rest = piece[...]
      var isOver = false
      while !isOver {
        let result = decoder.next {
          rest.popFirst().map { cc_input(kind: CC_BYTE, code: UInt32($0), row: 0, column: 0) }
            ?? cc_input(kind: CC_NOTHING, code: 0, row: 0, column: 0)
        }
        if case .event(let event) = result { events.append(event) }
        isOver = result == .nothing
      }
    }
    return events
  }

  private static func events(_ pieces: String...) -> [Event] {
    var decoder = InputDecoder()
    return events(pieces.map { Array($0.utf8) }, by: &decoder)
  }

  private static func key(_ character: Character) -> Event { .key(.character(character)) }

  @Test func `Escape is a key by itself, twice, and before a key`() {
    #expect(Self.events("\u{1B}") == [.key(.escape)])
    #expect(Self.events("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    #expect(Self.events("\u{1B}q") == [.key(.escape), Self.key("q")])
    #expect(Self.events("\u{1B}", "q") == [.key(.escape), Self.key("q")])
    #expect(Self.events("\u{1B}é\u{1B}\r") == [.key(.escape), Self.key("é"), .key(.escape), .key(.enter)])
    #expect(Self.events("\u{1B}\u{3}") == [.key(.escape), .signal(InputDecoder.interrupt)])
  }

  @Test(arguments: 2...5)
  func `The beginning of a paste in pieces is one`(place: Int) {
    let mark = "\u{1B}[200~"
    var decoder = InputDecoder()
    let pieces = [mark.prefix(place), mark.dropFirst(place) + "ay\u{1B}[97;5u"].map { Array($0.utf8) }
    #expect(Self.events(pieces, by: &decoder) == [])
    #expect(decoder.isPasting)
    #expect(decoder.paste(Array("z".utf8), ended: true) == .event(.paste("ay\u{1B}[97;5uz")))
    #expect(Self.events("\u{1B}[201~q") == [Self.key("q")])
  }

  @Test func `A string ends with a bell only if it is a command for the system, and never within a character`() {
    #expect(Self.events("\u{1B}]y\u{7}y") == [Self.key("y")])
    #expect(Self.events("\u{1B}Py\u{7}y\u{1B}\\q") == [Self.key("q")])
    // U+00DC ends in the byte that ends a string where text is not UTF-8.
    #expect(Self.events("\u{1B}]Üy\u{1B}\\q") == [Self.key("q")])
    #expect(Self.events("\u{1B}]y\u{1B}", "\\q") == [Self.key("q")])
    #expect(Self.events("\u{1B}]y\u{18}q") == [Self.key("q")])
  }

  @Test func `What cannot be in a sequence breaks it off, and acts`() {
    #expect(Self.events("\u{1B}]y\u{3}") == [.signal(InputDecoder.interrupt)])
    #expect(Self.events("\u{1B}[9\u{3}q") == [.signal(InputDecoder.interrupt), Self.key("q")])
    #expect(Self.events("\u{1B}]y\u{1B}q") == [Self.key("q")])
    #expect(Self.events("\u{1B}]y\u{1B}[97;5uq") == [Self.key("q")])
    #expect(Self.events("\u{1B}[9\u{1B}") == [.key(.escape)])
    #expect(Self.events("\u{1B}[9éq") == [Self.key("é"), Self.key("q")])
  }

  @Test func `A key that curses knows breaks a string off; a byte that it takes for a key does not`() {
    var decoder = InputDecoder()
    #expect(Self.events([Array("\u{1B}]y".utf8)], by: &decoder) == [])
    func known(_ key: cc_key) -> InputDecoder.Result {
      decoder.next { cc_input(kind: CC_KEY, code: key.rawValue, row: 0, column: 0) }
    }
    #expect(known(CC_BACKSPACE) == .ignored)
    #expect(known(CC_UP) == .event(.key(.up)))
    #expect(known(CC_BACKSPACE) == .event(.key(.backspace)))
  }

  @Test func `A string without an end takes no more room than a short one, and is over when it is given up`() {
    var decoder = InputDecoder()
    let long = Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "9"), count: 1_000_000)
    #expect(Self.events([long], by: &decoder) == [])
    #expect(decoder.sequence.isInside)
    decoder.sequence.abandon()
    #expect(Self.events([Array("q".utf8)], by: &decoder) == [Self.key("q")])
  }

  /// Well-formed sequences, as ECMA-48 gives them their form.
  private struct Sequences {
    var state: UInt64

    mutating func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func bytes(_ range: ClosedRange<UInt8>, upTo count: Int) -> [UInt8] {
      (0..<random(count + 1)).map { _ in range.lowerBound + UInt8(random(range.count)) }
    }

    mutating func next() -> [UInt8] {
      switch random(3) {
      case 0:
        let parameters = bytes(0x30...0x3F, upTo: 12)
        let between = bytes(0x20...0x2F, upTo: 2)
        let final = 0x40 + UInt8(random(0x3F))
        // These two, bare, are older than the rule and have bytes after their end.
        let older: [UInt8: [UInt8]] = [0x4D: [0x20, 0x79, 0x79], 0x5B: [0x41]]
        let rest = parameters.isEmpty && between.isEmpty ? older[final] ?? [] : []
        return [0x1B, 0x5B] + parameters + between + [final] + rest
      case 1:
        return [0x1B, 0x4F] + bytes(0x30...0x3B, upTo: 1) + [0x40 + UInt8(random(0x3F))]
      default:
        let start = Array("]PX^_".utf8)[random(5)]
        let text = bytes(0x20...0x7E, upTo: 40) + bytes(0x08...0x0D, upTo: 2) + Array("é漢".utf8)
        let end: [[UInt8]] = [[0x1B, 0x5C], [0xC2, 0x9C], [0x07]]
        return [0x1B, start] + text + end[random(start == UInt8(ascii: "]") ? 3 : 2)]
      }
    }
  }

  @Test(arguments: 1...8)
  func `No sequence that is well formed makes an event, however it is torn`(seed: UInt64) {
    var sequences = Sequences(state: seed)
    var decoder = InputDecoder()
    for _ in 0..<2000 {
      let sequence = sequences.next()
      let place = 2 + sequences.random(sequence.count - 1)
      let pieces = [Array(sequence.prefix(place)), Array(sequence.dropFirst(place)), Array("z".utf8)]
      let events = Self.events(pieces, by: &decoder)
      if decoder.isPasting {
        _ = decoder.paste([], ended: true)
        continue
      }
      #expect(events == [Self.key("z")], "\(String(decoding: sequence, as: UTF8.self).debugDescription) at \(place)")
    }
  }

  @Test(arguments: 1...4)
  func `After any bytes a pause brings the keys back`(seed: UInt64) {
    var sequences = Sequences(state: seed)
    var decoder = InputDecoder()
    for _ in 0..<2000 {
      var bytes = sequences.bytes(0...255, upTo: 30) + [0x1B, 0x5B] + sequences.bytes(0x1B...0x7F, upTo: 9)
      if sequences.random(4) == 0 { bytes += sequences.next() }
      _ = Self.events([bytes], by: &decoder)
      if decoder.isPasting { _ = decoder.paste([], ended: true) }
      decoder.sequence.abandon()
      #expect(Self.events([Array("q".utf8)], by: &decoder) == [Self.key("q")])
    }
  }
}
