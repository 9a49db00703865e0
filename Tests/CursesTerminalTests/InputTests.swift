@testable import CarryoverCurses

@Suite("The curses terminal", .serialized)
struct CursesTests {
  @Suite("Input")
  struct InputTests {
    @Test(arguments: [
      ("q", Key.character("q")), ("é", .character("é")), ("漢", .character("漢")), ("\r", .enter), ("\n", .enter),
      ("\t", .tab), ("\u{1B}[Z", .backTab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{12}", .control("r")),
      ("\u{0}", .control(" ")), ("\u{1D}", .control("]")), ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down),
      ("\u{1B}OC", .right), ("\u{1B}[D", .left), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
      ("\u{1B}[H", .home),
      ("\u{1B}OF", .end), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}OP", .function(1)),
      ("\u{1B}[24~", .function(12)), ("\u{1B}", .escape),
    ])
    func `Keys are told apart`(bytes: String, key: Key) throws {
      let screen = try Screen()
      screen.type(bytes)
      #expect(try screen.terminal.nextEvent() == .key(key))
    }

    @Test func `Bytes that are no UTF-8 are dropped, and nothing else is`() {
      var assembler = ScalarAssembler()
      let bytes: [UInt8] = [
        0x61, 0xFF, 0x62, 0xC3, 0xA9, 0xC3, 0x63, 0x80, 0xE6, 0xBC, 0xA2, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xF5, 0x80,
        0x80,
        0x80, 0x80, 0x80, 0xF0, 0x9F, 0x98, 0x80, 0x64,
      ]
      #expect(String(String.UnicodeScalarView(bytes.compactMap { assembler.append($0) })) == "abéc漢😀d")
    }

    @Test func `Control with C and with backslash ask to end`() throws {
      let screen = try Screen()
      screen.type("\u{3}\u{1C}")
      #expect(try screen.terminal.nextEvent() == .signal(SIGINT))
      #expect(try screen.terminal.nextEvent() == .signal(SIGQUIT))
    }

    @Test func `A paste is one event, whatever keys are in it`() throws {
      let screen = try Screen()
      screen.type("\u{1B}[200~a\u{1B}[Ay\r\u{3}漢\u{1B}[201~z")
      #expect(try screen.terminal.nextEvent() == .paste("a\u{1B}[Ay\n\u{3}漢"))
      #expect(try screen.terminal.nextEvent() == .key(.character("z")))
    }

    @Test func `A paste is cut at its limit, and what follows it is not`() throws {
      var decoder = InputDecoder()
      func input(_ kind: cc_input_kind, _ code: UInt32) -> cc_input {
        cc_input(kind: kind, code: code, row: 0, column: 0)
      }
      #expect(decoder.decode(input(CC_KEY, CC_PASTE_BEGIN.rawValue)) == .ignored)
      for _ in 0..<InputDecoder.pasteLimit {
        for byte in "漢".utf8 { _ = decoder.decode(input(CC_BYTE, UInt32(byte))) }
      }
      let expected = String(repeating: "漢", count: InputDecoder.pasteLimit / 3)
      #expect(decoder.decode(input(CC_KEY, CC_PASTE_END.rawValue)) == .event(.paste(expected)))
      #expect(decoder.decode(input(CC_BYTE, 0x71)) == .event(.key(.character("q"))))
    }

    @Test(arguments: 1...5)
    func `A paste comes in pieces, its end mark too, and the key behind it is a key`(at place: Int) throws {
      let screen = try Screen()
      let text = String(repeating: "漢y\u{1B}[20y\u{1B}\u{1B}[201", count: 100)
      let mark = "\u{1B}[201~"
      screen.type("\u{1B}[200~" + text + mark.prefix(place))
      // Less than a line of the system takes before somebody reads it. Everything that is there is taken, and makes no event.
      #expect(try screen.terminal.pendingEvent() == nil)
      screen.type(mark.dropFirst(place) + "\u{1B}[A")
      #expect(try screen.terminal.nextEvent() == .paste(text))
      #expect(try screen.terminal.nextEvent() == .key(.up))
    }

    @Test(arguments: ["xterm", "xterm-256color", "vt100"])
    func `What a terminal reports is swallowed whole, and the key behind it is a key`(name: String) throws {
      let screen = try Screen(name: name)
      let reports = [
        "\u{1B}[97;5u", "\u{1B}[27;5;97~", "\u{1B}[89;21;121;1;0;1_", "\u{1B}[?62;22c", "\u{1B}[?2026;2$y",
        "\u{1B}[[A", "\u{1B}Oy", "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}]52;c;eQ==\u{1B}\\", "\u{1B}Py\u{7}y\u{1B}\\",
        "\u{1B}_y\u{1B}\\", "\u{1B}^y\u{1B}\\", "\u{1B}Xy\u{1B}\\", "\u{9B}97;5u", "\u{9D}y\u{9C}",
        "\u{1B}]2;\u{7F}Üy\u{1B}\\",
      ]
      for report in reports {
        screen.type(report + "z")
        #expect(try screen.terminal.nextEvent() == .key(.character("z")), "\(report.debugDescription)")
      }
    }

    @Test func `An event that has come is taken without waiting, and none is waited for`() throws {
      let screen = try Screen()
      #expect(try screen.terminal.pendingEvent() == nil)
      screen.terminal.waker()()
      #expect(try screen.terminal.pendingEvent() == .tick)
      screen.type("jk")
      #expect(try screen.terminal.nextEvent() == .key(.character("j")))
      #expect(try screen.terminal.pendingEvent() == .key(.character("k")))
      #expect(try screen.terminal.pendingEvent() == nil)
    }

    @Test func `The mouse selects and its wheel turns, if it is wanted`() throws {
      let screen = try Screen()
      screen.type("\u{1B}[<0;11;5M")
      #expect(try screen.terminal.nextEvent() == .mouse(Mouse(.select, at: Position(column: 10, row: 4))))
      screen.type("\u{1B}[<65;3;4M")
      #expect(try screen.terminal.nextEvent() == .mouse(Mouse(.wheelDown, at: Position(column: 2, row: 3))))
      screen.terminal.close()
      let without = try Screen(options: ScreenOptions(mouse: false))
      try without.terminal.draw(Grid(size: without.terminal.size), cursor: nil)
      #expect(!without.sent().contains("[?1000h"))
    }

    @Test func `When input ends that is reported, again and again`() throws {
      let keys = Pipe()
      let null = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
      let terminal = try CursesTerminal(
        options: ScreenOptions(), name: "xterm", input: keys.fileHandleForReading.fileDescriptor,
        output: null.fileDescriptor)
      defer { terminal.close() }
      try keys.fileHandleForWriting.write(contentsOf: Data("q".utf8))
      try keys.fileHandleForWriting.close()
      #expect(try terminal.nextEvent() == .key(.character("q")))
      #expect(try terminal.nextEvent() == .endOfInput)
      #expect(try terminal.nextEvent() == .endOfInput)
    }

    @Test func `A new size of the terminal is an event, and the screen follows it`() throws {
      let screen = try Screen()
      #expect(screen.terminal.size == Size(columns: 80, rows: 24))
      var grid = Grid(size: screen.terminal.size)
      for row in 0..<grid.size.rows {
        grid.put(String(repeating: "x", count: grid.size.columns), at: Position(column: 0, row: row))
      }
      try screen.terminal.draw(grid, cursor: nil)
      for (columns, rows) in [(100, 30), (1, 1), (61, 17)] {
        screen.line.resize(columns: UInt16(columns), rows: UInt16(rows))
        kill(getpid(), SIGWINCH)
        let size = Size(columns: columns, rows: rows)
        #expect(try screen.terminal.nextEvent() == .resize(size))
        #expect(screen.terminal.size == size)
        try screen.terminal.draw(Grid(size: size), cursor: nil)
        #expect(screen.terminal.contents(row: rows - 1, column: columns - 1) == " ")
        #expect(screen.terminal.contents(row: rows, column: 0) == nil)
      }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func `Signals that ask to end are reported`(number: Int32) throws {
      // Who starts the tests in the background may ignore some of them, and the terminal keeps it so.
      signal(number, SIG_DFL)
      let screen = try Screen()
      kill(getpid(), number)
      #expect(try screen.terminal.nextEvent() == .signal(number))
    }

    @Test func `A waker on another thread wakes the loop, and does nothing after the end`() throws {
      let screen = try Screen()
      let wake = screen.terminal.waker()
      Thread.detachNewThread { wake() }
      #expect(try screen.terminal.nextEvent() == .tick)
      screen.terminal.close()
      wake()
      #expect(throws: TerminalError.closed) { try screen.terminal.nextEvent() }
    }
  }

  @Suite("Opening and closing")
  struct OpeningTests {
    @Test(arguments: ["no-such-terminal", ""])
    func `An unknown terminal is an error, not the end`(name: String) throws {
      #expect(throws: TerminalError.unknownTerminal(name)) { _ = try Screen(name: name) }
      // And nothing is left behind that would keep the next from opening.
      _ = try Screen()
    }

    @Test func `A terminal that cannot place its cursor is an error`() {
      #expect(throws: TerminalError.unknownTerminal("dumb")) { _ = try Screen(name: "dumb") }
    }

    @Test func `There is one screen at a time`() throws {
      let screen = try Screen()
      #expect(throws: TerminalError.inUse) { _ = try Screen() }
      screen.terminal.close()
      _ = try Screen()
    }

    @Test func `Closing leaves the alternate screen, shows the cursor and ends the modes; twice is once`() throws {
      let screen = try Screen()
      try screen.terminal.draw(Grid(size: screen.terminal.size), cursor: nil)
      let opened = screen.sent()
      for sequence in ["[?1049h", "[?25l", "[?2004h", "[?1006;1000h"] {
        #expect(opened.contains("\u{1B}" + sequence), "\(sequence)")
      }
      screen.terminal.close()
      let closed = screen.sent()
      for sequence in ["[?1049l", "[?25h", "[?2004l", "[?1006;1000l"] {
        #expect(closed.contains("\u{1B}" + sequence), "\(sequence)")
      }
      screen.terminal.close()
      #expect(screen.sent().isEmpty)
      #expect(throws: TerminalError.closed) {
        try screen.terminal.draw(Grid(size: Size(columns: 1, rows: 1)), cursor: nil)
      }
    }

    @Test func `The terminal is set as before once it is closed`() throws {
      let screen = try Screen()
      let during = try screen.line.settings()
      screen.terminal.close()
      let after = try screen.line.settings()
      #expect(try PseudoTerminal().settings() == after)
      #expect(during != after)
    }

    @Test func `Signals are handled as before once it is closed`() throws {
      func handlers() -> [UInt] {
        [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGWINCH, SIGSEGV, SIGILL, SIGABRT].map { number in
          var action = sigaction()
          sigaction(number, nil, &action)
          return withUnsafeBytes(of: &action) { $0.load(as: UInt.self) }
        }
      }
      let before = handlers()
      let screen = try Screen()
      #expect(zip(before, handlers()).allSatisfy { $0 != $1 })
      screen.terminal.close()
      #expect(handlers() == before)
    }

    @Test func `What is copied goes out as one OSC 52 sequence, if it is not too long`() throws {
      let screen = try Screen()
      _ = screen.sent()
      #expect(screen.terminal.copyToClipboard("a\u{1B}"))
      #expect(Clipboard.sequence(for: "a\u{1B}").map { Array($0) == Array(screen.sent().utf8) } == true)
      #expect(!screen.terminal.copyToClipboard(String(repeating: "x", count: Clipboard.limit + 1)))
      #expect(screen.sent().isEmpty)
    }
  }
}
