internal import CCarryoverCurses
import CarryoverSystem
internal import CarryoverTerminal

/// Keeps standard error off the screen and prints it once the screen is gone.
///
/// Only where standard error is a terminal; where it was redirected it disturbs nothing.
struct ErrorCapture {
  /// The most that is printed, from the end.
  private static let limit = 64 * 1024

  private let captured: Int32
  private let original: Int32

  /// Begins to capture; nil if there is no need or no way.
  init?() {
    guard Platform.isTerminal(Platform.standardError), let captured = Platform.temporaryFile() else { return nil }
    guard let original = Platform.duplicate(Platform.standardError) else {
      Platform.close(captured)
      return nil
    }
    self.captured = captured
    self.original = original
    Platform.redirect(Platform.standardError, to: captured)
    cc_keep_errors(captured, original)
  }

  /// Gives standard error to whoever has the terminal now.
  func pause() { Platform.redirect(Platform.standardError, to: original) }

  /// Captures again after ``pause()``.
  func resume() { Platform.redirect(Platform.standardError, to: captured) }

  /// Ends capturing and prints what was captured, escaped.
  func replay() {
    cc_keep_errors(-1, -1)
    Platform.redirect(Platform.standardError, to: original)
    let bytes = Platform.tail(of: captured, limit: ErrorCapture.limit)
    let text = DisplayText.visibleLines(String(decoding: bytes, as: UTF8.self), ascii: !cc_is_utf8())
    Platform.write(Array(text.utf8), to: Platform.standardError)
    Platform.close(captured)
    Platform.close(original)
  }
}
