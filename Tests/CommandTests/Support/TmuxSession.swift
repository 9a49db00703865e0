import Foundation

/// A program in a real terminal, kept by tmux: keys in, screens out. Waiting means looking again until the text is
/// there, up to a number of looks.
final class TmuxSession {
  struct TimedOut: Error, CustomStringConvertible {
    var description: String
  }

  private let socket = "carryover-test-\(UUID().uuidString.prefix(8))"
  private let folder: TemporaryFolder

  /// Starts a shell of the size given, in a plain environment.
  init(columns: Int, rows: Int, terminal: String = "tmux-256color") throws {
    folder = try TemporaryFolder()
    let configuration = folder.path("tmux.conf")
    try "set -g default-terminal \(terminal)\nset -g status off\nset -s escape-time 0\nset -g history-limit 2000\n"
      .write(toFile: configuration, atomically: true, encoding: .utf8)
    try tmux(
      "-f", configuration, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-s", "t",
      "env -i PATH=\"$PATH\" HOME=\(folder.url.path) XDG_STATE_HOME=\(Tool.stateHome) TERM=\(terminal) LC_ALL=C.UTF-8 "
        + "TZ=UTC PS1='$ ' bash --norc --noprofile"
    )
    try waitFor("a prompt") { $0.hasPrefix("$") }
  }

  deinit { _ = try? tmux("kill-server") }

  /// Types text as it is and presses Enter.
  func enter(_ line: String) throws {
    try tmux("send-keys", "-t", "t", "-l", line)
    try tmux("send-keys", "-t", "t", "Enter")
  }

  /// Presses keys by tmux's names: "Space", "Enter", "C-z", "G".
  func press(_ keys: String...) throws { try tmux(["send-keys", "-t", "t"] + keys) }

  /// Types text as it is.
  func type(_ text: String) throws { try tmux("send-keys", "-t", "t", "-l", text) }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-t", "t", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The screen as text.
  func screen() throws -> String { try tmux("capture-pane", "-p", "-t", "t").output }

  /// The screen as text with the escape sequences that colour it.
  func colouredScreen() throws -> String { try tmux("capture-pane", "-p", "-e", "-t", "t").output }

  /// Looks until the screen holds a text, and returns the screen.
  @discardableResult
  func waitFor(_ text: String) throws -> String { try waitFor("“\(text)”") { $0.contains(text) } }

  /// Looks until the screen no longer holds a text.
  @discardableResult
  func waitForEnd(of text: String) throws -> String { try waitFor("the end of “\(text)”") { !$0.contains(text) } }

  /// Looks until the condition holds.
  @discardableResult
  func waitFor(_ what: String, _ condition: (String) -> Bool) throws -> String {
    var last = ""
    // A look is a process of its own and takes some milliseconds: this is a matter of many seconds.
    for _ in 0..<4000 {
      last = try screen()
      if condition(last) { return last }
    }
    throw TimedOut(description: "waited in vain for \(what); the screen was:\n\(last)")
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> Tool.Result { try tmux(arguments) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> Tool.Result {
    let result = try Tool.run("tmux", ["-L", socket] + arguments)
    guard result.status == 0 else { throw Tool.Missing("tmux \(arguments.joined(separator: " ")): \(result.error)") }
    return result
  }
}
