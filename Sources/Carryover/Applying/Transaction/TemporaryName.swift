/// The temporary name of a new file beside its destination, and of the old file after the exchange.
///
/// It depends only on the run's id and the file's number, so that a later command finds it after a crash.
struct TemporaryName: Hashable {
  let run: RunID
  /// The file's number in the run, counted from 1.
  let number: Int
  /// Whether it is the name for rolling the file back.
  var isBack = false

  var text: String { ".carryover-\(run.text)-\(number)\(isBack ? "-back" : "").tmp" }

  /// The name for the opposite direction.
  var other: TemporaryName { TemporaryName(run: run, number: number, isBack: !isBack) }
}
