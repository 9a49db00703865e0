import Carryover
import CarryoverReview

/// What a run does to the file system while it is made, each with its time, until somebody takes it.
///
/// The process has one thread, which is why what it keeps is safe.
final class OperationLog: @unchecked Sendable {
  private var noted: [NotedOperation] = []

  /// Notes one.
  func note(_ event: FileOperationEvent) { noted.append(NotedOperation(event, at: Console.now)) }

  /// What was noted since it was asked last.
  func take() -> [NotedOperation] {
    defer { noted = [] }
    return noted
  }
}
