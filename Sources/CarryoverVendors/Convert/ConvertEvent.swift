import Carryover
import CarryoverStorage
import CarryoverSystem

/// A step of a ``ConvertMigration``.
public enum ConvertEvent: Sendable {
  /// The migration began. The old id is nil if there is none.
  case began(from: String?, to: String)
  /// The decisions were copied to the new id, in this number of projects.
  case decisionsCopied(projects: Int)
  /// The old id's decisions were removed, in this number of projects.
  case decisionsRemoved(projects: Int)
  /// The decisions were moved from the old id to the new one in one write, in this number of projects.
  case decisionsMoved(projects: Int)
  /// This id was written to a store.
  case idWritten(String, store: String)
  /// The migration finished.
  case finished(ConvertReport)
  /// The migration failed. Run it again to continue.
  case failed(ConvertError)
}

/// The result of a ``ConvertMigration``.
public struct ConvertReport: Hashable, Sendable {
  /// The old id; nil if there is none.
  public var from: String?
  /// The new id.
  public var to: String
  /// The number of projects with decisions that were migrated.
  public var projects = 0
  /// The number of writes; 0 if nothing was left to do.
  package var writes = 0
  /// The number of events that wait to be sent under the old id.
  public var waitingEvents = 0

  init(from: String?, to: String) {
    self.from = from
    self.to = to
  }
}

/// The observers of a run.
final class ConvertObservers: Sendable {
  private let streams = Observers<ConvertEvent>(keeping: 100)
  private let isDone = Locked(false)

  /// A stream of the next run's events. It has already ended if no run remains to be done.
  func stream() -> AsyncStream<ConvertEvent> {
    let stream = streams.stream()
    if isDone.withLock({ $0 }) { streams.finish() }
    return stream
  }

  func send(_ event: ConvertEvent) { streams.send(event) }

  /// The number of open streams.
  var count: Int { streams.count }

  /// Ends the streams of a run.
  func finish(isDone: Bool) {
    self.isDone.withLock { $0 = isDone }
    streams.finish()
  }
}
