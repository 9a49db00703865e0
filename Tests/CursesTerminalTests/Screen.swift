import Foundation

@testable import CarryoverCurses

/// A curses terminal on a pseudo terminal, to type on and to see what is sent.
final class Screen {
  let terminal: CursesTerminal
  let line: PseudoTerminal

  /// - Parameter locale: What decides on the encoding.
  init(
    name: String = "xterm-256color", options: ScreenOptions = ScreenOptions(), locale: String = "C.UTF-8"
  ) throws {
    line = try PseudoTerminal()
    terminal = try CursesTerminal(
      options: options, name: name, locale: locale, input: line.terminal, output: line.terminal)
  }

  deinit {
    terminal.close()
  }

  func type(_ bytes: String) {
    line.type(bytes)
  }

  /// What was sent since the last call.
  func sent() -> String {
    line.sent()
  }
}

/// Both ends of a pseudo terminal. A thread keeps reading, so that writing to it never blocks.
final class PseudoTerminal: @unchecked Sendable {
  struct Unavailable: Error {}

  let terminal: Int32
  private let master: Int32
  private let condition = NSCondition()
  private var received: [UInt8] = []
  private var ended = false

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var descriptors: (master: Int32, terminal: Int32) = (-1, -1)
    guard openpty(&descriptors.master, &descriptors.terminal, nil, nil, nil) == 0 else { throw Unavailable() }
    (master, terminal) = descriptors
    resize(columns: columns, rows: rows)
    let master = master
    Thread.detachNewThread { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(master, &bytes, bytes.count)
        guard let self else { break }
        guard count > 0 else {
          self.finish()
          break
        }
        self.receive(bytes.prefix(count))
      }
      Platform.release(master)
    }
  }

  deinit {
    Platform.release(terminal)
  }

  func type(_ bytes: String) {
    Platform.send(Array(bytes.utf8), to: master)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func settings() throws -> [UInt64] {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { throw Unavailable() }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt64($0) }
  }

  /// What was written to the terminal since the last call.
  func sent() -> String {
    let marker = Array("\u{1}seen\u{1}".utf8)
    Platform.send(marker, to: terminal)
    condition.lock()
    defer { condition.unlock() }
    while !received.ends(with: marker), !ended {
      condition.wait()
    }
    defer { received = [] }
    return String(decoding: received.dropLast(marker.count), as: UTF8.self)
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    condition.lock()
    received += bytes
    condition.broadcast()
    condition.unlock()
  }

  private func finish() {
    condition.lock()
    ended = true
    condition.broadcast()
    condition.unlock()
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: [UInt8]) -> Bool {
    self.suffix(suffix.count).elementsEqual(suffix)
  }
}
