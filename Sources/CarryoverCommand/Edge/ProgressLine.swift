import CarryoverContainers

/// One line that says how far long work has come, and goes when it is over.
///
/// It has no thread and no timer: the work calls often, and the line looks at the clock it is given. The process has one
/// thread, which is why what it keeps is safe.
final class ProgressLine: @unchecked Sendable {
  /// Whether standard error is a terminal on which a line may change.
  let isShown: Bool
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  /// The most columns, so that the line stays one.
  private let columns: Int
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant?
  private var width = 0

  /// - Parameters:
  ///   - isShown: whether anybody looks; nothing is ever written otherwise.
  ///   - columns: the width of the terminal.
  ///   - now: the clock.
  ///   - write: writes to where the line stands, without a line's end.
  init(
    isShown: Bool, columns: Int = 80, now: @escaping () -> ContinuousClock.Instant, write: @escaping (String) -> Void
  ) {
    self.isShown = isShown
    self.columns = columns
    self.now = now
    self.write = write
    start = now()
  }

  /// Shows a text, once half a second has passed, ten times a second. It is in ASCII, so that bytes are columns.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let moment = now()
    guard moment - start >= .milliseconds(500), last.map({ moment - $0 >= .milliseconds(100) }) ?? true else { return }
    last = moment
    let text = String(text().prefix(columns - 1))
    write("\r" + text + String(repeating: " ", count: max(0, width - text.utf8.count)))
    width = text.utf8.count
  }

  /// Takes the line away.
  func remove() {
    guard width > 0 else { return }
    write("\r" + String(repeating: " ", count: width) + "\r")
    width = 0
  }

  /// The line on standard error, where that is a terminal.
  static func onTerminal(isShown: Bool = true) -> ProgressLine {
    ProgressLine(
      isShown: isShown && Console.mayRepaint, columns: Console.columns, now: { .now }, write: Console.errorText)
  }
}

extension OpeningProgress {
  /// Short enough for any terminal.
  var text: String {
    let what =
      switch stage {
      case .archive: "Reading the archive"
      case .backup: "Reading the backup's index"
      case .search: "Searching for containers"
      case .stores: "Reading stores"
      case .extracting: "Copying files"
      }
    guard let total, total > 0 else { return "\(what): \(amount(done))" }
    return "\(what): \(amount(done)) of \(amount(total))"
  }

  private func amount(_ number: Int) -> String { stage == .archive ? ByteCount.text(number) : "\(number)" }
}

extension Edge {
  /// Does work that reports how far it has come, on standard error where that is a terminal.
  static func observed<Result>(
    quietly: Bool = false, _ work: (OpeningObserver) throws -> Result
  ) rethrows -> Result {
    let line = ProgressLine.onTerminal(isShown: !quietly)
    defer { line.remove() }
    return try work(
      OpeningObserver { progress in
        line.show(progress.text)
        return true
      })
  }
}

extension Edge {
  /// Counts the files of a container that are not stores.
  /// - Parameter quietly: whether to show no progress, because something else is on the screen, or lines are read aloud.
  static func countUnread(_ opened: inout OpenedContainer, quietly: Bool = false) throws {
    try observed(quietly: quietly) { observer in try opened.countUnread(observer: observer) }
  }

  /// The same for work that writes and takes back what it has written when it is ended: a signal that asks the process to
  /// end ends the work first.
  static func endable<Result>(_ work: (OpeningObserver) throws -> Result) throws -> Result {
    try ThisProcess.uninterrupted {
      let line = ProgressLine.onTerminal()
      defer { line.remove() }
      return try work(
        OpeningObserver { progress in
          line.show(progress.text)
          return !ThisProcess.isAskedToEnd
        })
    }
  }
}
