import Carryover
public import CarryoverStorage
import CarryoverSystem

/// Gives a visitor of Convert's SDK another id and migrates the decisions: the visitor sees the same variations as
/// before, and no goal counts twice. Run it before the SDK starts.
///
/// If it is interrupted at any write, the id that the SDK finds has its decisions, and another run finishes the
/// migration. The order of the writes ensures this:
/// 1. the mirror gets the old id, so that the id stays known until the migration is finished;
/// 2. the decisions are copied to the new id, and also stay with the old one;
/// 3. the keychain, which the SDK reads first, gets the new id;
/// 4. the decisions of the old id are removed;
/// 5. the mirror gets the new id, which marks the migration as finished.
///
/// Unsent events do not change: they happened under the old id. Each change to the decisions holds the lock of
/// ``ConvertFiles``, so other processes lose no decisions.
public struct ConvertMigration: Sendable {
  /// The visitor to migrate, and the new id.
  public enum Move: Hashable, Sendable {
    /// The visitor whose id is in the keychain or the mirror.
    case kept(to: String)
    /// A visitor whose id the app itself passes to the SDK. The keychain and the mirror do not change.
    case given(from: String, to: String)

    var target: String {
      switch self {
      case .kept(let id), .given(_, let id): id
      }
    }
  }

  private let files: ConvertFiles
  private let places: [IdentityLookup.Place]
  private let observers = Observers<ConvertEvent>(keeping: 100)
  /// Whether no run remains to be done.
  private let isDone = Locked(false)

  /// The service of the keychain item with the visitor's id: a generic password that is readable after the first unlock
  /// and never leaves the device, as `KeychainDataStore` of CarryoverUserDefaults creates it.
  public static let keychainService = ConvertNames.keychainService

  /// A migration of the files and the stores of the visitor's id.
  /// - Parameters:
  ///   - files: the SDK's files.
  ///   - keychain: the items of ``keychainService``.
  ///   - mirror: a store for `UserDefaults.standard`, which must write text as strings.
  public init(files: ConvertFiles, keychain: any ByteStore, mirror: any ByteStore) {
    self.files = files
    places = [
      IdentityLookup.Place(keychain, ConvertNames.visitorAccount),
      IdentityLookup.Place(mirror, ConvertNames.visitorMirror),
    ]
  }

  /// A stream of all events from this moment on. It ends with the run; after a successful run, a new stream ends at
  /// once. To stop receiving events, release the stream or cancel the task that reads it.
  public func events() -> AsyncStream<ConvertEvent> {
    let stream = observers.stream()
    if isDone.withLock({ $0 }) { observers.finish() }
    return stream
  }

  package var subscriptions: Int { observers.count }

  /// Runs the migration, or finishes an interrupted one.
  /// - Returns: the result. If nothing is left to do, a run changes nothing.
  /// - Throws: ``ConvertError``. Another run continues where this one stopped.
  @discardableResult
  public func run(_ move: Move) throws(ConvertError) -> ConvertReport {
    var isDone = false
    defer {
      self.isDone.withLock { $0 = isDone }
      observers.finish()
    }
    do throws(ConvertError) {
      guard !move.target.isEmpty else { throw .emptyVisitor }
      let report =
        switch move {
        case .given(let old, let new): try moveGiven(old, new)
        case .kept(let new): try moveKept(new)
        }
      isDone = true
      observers.send(.finished(report))
      return report
    } catch {
      observers.send(.failed(error))
      throw error
    }
  }

  private func moveGiven(_ old: String, _ new: String) throws(ConvertError) -> ConvertReport {
    observers.send(.began(from: old, to: new))
    var report = ConvertReport(from: old, to: new)
    // One write replaces the old id with the new one.
    try changeDecisions(of: old, &report, ConvertEvent.decisionsMoved) { $0.move(from: old, to: new) }
    report.waitingEvents = waitingEvents(of: old)
    return report
  }

  private func moveKept(_ new: String) throws(ConvertError) -> ConvertReport {
    var held = try places.map { place throws(ConvertError) in try converting(try place.id(), ConvertError.store) }
    // After an interrupted run, the first place may already have the new id; the mirror then has the old one.
    let old = held.compactMap { $0 }.first { !Self.isSame($0, new) }
    observers.send(.began(from: old, to: new))
    var report = ConvertReport(from: old, to: new)
    if let old {
      if !Self.isSame(held[0], new) {
        for index in held.indices.dropFirst() { try put(old, index, &held, &report) }
        try changeDecisions(of: old, &report, ConvertEvent.decisionsCopied) { $0.copy(from: old, to: new) }
        try put(new, 0, &held, &report)
      }
      // Copies again the decisions that the old id has got since an earlier run.
      try changeDecisions(of: old, &report, ConvertEvent.decisionsRemoved) { $0.move(from: old, to: new) }
      report.waitingEvents = waitingEvents(of: old)
    }
    for index in held.indices { try put(new, index, &held, &report) }
    return report
  }

  private func put(
    _ id: String, _ index: Int, _ held: inout [String?], _ report: inout ConvertReport
  ) throws(ConvertError) {
    guard !Self.isSame(held[index], id) else { return }
    let place = places[index]
    try converting(try place.store.set(Array(id.utf8), for: place.name), ConvertError.store)
    guard Self.isSame(try converting(try place.id(), ConvertError.store), id) else {
      throw .store(DataStoreError(.write, place.name, in: place.store.label, .verification))
    }
    held[index] = id
    report.writes += 1
    observers.send(.idWritten(id, store: place.store.label))
  }

  /// - Parameter change: returns the number of affected projects.
  private func changeDecisions(
    of visitor: String, _ report: inout ConvertReport, _ event: (Int) -> ConvertEvent,
    _ change: (inout ConvertDecisions) -> Int
  ) throws(ConvertError) {
    // A run that changes nothing takes no lock, so it works in a read-only folder too.
    guard try files.decisions().visitors.contains(where: { Self.isSame($0, visitor) }) else { return }
    let projects = try files.updateDecisions { decisions in
      let before = decisions
      let projects = change(&decisions)
      return decisions == before ? 0 : projects
    }
    guard projects > 0 else { return }
    // A project whose decisions are copied and then removed counts once.
    report.projects = max(report.projects, projects)
    report.writes += 1
    observers.send(event(projects))
  }

  private static func isSame(_ held: String?, _ id: String) -> Bool { held?.utf8.elementsEqual(id.utf8) ?? false }

  /// Ignores a queue that cannot be read; its recovery reports that.
  private func waitingEvents(of visitor: String) -> Int { (try? files.queue())??.eventCount(of: visitor) ?? 0 }
}

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
  package var writes = 0
  /// The number of events that wait to be sent under the old id.
  public var waitingEvents = 0
}
