import Carryover
import CarryoverStorage
import CarryoverSystem

/// What a migration of Convert's data does.
public enum ConvertEvent: Sendable {
  /// It began; the old id is nil where there was none.
  case began(from: String?, to: String)
  /// The new id has the old one's decisions too, in so many projects.
  case decisionsCopied(projects: Int)
  /// The old id's decisions are gone.
  case decisionsRemoved(projects: Int)
  /// The decisions went from the old id to the new one at once.
  case decisionsMoved(projects: Int)
  /// A store has this id now.
  case idWritten(String, store: String)
  /// All is done.
  case finished(ConvertReport)
  /// It could not be done; running it again takes it up.
  case failed(ConvertError)
}

/// What a migration of Convert's data came to.
public struct ConvertReport: Hashable, Sendable {
  /// The old id; nil where there was none.
  public var from: String?
  /// The new id.
  public var to: String
  /// In how many projects there were decisions to take along.
  public var projects = 0
  /// How many times something was written; 0 where all was done already.
  package var writes = 0
  /// How many events wait to be sent under the old id.
  public var waitingEvents = 0

  init(from: String?, to: String) {
    self.from = from
    self.to = to
  }
}

/// Who is told.
final class ConvertObservers: Sendable {
  private let streams = Observers<ConvertEvent>(keeping: 100)
  private let isDone = Locked(false)

  /// A stream of the next run's events; one that has ended where there is nothing left to do.
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
