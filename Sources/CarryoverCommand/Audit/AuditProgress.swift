/// How far an audit has come, on standard error where that is a terminal.
struct AuditProgress {
  let line: ProgressLine
  private let start = ContinuousClock.now
  /// How many inputs an earlier process had audited.
  private let before: Int
  /// Finds all inputs ahead of the audit: without their number, nobody knows how long it takes.
  private var counted: AuditInputs
  private var isCounted = false
  private var total = 0

  init(of command: AuditRunSubcommand, after before: Int) {
    line = .onTerminal()
    self.before = before
    counted = AuditInputs(command.path, of: command.shard)
  }

  /// Shows how many inputs have been audited.
  mutating func show(_ inputs: Int) {
    guard line.isShown else { return }
    // A few at a time, so that the workers do not wait for it.
    for _ in 0..<20 where !isCounted {
      if counted.next() == nil { isCounted = true } else { total += 1 }
    }
    let (seconds, attoseconds) = start.duration(to: .now).components
    line.show(
      Self.text(
        inputs, of: isCounted ? total : nil, before: before, seconds: Double(seconds) + Double(attoseconds) * 1e-18))
  }

  /// In ASCII.
  static func text(_ inputs: Int, of total: Int?, before: Int, seconds: Double) -> String {
    let rate = Double(inputs - before) / max(0.1, seconds)
    let speed = "\(Int(rate)) per second"
    guard let total, total > 0, rate > 0 else { return "Audited: \(inputs) inputs, \(speed)" }
    // Inputs can be added while the audit goes on.
    let all = max(inputs, total)
    let left = Int((Double(all - inputs) / rate).rounded(.up))
    let time =
      left < 60
      ? "\(left) s" : left < 3600 ? "\(left / 60) min \(left % 60) s" : "\(left / 3600) h \(left / 60 % 60) min"
    return "Audited: \(inputs) of \(all) inputs (\(inputs * 100 / all)%), \(speed), \(time) left"
  }
}
