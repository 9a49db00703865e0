/// The name under which a new file waits in the folder of its destination, and under which the old one leaves it.
///
/// It follows from the run's id and the file's number alone, so that a later command finds it after a crash.
struct TemporaryName: Hashable {
  let run: RunID
  /// The file's number in the run, counted from 1.
  let number: Int
  /// Whether it is the one for taking the file back.
  var isBack = false

  var text: String { ".carryover-\(run.text)-\(number)\(isBack ? "-back" : "").tmp" }

  /// The name for the opposite direction.
  var other: TemporaryName { TemporaryName(run: run, number: number, isBack: !isBack) }
}
