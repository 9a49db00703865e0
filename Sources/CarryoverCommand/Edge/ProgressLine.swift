import CarryoverContainers
import CarryoverPages

/// A line on standard error that shows the progress of long work. It has no thread and no timer: the work calls it
/// often. The process has one thread, so its state is safe.
final class ProgressLine: @unchecked Sendable {
  let isShown: Bool
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private let columns: Int
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant?
  private var width = 0

  init(
    isShown: Bool, columns: Int = 80, now: @escaping () -> ContinuousClock.Instant, write: @escaping (String) -> Void
  ) {
    self.isShown = isShown
    self.columns = columns
    self.now = now
    self.write = write
    start = now()
  }

  /// Shows a text after half a second, ten times a second. The text is ASCII, so bytes are columns.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let moment = now()
    guard moment - start >= .milliseconds(500), last.map({ moment - $0 >= .milliseconds(100) }) ?? true else { return }
    last = moment
    let text = String(text().prefix(columns - 1))
    write("\r" + text + String(repeating: " ", count: max(0, width - text.utf8.count)))
    width = text.utf8.count
  }

  func remove() {
    guard width > 0 else { return }
    write("\r" + String(repeating: " ", count: width) + "\r")
    width = 0
  }

  static func onTerminal(isShown: Bool = true) -> ProgressLine {
    ProgressLine(
      isShown: isShown && Console.mayRepaint, columns: Console.columns, now: { .now }, write: Console.errorText)
  }
}

extension OpeningProgress {
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
  /// Shows the progress of the work, which ends early if `goesOn` says so.
  static func observed<Result>(
    quietly: Bool = false, goesOn: @escaping @Sendable () -> Bool = { true }, _ work: (OpeningObserver) throws -> Result
  ) rethrows -> Result {
    let line = ProgressLine.onTerminal(isShown: !quietly)
    defer { line.remove() }
    return try work(
      OpeningObserver { progress in
        line.show(progress.text)
        return goesOn()
      })
  }

  /// Reads what planning does not need: the tables of databases, and how many files are not stores.
  static func countUnread(
    _ opened: inout OpenedContainer, _ masking: Masking, limits: TableLimits = .showing, quietly: Bool = false
  ) throws {
    try observed(quietly: quietly) { observer in try opened.countUnread(tables: limits, observer: observer) }
    masking.learnTables(of: opened.container)
    opened.container = masking.namingRows(of: opened.container)
  }

  /// The same for work that removes what it wrote when it ends early; a signal ends the work first.
  static func endable<Result>(quietly: Bool = false, _ work: (OpeningObserver) throws -> Result) throws -> Result {
    try ThisProcess.uninterrupted { try observed(quietly: quietly, goesOn: { !ThisProcess.isAskedToEnd }, work) }
  }
}
