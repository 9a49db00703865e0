import CarryoverTerminal
import Foundation
import Testing

@testable import CarryoverCurses

extension CursesTests {
  @Suite("Opening and closing")
  struct OpeningTests {
    @Test("An unknown terminal is an error, not the end", arguments: ["no-such-terminal", ""])
    func unknown(name: String) throws {
      #expect(throws: TerminalError.unknownTerminal(name)) { _ = try Screen(name: name) }
      // And nothing is left behind that would keep the next from opening.
      _ = try Screen()
    }

    @Test("A terminal that cannot place its cursor is an error")
    func hardCopy() {
      #expect(throws: TerminalError.unknownTerminal("dumb")) { _ = try Screen(name: "dumb") }
    }

    @Test("There is one screen at a time")
    func inUse() throws {
      let screen = try Screen()
      #expect(throws: TerminalError.inUse) { _ = try Screen() }
      screen.terminal.close()
      _ = try Screen()
    }

    @Test("Closing leaves the alternate screen, shows the cursor and ends the modes; twice is once")
    func closing() throws {
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

    @Test("The terminal is set as before once it is closed")
    func settings() throws {
      let screen = try Screen()
      let during = try screen.line.settings()
      screen.terminal.close()
      let after = try screen.line.settings()
      #expect(try PseudoTerminal().settings() == after)
      #expect(during != after)
    }

    @Test("Signals are handled as before once it is closed")
    func signals() throws {
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

    @Test("What is copied goes out as one OSC 52 sequence, if it is not too long")
    func clipboard() throws {
      let screen = try Screen()
      _ = screen.sent()
      #expect(screen.terminal.copyToClipboard("a\u{1B}"))
      #expect(Clipboard.sequence(for: "a\u{1B}").map { Array($0) == Array(screen.sent().utf8) } == true)
      #expect(!screen.terminal.copyToClipboard(String(repeating: "x", count: Clipboard.limit + 1)))
      #expect(screen.sent().isEmpty)
    }
  }
}
